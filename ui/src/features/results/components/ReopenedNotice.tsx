import { Callout } from '@blueprintjs/core';

import { messages, say } from '../../../contract';
import { formatTimestamp } from '../../../lib/dates';
import type { Order } from '../../orders/api';
import styles from './results.module.css';

/** Says that results were released after the user had acknowledged the order (DECISIONS). */
export function ReopenedNotice({ order: { reopened } }: { order: Order }) {
  if (reopened === null) return null;
  return (
    <Callout className={styles['notice']} intent="warning" compact role="status">
      {say(messages.ORDER_REOPENED, {
        released: formatTimestamp(reopened.released),
        acknowledged: formatTimestamp(reopened.acknowledged),
      })}
    </Callout>
  );
}
