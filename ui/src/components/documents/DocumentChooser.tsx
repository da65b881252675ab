import { useRef } from 'react';

import { ActButton } from '../ActButton';
import { UploadIcon } from '../icons';
import { DOCUMENT_KINDS } from './documentFiles';

interface DocumentChooserProps {
  label: string;
  /** Whether chosen files are being uploaded. */
  isRunning?: boolean;
  className?: string | undefined;
  onChoose: (files: readonly File[]) => void;
}

/** A button to choose documents. */
export function DocumentChooser({ label, onChoose, ...props }: DocumentChooserProps) {
  const chooser = useRef<HTMLInputElement>(null);
  return (
    <>
      <ActButton
        {...props}
        size="small"
        variant="outlined"
        icon={<UploadIcon />}
        onClick={() => chooser.current?.click()}
      >
        {label}
      </ActButton>
      <input
        ref={chooser}
        type="file"
        multiple
        hidden
        aria-label="Document"
        accept={DOCUMENT_KINDS}
        onChange={(event) => {
          // Copied, because the next line empties the list.
          onChoose([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
    </>
  );
}
