import { Tag } from '@blueprintjs/core';

import { formatTimestamp } from '../../../lib/dates';
import type { Order } from '../api';
import styles from './orders.module.css';

/** The tests that rules of the lab added to an order, each with the result that led to it. */
export function AddedTests({ order }: { order: Order }) {
  // A server of the previous release does not send them.
  const addedTests = (order.addedTests as Order['addedTests'] | undefined) ?? [];
  if (addedTests.length === 0) return null;
  return (
    <section aria-label="Added Tests" className={styles['comment']}>
      <strong>Added Tests</strong>
      <ul>
        {addedTests.map((test) => (
          <li key={test.name}>
            {test.name}
            {test.isCanceled ? (
              <>
                {' '}
                <Tag minimal>CANCELED</Tag>
              </>
            ) : null}
            {': '}
            <span className={test.isReasonGone ? styles['reasonGone'] : undefined}>
              {test.because}
            </span>{' '}
            <span className="quiet">
              {[`added ${formatTimestamp(test.addedAt)}`, test.addedBy].filter(Boolean).join(' · ')}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
