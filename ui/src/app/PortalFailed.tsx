import { Button, NonIdealState } from '@blueprintjs/core';

import { ChevronLeftIcon, RefreshIcon, WarningSignIcon } from '../components/icons';
import { useBack } from '../components/useBack';

export const FAILED_TITLE = 'This screen has failed';
const FAILED = 'The rest of the portal still works. Reload the page, or go back.';

/** The whole page, when even the sign-in or the shell has failed. */
export function PortalFailed() {
  return (
    <main className="start-failed">
      <Failure title={FAILED_TITLE} />
    </main>
  );
}

/** What a failed page can do, and nothing of why it failed. */
export function Failure({ title }: { title?: string }) {
  const leave = useBack();
  return (
    <div role="alert">
      <NonIdealState
        icon={<WarningSignIcon size={40} />}
        title={title}
        description={FAILED}
        action={
          <div className="failure-actions">
            <Button icon={<RefreshIcon />} intent="primary" onClick={() => location.reload()}>
              Reload
            </Button>
            <Button icon={<ChevronLeftIcon />} onClick={leave}>
              Back
            </Button>
          </div>
        }
      />
    </div>
  );
}
