import { BlueprintProvider } from '@blueprintjs/core';
import { createRoot } from 'react-dom/client';

import { ConfirmDialog } from '../../components/dialogs/ConfirmDialog';

/** Asks whether to close the window; resolves to the answer. */
export function askBeforeClosing(question: string): Promise<boolean> {
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  return new Promise((resolve) => {
    const answer = (shouldClose: boolean) => {
      root.unmount();
      place.remove();
      resolve(shouldClose);
    };
    root.render(
      <BlueprintProvider>
        <ConfirmDialog
          isOpen
          title="Close this window"
          message={question}
          confirmLabel="Continue"
          intent="danger"
          onConfirm={() => answer(true)}
          onClose={() => answer(false)}
        />
      </BlueprintProvider>,
    );
  });
}
