import { useState } from 'react';

import { ActButton } from '../../../components/ActButton';
import { ConfirmDialog } from '../../../components/dialogs/ConfirmDialog';
import { toasts } from '../../../components/toasts';
import { useWrite } from '../../../components/useWrite';
import { messages } from '../../../contract';
import { formatTimestamp } from '../../../lib/dates';
import { reinstateTests, type Order } from '../api';
import styles from './orders.module.css';

interface CancellationReasonsProps {
  order: Order;
  onChanged: () => void;
}

/** Why tests of an order were canceled, if any were (R 2.2). */
export function CancellationReasons({ order, onChanged }: CancellationReasonsProps) {
  const [isAsking, setIsAsking] = useState(false);
  const reinstateWrite = useWrite({
    send: (_: null, key) => reinstateTests(order, key),
    onDone: () => {
      toasts.success(messages.TESTS_REINSTATED);
      onChanged();
    },
    onStale: onChanged,
  });
  if (order.cancellationReasons.length === 0) return null;
  return (
    <section aria-label="Cancellation Reasons" className={styles['comment']}>
      <strong>Cancellation Reasons</strong>
      <ul>
        {order.cancellationReasons.map((reason) => (
          <li key={`${reason.name} ${reason.canceledAt} ${reason.tests.join()}`}>
            {[
              `${reason.name}: ${reason.tests.join(', ')}`,
              reason.words,
              formatTimestamp(reason.canceledAt),
              reason.canceledBy,
            ]
              .filter(Boolean)
              .join(' · ')}
          </li>
        ))}
      </ul>
      {order.canReinstate.allowed ? (
        <ActButton
          size="small"
          text="Reinstate Tests"
          isRunning={reinstateWrite.isRunning}
          onClick={() => setIsAsking(true)}
        />
      ) : null}
      <ConfirmDialog
        isOpen={isAsking}
        title="Reinstate Tests"
        message={messages.CONFIRM_REINSTATE}
        confirmLabel="Reinstate"
        onConfirm={() => {
          setIsAsking(false);
          reinstateWrite.run(null);
        }}
        onClose={() => setIsAsking(false)}
      />
    </section>
  );
}
