import { Callout } from '@blueprintjs/core';

import { messages, Reopening, say } from '../../../contract';
import { formatTimestamp } from '../../../lib/dates';
import type { Order } from '../../orders/api';
import styles from './results.module.css';

const CHANGES = {
  [Reopening.RELEASE]: messages.REOPENED_BY_RELEASE,
  [Reopening.REVIEW]: messages.REOPENED_BY_REVIEW,
  [Reopening.WITHDRAWN]: messages.REOPENED_BY_WITHDRAWAL,
  [Reopening.RESTORED]: messages.REOPENED_BY_RESTORING,
  [Reopening.VERDICT]: messages.REOPENED_BY_VERDICT,
  [Reopening.COMMENT]: messages.REOPENED_BY_COMMENT,
};

/** Says what changed after the user had acknowledged the order (DECISIONS). */
export function ReopenedNotice({ order: { reopened } }: { order: Order }) {
  if (reopened === null) return null;
  return (
    <Callout className={styles['notice']} intent="warning" compact role="status">
      {say(messages.ORDER_REOPENED, {
        change: reopened.kind === null ? messages.REOPENED : CHANGES[reopened.kind],
        changed: formatTimestamp(reopened.changed),
        acknowledged: formatTimestamp(reopened.acknowledged),
      })}
    </Callout>
  );
}
