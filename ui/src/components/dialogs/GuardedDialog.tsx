import { useState } from 'react';

import { messages } from '../../contract';
import { ConfirmDialog } from './ConfirmDialog';
import { FormDialog, type FormDialogProps } from './FormDialog';

interface GuardedDialogProps extends FormDialogProps {
  /** Something was typed that closing would lose. */
  isDirty: boolean;
}

/** A dialog that asks before Escape or Close throws away what was typed. */
export function GuardedDialog({ isDirty, onClose, ...props }: GuardedDialogProps) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <FormDialog {...props} onClose={() => (isDirty ? setAsking(true) : onClose())} />
      <ConfirmDialog
        isOpen={asking}
        title="Unsaved changes"
        message={messages.UNSAVED_CHANGES}
        confirmLabel="Continue"
        intent="danger"
        onClose={() => setAsking(false)}
        onConfirm={onClose}
      />
    </>
  );
}
