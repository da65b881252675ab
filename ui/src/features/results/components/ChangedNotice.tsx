import { Button, Callout } from '@blueprintjs/core';

import { messages, say } from '../../../contract';
import styles from './results.module.css';

interface ChangedNoticeProps {
  changes: readonly string[];
  onAccept: () => void;
}

const SHOWN_MAX = 5;

/** Names the results that changed while their order was open, wherever they are on the page. */
export function ChangedNotice({ changes, onAccept }: ChangedNoticeProps) {
  const rest = changes.length - SHOWN_MAX;
  const parts = changes.slice(0, SHOWN_MAX);
  if (rest > 0) parts.push(say(messages.RESULTS_CHANGED_MORE, { count: rest }));
  return (
    <div role="status">
      {parts.length === 0 ? null : (
        <Callout className={styles['notice']} intent="warning" compact>
          {say(messages.RESULTS_CHANGED, { changes: parts.join('; ') })}{' '}
          <Button size="small" onClick={onAccept}>
            OK
          </Button>
        </Callout>
      )}
    </div>
  );
}
