import { Button } from '@blueprintjs/core';

import { useSession } from '../../../api';
import { messages } from '../../../contract';
import { EntryPage, EntrySubmit } from '../components/EntryPage';
import { useSecondFactorSetup } from '../components/useSecondFactorSetup';

/** Shown instead of every screen while the lab requires a second factor that the user lacks. */
export default function SecondFactorSetup() {
  const session = useSession();
  // The renewed profile says that the second factor is on, which opens the portal.
  const steps = useSecondFactorSetup(() => undefined);
  return (
    <EntryPage
      showsTitle
      title="Second factor"
      prompt={messages.SECOND_FACTOR_SETUP_REQUIRED}
      onSubmit={() => {
        if (!steps.isRunning) steps.submit();
        return Promise.resolve();
      }}
    >
      {steps.body}
      <EntrySubmit label={steps.submitLabel} isRunning={steps.isRunning} />
      <Button fill variant="outlined" onClick={() => void session.signOut('left')}>
        Logout
      </Button>
    </EntryPage>
  );
}
