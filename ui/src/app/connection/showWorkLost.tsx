import { BlueprintProvider } from '@blueprintjs/core';
import { createRoot } from 'react-dom/client';

import { FormDialog } from '../../components/dialogs/FormDialog';
import { messages } from '../../contract';

/** Tells the user that a crash has lost unsaved changes; resolves when the dialog is closed. */
export function showWorkLost(): Promise<void> {
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  return new Promise((resolve) => {
    const close = () => {
      root.unmount();
      place.remove();
      resolve();
    };
    root.render(
      <BlueprintProvider>
        <FormDialog isOpen title="Changes were lost" width={420} onClose={close}>
          {messages.WORK_LOST}
        </FormDialog>
      </BlueprintProvider>,
    );
  });
}
