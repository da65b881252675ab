import { useEffect } from 'react';
import { createRoot } from 'react-dom/client';

import { limits, messages, say } from '../contract';
import { FormDialog } from './dialogs/FormDialog';

const WIDTH_PX = 400;
const SECONDS = limits.CRITICAL_ERROR_RELOAD_SECONDS;

interface CriticalDialogProps {
  reload: () => void;
}

/** Says that the page cannot go on, and reloads it (P 8). */
export function CriticalDialog({ reload }: CriticalDialogProps) {
  useEffect(() => {
    const timer = setTimeout(reload, SECONDS * 1_000);
    return () => clearTimeout(timer);
  }, [reload]);
  return (
    <FormDialog
      isOpen
      title={messages.CRITICAL_ERROR}
      width={WIDTH_PX}
      onClose={reload}
      onSubmit={reload}
      submitLabel="Reload now"
      closeLabel="Close"
    >
      {say(messages.CRITICAL_ERROR_TEXT, { seconds: SECONDS })}
    </FormDialog>
  );
}

let isShown = false;

/** Shows the dialog above whatever is on the page, once. */
export function showCriticalDialog(reload = () => location.reload()): void {
  if (isShown) return;
  isShown = true;
  const place = document.createElement('div');
  document.body.append(place);
  createRoot(place).render(<CriticalDialog reload={reload} />);
}
