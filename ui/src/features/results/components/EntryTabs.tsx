import { Link } from 'react-router';

import type { ResultKind } from '../../../contract';
import { buildMatrix } from '../../../lib/matrix';
import { paths } from '../../../lib/paths';
import { families } from '../families';
import styles from './EntryTabs.module.css';

interface EntryTabsProps {
  orderId: number;
  kinds: readonly ResultKind[];
  selected: ResultKind;
}

/**
 * Links between the families of an order in result entry, if it has several. As with any other
 * link, the portal asks before unsaved results are lost.
 */
export function EntryTabs({ orderId, kinds, selected }: EntryTabsProps) {
  if (kinds.length < 2) return null;
  return (
    <nav aria-label="Kinds of results" className={styles['tabs']}>
      {kinds.map((kind) => (
        <Link
          key={kind}
          to={buildMatrix(paths.resultEntryOrder, { id: orderId, kind })}
          replace
          aria-current={kind === selected ? 'page' : undefined}
        >
          {families[kind].title}
        </Link>
      ))}
    </nav>
  );
}
