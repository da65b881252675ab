import { messages, say } from '../../../contract';
import type { ClinicalRow } from './api';
import styles from '../components/results.module.css';

/** Returns the tests by who released them, in the order of the rows. */
function groupByReleaser(rows: readonly ClinicalRow[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const { name, releasedBy } of rows) {
    if (releasedBy) groups.set(releasedBy, [...(groups.get(releasedBy) ?? []), name]);
  }
  return groups;
}

const describeReleaser = (person: string): string =>
  person === messages.AUTOVERIFICATION
    ? messages.RELEASED_BY_AUTOVERIFICATION
    : say(messages.RELEASED_BY, { person });

/** Who released which results; only the lab sees it. */
export function Releasers({ rows }: { rows: readonly ClinicalRow[] }) {
  const groups = [...groupByReleaser(rows)];
  if (groups.length === 0) return null;
  return (
    <ul className={styles['records']} aria-label="Released by">
      {groups.map(([person, names]) => (
        <li key={person}>
          {describeReleaser(person)}: {[...new Set(names)].join(', ')}
        </li>
      ))}
    </ul>
  );
}
