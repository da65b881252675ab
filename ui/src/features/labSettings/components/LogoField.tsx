import { Button } from '@blueprintjs/core';
import { useRef, useState } from 'react';

import { FormField } from '../../../components/fields/FormField';
import { limits, messages } from '../../../contract';
import { readDataUrl } from '../../../lib/files';
import { toasts } from '../../../components/toasts';
import styles from './labSettings.module.css';

interface LogoFieldProps {
  value: string | null;
  onChange: (logo: string | null) => void;
  error: string | undefined;
  disabled: boolean;
}

/** The picture, unless this browser cannot draw it, for example a TIFF. */
function Preview({ picture }: { picture: string }) {
  const [isDrawn, setIsDrawn] = useState(true);
  if (!isDrawn) return <span className="quiet">No preview</span>;
  return <img src={picture} alt="The lab's logo" onError={() => setIsDrawn(false)} />;
}

/** The lab's logo: a picture to choose, which the portal converts when it is saved. */
export function LogoField({ value, onChange, error, disabled }: LogoFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const choose = async (file: File | undefined) => {
    if (file === undefined) return;
    if (file.size > limits.LOGO_MAX_BYTES) {
      toasts.error(messages.LOGO_TOO_BIG);
      return;
    }
    try {
      onChange(await readDataUrl(file));
    } catch {
      toasts.error(messages.UPLOAD_FAILED);
    }
  };
  return (
    <FormField label="Logo" error={error} helperText={messages.LOGO_HINT} disabled={disabled}>
      {(field) => (
        <div className={styles['logo']}>
          {value === null ? (
            <span className="quiet">No logo</span>
          ) : (
            <Preview key={value} picture={value} />
          )}
          <input
            {...field}
            ref={input}
            type="file"
            className="visually-hidden"
            tabIndex={-1}
            accept="image/png,image/jpeg,image/gif,image/bmp,image/webp,image/tiff"
            disabled={disabled}
            onChange={({ currentTarget }) => {
              void choose(currentTarget.files?.[0]);
              currentTarget.value = '';
            }}
          />
          <Button
            size="small"
            variant="outlined"
            disabled={disabled}
            onClick={() => input.current?.click()}
          >
            Choose Picture
          </Button>
          {value === null ? null : (
            <Button
              size="small"
              variant="minimal"
              disabled={disabled}
              onClick={() => onChange(null)}
            >
              Remove
            </Button>
          )}
        </div>
      )}
    </FormField>
  );
}
