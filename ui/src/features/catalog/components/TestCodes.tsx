import { useId, useState } from 'react';

import styles from './TestCodes.module.css';

const SHOWN_CODES = 3;
/** With more letters than this, the third code needs a wider column. */
const SHORT_TEXT_MAX = 14;

interface TestCodesProps {
  codes: readonly string[];
  /** The names of the same tests, in the same order. */
  names: readonly string[];
}

const describeTests = ({ codes, names }: TestCodesProps): string[] =>
  codes.map((code, index) => `${code} · ${names[index] ?? ''}`);

/**
 * The codes of a record's first tests, and the number of the other tests. A narrow column shows one
 * code fewer. A grid shows all tests with their names while the cell is hovered or has the focus.
 */
export function TestCodes({ codes, names }: TestCodesProps) {
  if (codes.length === 0) return names.join(', ');
  const hiddenCount = codes.length - SHOWN_CODES;
  const last = codes[SHOWN_CODES - 1];
  const isLong = codes.slice(0, SHOWN_CODES).join(', ').length > SHORT_TEXT_MAX;
  return (
    <span className={styles['codes']} data-tip={describeTests({ codes, names }).join('\n')}>
      <span className={styles['first']} data-long={isLong}>
        {codes.slice(0, SHOWN_CODES - 1).join(', ')}
        {last === undefined ? null : <span className={styles['last']}>, {last}</span>}
      </span>{' '}
      {last === undefined ? null : (
        <span className="quiet" data-long={isLong} data-narrow={`+${hiddenCount + 1}`}>
          <span className={styles['last']}>{hiddenCount > 0 ? `+${hiddenCount}` : null}</span>
        </span>
      )}
    </span>
  );
}

/** Like `TestCodes`, for a card: a button shows all tests with their names. */
export function AllTestCodes({ codes, names }: TestCodesProps) {
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const hiddenCount = codes.length - SHOWN_CODES;
  if (codes.length === 0) return names.join(', ');
  if (hiddenCount <= 0) return codes.join(', ');
  return (
    <>
      {isOpen ? null : `${codes.slice(0, SHOWN_CODES).join(', ')} `}
      <button
        type="button"
        className={styles['more']}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-label={isOpen ? 'Fewer tests' : `+${hiddenCount}: show all ${codes.length} tests`}
        onClick={() => setIsOpen(!isOpen)}
      >
        {isOpen ? 'Fewer' : `+${hiddenCount}`}
      </button>
      {isOpen ? (
        <ul id={id} className={styles['list']}>
          {describeTests({ codes, names }).map((test) => (
            <li key={test}>{test}</li>
          ))}
        </ul>
      ) : null}
    </>
  );
}
