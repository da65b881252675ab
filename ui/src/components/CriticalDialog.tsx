import { useEffect } from 'react';

import { limits, messages, say } from '../contract';
import { FormDialog } from './dialogs/FormDialog';
import { showDialog } from './dialogs/showDialog';

const WIDTH_PX = 400;
const SECONDS = limits.CRITICAL_ERROR_RELOAD_SECONDS;

interface CriticalDialogProps {
  reload: () => void;
  onClose: () => void;
}

/** Says that the page has failed. Unless the user closes it, reloads the page later (P 8). */
export function CriticalDialog({ reload, onClose }: CriticalDialogProps) {
  useEffect(() => {
    const timer = setTimeout(reload, SECONDS * 1_000);
    return () => clearTimeout(timer);
  }, [reload]);
  return (
    <FormDialog
      isOpen
      title={messages.CRITICAL_ERROR}
      width={WIDTH_PX}
      onClose={onClose}
      onSubmit={reload}
      submitLabel="Reload now"
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
  showDialog((close) => (
    <CriticalDialog
      reload={reload}
      onClose={() => {
        isShown = false;
        close();
      }}
    />
  ));
}
