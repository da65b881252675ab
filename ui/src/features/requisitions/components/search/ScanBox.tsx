import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';

import { TextField } from '../../../../components/fields/TextField';
import { BarcodeIcon } from '../../../../components/icons';
import styles from './ScanBox.module.css';

interface ScanBoxProps {
  /** Resolves when the code was dealt with; a failure has been shown already. */
  onScan: (code: string) => Promise<unknown>;
}

/** Takes a barcode scanner's keystrokes: a code and Enter. Ready for the next scan at once. */
export function ScanBox({ onScan }: ScanBoxProps) {
  const [code, setCode] = useState('');
  const box = useRef<HTMLInputElement>(null);
  const submit = async () => {
    const scanned = code.trim();
    if (scanned === '') return;
    setCode('');
    // The failure is a toast by now; the code comes back to be corrected, selected, so that the
    // next scan replaces it. What was scanned meanwhile stays.
    await onScan(scanned).catch(() => {
      flushSync(() => setCode((now) => now || scanned));
      box.current?.select();
    });
  };
  return (
    <form
      className={styles['scan']}
      aria-label="Receive by scanning"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <TextField
        label="Scan to receive"
        hideLabel
        inputRef={box}
        upper
        value={code}
        onChange={setCode}
        placeholder="Scan to receive"
        leftElement={<BarcodeIcon className={styles['icon'] ?? ''} />}
      />
    </form>
  );
}
