import type { Wire } from '../../../contract';
import { formatTimestamp } from '../../../lib/dates';
import styles from './results.module.css';

type HoldRecord = Wire<'HoldRecord'>;

/** 'on hold 11/28/2026 09:10 AM · Una User · Control out of range'. */
const describePlacing = ({ everyOrder, placedAt, placedBy, reason, words }: HoldRecord): string =>
  [
    `on hold ${everyOrder ? 'in every order ' : ''}${formatTimestamp(placedAt)}`,
    placedBy,
    reason,
    words,
  ]
    .filter(Boolean)
    .join(' · ');

const describeLifting = ({ liftedAt, liftedBy, liftedWords }: HoldRecord): string =>
  [`lifted ${formatTimestamp(liftedAt)}`, liftedBy, liftedWords].filter(Boolean).join(' · ');

/** Who put tests of an order on hold, when, and why, and who lifted the holds; for the lab. */
export function HoldRecords({ records }: { records: readonly HoldRecord[] }) {
  if (records.length === 0) return null;
  return (
    <ul className={styles['records']} aria-label="Holds">
      {records.map((record) => (
        <li key={record.id}>
          {record.test}: {describePlacing(record)}
          {record.liftedAt === null ? null : `; ${describeLifting(record)}`}
        </li>
      ))}
    </ul>
  );
}
