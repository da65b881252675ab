import { useQuery } from '@tanstack/react-query';

import { describeError } from '../../../api';
import styles from '../../orders/components/orders.module.css';
import { sentQuery } from '../../transmissions/api';
import { SentList } from '../../transmissions/components/SentList';

/** The recipients of an order's results and their status; nothing until some were sent. */
export function SentResults({ orderId }: { orderId: number }) {
  const transmissions = useQuery(sentQuery('results', orderId));
  const hasSent = (transmissions.data ?? []).length > 0;
  if (!hasSent && !transmissions.isError) return null;
  return (
    <section
      aria-label="Sent Results"
      className={`${styles['fact']} ${styles['reading']} ${styles['documents']}`}
    >
      <h2>Sent Results</h2>
      <div className={styles['sent']}>
        {/* After a failure, the list itself would load again, in an endless loop. */}
        {hasSent ? <SentList content="results" id={orderId} /> : describeError(transmissions.error)}
      </div>
    </section>
  );
}
