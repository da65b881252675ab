import { useId } from 'react';

import type { Option } from '../fields/SelectField';
import styles from './filters.module.css';

interface CountedOption extends Option {
  /** The number of rows, as shown; undefined while it is unknown. */
  count?: string | undefined;
}

interface SegmentFieldProps {
  label: string;
  value: string;
  options: readonly CountedOption[];
  onChange: (value: string) => void;
}

/** A few choices on one line, each with the number of rows that it shows. */
export function SegmentField({ label, value, options, onChange }: SegmentFieldProps) {
  const id = useId();
  return (
    <div role="radiogroup" aria-label={label} className={styles['segment']}>
      {options.map((option) => (
        <label key={option.value} className={styles['option']}>
          <input
            type="radio"
            name={id}
            value={option.value}
            checked={option.value === value}
            aria-label={option.label}
            aria-describedby={`${id}-${option.value}`}
            onChange={() => onChange(option.value)}
          />
          <span>{option.label}</span>
          <span id={`${id}-${option.value}`} className={styles['count']}>
            {option.count}
          </span>
        </label>
      ))}
    </div>
  );
}
