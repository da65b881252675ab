import { Button, NonIdealState } from '@blueprintjs/core';

import { RefreshIcon, WarningSignIcon } from '../components/icons';
import { messages } from '../contract';

/** Shown instead of the portal when the host does not respond. */
export function StartFailed({ onRetry }: { onRetry: () => void }) {
  return (
    <main className="start-failed" role="alert">
      <NonIdealState
        icon={<WarningSignIcon size={40} />}
        title={messages.NO_CONNECTION}
        action={
          <Button icon={<RefreshIcon />} intent="primary" onClick={onRetry}>
            Try again
          </Button>
        }
      />
    </main>
  );
}
