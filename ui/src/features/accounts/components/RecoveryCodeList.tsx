import { Button } from '@blueprintjs/core';
import { useState } from 'react';

import { DuplicateIcon, TickIcon } from '../../../components/icons';
import { messages } from '../../../contract';
import styles from './settings.module.css';

/** New recovery codes, which are shown once. */
export function RecoveryCodeList({ codes }: { codes: readonly string[] }) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = () =>
    void navigator.clipboard.writeText(codes.join('\n')).then(
      () => setIsCopied(true),
      () => setIsCopied(false),
    );
  return (
    <>
      <p className={styles['text']}>{messages.SECOND_FACTOR_CODES_TIPS}</p>
      <ul className={styles['codes']} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div>
        <Button
          size="small"
          icon={isCopied ? <TickIcon /> : <DuplicateIcon />}
          aria-live="polite"
          onClick={copy}
        >
          {isCopied ? 'Copied' : 'Copy codes'}
        </Button>
      </div>
    </>
  );
}
