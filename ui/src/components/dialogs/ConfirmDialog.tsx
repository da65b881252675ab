import type { Intent } from '@blueprintjs/core';
import type { ReactNode } from 'react';

import { FormDialog } from './FormDialog';

interface ConfirmDialogProps {
  isOpen: boolean;
  title: string;
  message: ReactNode;
  confirmLabel?: string | undefined;
  cancelLabel?: string | undefined;
  intent?: Intent | undefined;
  onConfirm: () => void;
  onClose: () => void;
}

const WIDTH_PX = 420;

/** Asks a question with two answers. */
export function ConfirmDialog({
  confirmLabel = 'Yes',
  cancelLabel = 'Cancel',
  ...props
}: ConfirmDialogProps) {
  return (
    <FormDialog
      isOpen={props.isOpen}
      title={props.title}
      width={WIDTH_PX}
      onClose={props.onClose}
      onSubmit={props.onConfirm}
      submitLabel={confirmLabel}
      closeLabel={cancelLabel}
      intent={props.intent ?? 'primary'}
    >
      {props.message}
    </FormDialog>
  );
}
