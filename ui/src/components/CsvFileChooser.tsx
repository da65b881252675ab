import { useRef } from 'react';

import { ActButton } from './ActButton';
import styles from './CsvFileChooser.module.css';
import { UploadIcon } from './icons';

interface CsvFileChooserProps {
  /** The name of the chosen file. */
  fileName: string | undefined;
  isRunning: boolean;
  disabled: boolean;
  onChoose: (file: File | undefined) => void;
}

/** A button that chooses a CSV file, and the file's name. */
export function CsvFileChooser({ fileName, isRunning, disabled, onChoose }: CsvFileChooserProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className={styles['chooser']}>
      <ActButton
        size="small"
        variant="outlined"
        icon={<UploadIcon />}
        isRunning={isRunning}
        disabled={disabled}
        onClick={() => input.current?.click()}
      >
        Choose File
      </ActButton>
      <span className={styles['name']}>{fileName ?? 'No file chosen'}</span>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="CSV file"
        accept=".csv,text/csv"
        onChange={({ currentTarget }) => {
          onChoose(currentTarget.files?.[0]);
          currentTarget.value = '';
        }}
      />
    </div>
  );
}
