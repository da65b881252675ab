import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';

import { useLiveChanges, useProfile } from '../../../api';
import { useReloadSoon } from '../../../components/useReloadSoon';
import { mayEver, type Act } from '../../../contract';
import { buildMatrix } from '../../../lib/matrix';
import { paths } from '../../../lib/paths';
import { useResultEntryPermissions } from '../../settings/api';
import { waitingQuery, type WaitingCount } from '../api';
import styles from './WaitingStrip.module.css';

interface Kind {
  kind: WaitingCount['kind'];
  act: Act;
  label: string;
}

/**
 * All kinds of counts, in the order of the cards; the portal's rules decide who sees which.
 */
const KINDS: readonly Kind[] = [
  { kind: 'critical', act: 'openCriticalResults', label: 'critical results' },
  { kind: 'alerts', act: 'countAlerts', label: 'unread alerts' },
  { kind: 'toSign', act: 'countToSign', label: 'to sign' },
  { kind: 'toCollect', act: 'countToCollect', label: 'to collect today' },
  { kind: 'toRecollect', act: 'countToCollect', label: 'to collect again' },
  { kind: 'toReceive', act: 'countToReceive', label: 'to receive' },
  { kind: 'cameIn', act: 'countCameIn', label: 'came in, no results yet' },
];

/** The filters of a count that are either on or off. */
const FLAGS = ['awaitsCollection', 'alertResults', 'unread', 'unreadByPhysician'] as const;

const numberFormat = new Intl.NumberFormat('en-US');

/** Calls `reload` after changes by others, once for all changes within a short time. */
function useLiveReload(reload: () => unknown): void {
  const reloadSoon = useReloadSoon(reload);
  useLiveChanges('requisition', reloadSoon);
  useLiveChanges('order', reloadSoon);
}

/** Counts of the work that waits for the user, each a link to its search. */
export function WaitingStrip() {
  const { role } = useProfile();
  const kinds = KINDS.filter(({ act }) => mayEver(act, role));
  return kinds.length === 0 ? null : <Strip kinds={kinds} />;
}

function Strip({ kinds }: { kinds: readonly Kind[] }) {
  const { data, isError, refetch } = useQuery(waitingQuery);
  useLiveReload(refetch);
  return (
    <nav aria-label="Waiting for you" className={styles['strip']}>
      {kinds.map(({ kind, label }) => {
        const waitingCount = data?.find((row) => row.kind === kind);
        return waitingCount ? (
          <Card key={kind} label={label} waitingCount={waitingCount} />
        ) : (
          <div key={kind} className={styles['card']}>
            <span className={styles['count']}>
              {isError ? '–' : <span className="bp6-skeleton">00</span>}
            </span>
            {label}
          </div>
        );
      })}
    </nav>
  );
}

function Card({ label, waitingCount }: { label: string; waitingCount: WaitingCount }) {
  const { canEnter } = useResultEntryPermissions();
  const { count, isCapped, startDate, endDate, status, signature } = waitingCount;
  const flags = Object.fromEntries(FLAGS.map((name) => [name, waitingCount[name] ? 'true' : null]));
  const searchPaths: Record<WaitingCount['searched'], string> = {
    criticalResults: paths.criticalResults,
    orders: canEnter ? paths.resultEntry : paths.home,
    requisitions: paths.requisitionSearch,
  };
  return (
    <Link
      className={styles['card'] ?? ''}
      to={buildMatrix(searchPaths[waitingCount.searched], {
        startDate,
        endDate,
        status,
        signature,
        ...flags,
      })}
    >
      <span className={styles['count']} data-empty={count === 0}>
        {numberFormat.format(count)}
        {isCapped ? '+' : ''}
      </span>{' '}
      {label}
    </Link>
  );
}
