import styles from './ChangeList.module.css';

interface ChangeListProps {
  changes: readonly { label: string; old: string; new: string }[];
  /** Whether the record is new, so that there are no earlier values. */
  isNew?: boolean;
}

/** 'High: 5.1 → 5.3', one line for each field. */
export function ChangeList({ changes, isNew = false }: ChangeListProps) {
  return (
    <ul className={styles['changes']}>
      {changes.map(({ label, old, new: value }) => (
        <li key={label}>
          <span className="quiet">{label}:</span>{' '}
          {isNew ? null : (
            <>
              <del>{old || 'none'}</del> →{' '}
            </>
          )}
          {value || 'none'}
        </li>
      ))}
    </ul>
  );
}
