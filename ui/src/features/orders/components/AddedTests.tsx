import { formatTimestamp } from '../../../lib/dates';
import type { Order } from '../api';
import styles from './orders.module.css';

/** The tests that rules of the lab added to an order, each with the result that led to it. */
export function AddedTests({ order }: { order: Order }) {
  if (order.addedTests.length === 0) return null;
  return (
    <section aria-label="Added Tests" className={styles['comment']}>
      <strong>Added Tests</strong>
      <ul>
        {order.addedTests.map((test) => (
          <li key={test.name}>
            {[`${test.name}: ${test.because}`, formatTimestamp(test.addedAt), test.addedBy]
              .filter(Boolean)
              .join(' · ')}
          </li>
        ))}
      </ul>
    </section>
  );
}
