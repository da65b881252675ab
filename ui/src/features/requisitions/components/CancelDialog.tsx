import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import { describe, isStale, newIdempotencyKey, useProfile } from '../../../api';
import { FormDialog } from '../../../components/dialogs/FormDialog';
import { TextAreaField } from '../../../components/fields/TextField';
import { toasts } from '../../../components/toasts';
import { limits, messages } from '../../../contract';
import { cancelRequisition, type Requisition } from '../api';

interface CancelDialogProps {
  requisition: Requisition;
  comment: string;
  onComment: (comment: string) => void;
  onClose: () => void;
  onCanceled: (requisition: Requisition) => void;
  /** It changed since it was read; the person has been told. */
  onStale: () => void;
}

const MAX_LENGTH = 2_000;

/** Cancel Requisition: the comment is required (O 4). */
export function CancelDialog({ requisition, comment, onComment, ...props }: CancelDialogProps) {
  const { username } = useProfile();
  const [error, setError] = useState<string | null>(null);
  const [key] = useState(newIdempotencyKey);
  const canceling = useMutation({
    mutationFn: () => cancelRequisition(requisition, comment.trim(), username, key),
    meta: { quiet: true },
    onSuccess: (canceled) => {
      toasts.success(messages.REQUISITION_CANCELED);
      props.onCanceled(canceled);
    },
    onError: (failure) => {
      toasts.error(describe(failure));
      if (isStale(failure)) props.onStale();
    },
  });
  return (
    <FormDialog
      isOpen
      title="Cancel Requisition"
      width={limits.DIALOG_SIGNATURE_WIDTH_PX}
      onClose={props.onClose}
      onSubmit={() => {
        if (comment.trim() === '') setError(messages.CANCEL_COMMENT_REQUIRED);
        else canceling.mutate();
      }}
      submitLabel="Cancel Requisition"
      intent="danger"
      busy={canceling.isPending}
    >
      <TextAreaField
        label="Comment"
        required
        maxLength={MAX_LENGTH}
        value={comment}
        error={error ?? undefined}
        onChange={(text) => {
          onComment(text);
          setError(null);
        }}
      />
    </FormDialog>
  );
}
