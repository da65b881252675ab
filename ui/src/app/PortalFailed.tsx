import { Button, NonIdealState } from '@blueprintjs/core';

import { ChevronLeftIcon, RefreshIcon, WarningSignIcon } from '../components/icons';
import { useBack } from '../components/useBack';

export const FAILED_TITLE = 'This screen has failed';
const DESCRIPTION = 'The rest of the portal still works. Reload the page, or go back.';

/** The whole page, shown when even the sign-in page or the shell has failed. */
export function PortalFailed() {
  return (
    <main className="start-failed">
      <Failure title={FAILED_TITLE} />
    </main>
  );
}

/** The message and actions of a failed page. The error itself is never shown. */
export function Failure({ title }: { title?: string }) {
  const goBack = useBack();
  return (
    <div role="alert">
      <NonIdealState
        icon={<WarningSignIcon size={40} />}
        title={title}
        description={DESCRIPTION}
        action={
          <div className="failure-actions">
            <Button icon={<RefreshIcon />} intent="primary" onClick={() => location.reload()}>
              Reload
            </Button>
            <Button icon={<ChevronLeftIcon />} onClick={goBack}>
              Back
            </Button>
          </div>
        }
      />
    </div>
  );
}
