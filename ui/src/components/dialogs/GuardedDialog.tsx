import { useState } from 'react';

import { messages } from '../../contract';
import { ConfirmDialog } from './ConfirmDialog';
import { FormDialog, type FormDialogProps } from './FormDialog';

interface GuardedDialogProps extends FormDialogProps {
  /** Whether closing would lose typed content. */
  isDirty: boolean;
}

/** A dialog that asks before Escape or Close discards typed content. */
export function GuardedDialog({ isDirty, onClose, ...props }: GuardedDialogProps) {
  const [isConfirming, setIsConfirming] = useState(false);
  return (
    <>
      <FormDialog {...props} onClose={() => (isDirty ? setIsConfirming(true) : onClose())} />
      <ConfirmDialog
        isOpen={isConfirming}
        title="Unsaved changes"
        message={messages.UNSAVED_CHANGES}
        confirmLabel="Continue"
        intent="danger"
        onClose={() => setIsConfirming(false)}
        onConfirm={onClose}
      />
    </>
  );
}
