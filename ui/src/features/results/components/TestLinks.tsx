import { Link } from 'react-router';

import type { ResultKind } from '../../../contract';
import { buildMatrix } from '../../../lib/matrix';
import { paths } from '../../../lib/paths';
import styles from './EntryTabs.module.css';

interface TestLinksProps {
  kind: ResultKind;
  entry: { orderId: number; tests: readonly { orderTestId: number; name: string }[] };
  selected: number;
}

/**
 * Links between the tests of a family in result entry, if it has several. As with any other link,
 * the portal asks before unsaved edits are lost.
 */
export function TestLinks({ kind, entry, selected }: TestLinksProps) {
  if (entry.tests.length < 2) return null;
  return (
    <nav aria-label="Tests" className={styles['tabs']}>
      {entry.tests.map(({ orderTestId, name }) => (
        <Link
          key={orderTestId}
          to={buildMatrix(paths.resultEntryOrder, { id: entry.orderId, kind, test: orderTestId })}
          replace
          aria-current={orderTestId === selected ? 'page' : undefined}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
