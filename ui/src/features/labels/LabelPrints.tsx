import { useQuery } from '@tanstack/react-query';

import { messages, say } from '../../contract';
import { formatInstant } from '../../lib/instants';
import { labelPrintsQuery, type LabelPrint } from './api';
import styles from './labels.module.css';

const STATES: Record<LabelPrint['state'], string> = {
  started: messages.LABEL_PRINT_STARTED,
  confirmed: messages.LABEL_PRINT_CONFIRMED,
  sent: messages.LABEL_PRINT_SENT,
  failed: messages.LABEL_PRINT_FAILED,
  stopped: messages.LABEL_PRINT_STOPPED,
};

/** Who printed the labels of a requisition before, where and when. */
export function LabelPrints({ requisitionId }: { requisitionId: number }) {
  const prints = useQuery(labelPrintsQuery(requisitionId));
  if (!prints.data?.length) return null;
  return (
    <details className={styles['prints']}>
      <summary>{say(messages.LABEL_PRINTS, { count: prints.data.length })}</summary>
      <ul>
        {prints.data.map((print) => (
          <li key={print.createdAt}>
            {formatInstant(print.createdAt)}, {print.printedByName}, {print.printer}
            {print.workstation ? ` at ${print.workstation}` : ''}: {STATES[print.state]}
          </li>
        ))}
      </ul>
    </details>
  );
}
