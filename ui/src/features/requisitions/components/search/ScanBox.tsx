import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

import { TextField } from '../../../../components/fields/TextField';
import { BarcodeIcon } from '../../../../components/icons';
import styles from './ScanBox.module.css';

interface ScanBoxProps {
  /** Resolves when the code was handled, and rejects after the failure was shown. */
  onScan: (code: string) => Promise<unknown>;
}

/** An input for a barcode scanner: a code and Enter. It accepts the next scan at once. */
export function ScanBox({ onScan }: ScanBoxProps) {
  const [code, setCode] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const isRejected = useRef(false);
  // A click would end the selection, and the next scan would go into the middle of the old code.
  useEffect(() => {
    const field = input.current;
    const selectRejected = () => {
      if (isRejected.current) field?.select();
      isRejected.current = false;
    };
    field?.addEventListener('click', selectRejected);
    return () => field?.removeEventListener('click', selectRejected);
  }, []);
  const submit = async () => {
    const scannedCode = code.trim();
    if (scannedCode === '') return;
    setCode('');
    // The failure was shown as a toast. The code returns selected, so that the next scan replaces
    // it, unless another code was scanned meanwhile.
    isRejected.current = false;
    await onScan(scannedCode).catch(() => {
      flushSync(() => setCode((current) => current || scannedCode));
      input.current?.select();
      isRejected.current = input.current?.value === scannedCode;
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
        inputRef={input}
        upper
        value={code}
        onChange={setCode}
        placeholder="Scan to receive"
        leftElement={<BarcodeIcon className={styles['icon'] ?? ''} />}
      />
    </form>
  );
}
