import { useRef, useState } from 'react';

import { useProfile } from '../../../../api';
import { FormDialog } from '../../../../components/dialogs/FormDialog';
import { TextAreaField } from '../../../../components/fields/TextField';
import { toasts } from '../../../../components/toasts';
import { useWrite } from '../../../../components/useWrite';
import { limits, messages } from '../../../../contract';
import { cancelRequisition, type Requisition } from '../../api';

interface CancelDialogProps {
  requisition: Requisition;
  comment: string;
  onComment: (comment: string) => void;
  onClose: () => void;
  onCanceled: (requisition: Requisition) => void;
  /** Called when the requisition has changed since it was loaded, after the user was notified. */
  onStale: () => void;
}

const MAX_LENGTH = 2_000;

/** Cancels a requisition; the comment is required (O 4). */
export function CancelDialog({ requisition, comment, onComment, ...props }: CancelDialogProps) {
  const { username } = useProfile();
  const [error, setError] = useState<string | null>(null);
  const commentInput = useRef<HTMLTextAreaElement>(null);
  const cancelWrite = useWrite({
    send: (text: string, key) => cancelRequisition(requisition, text, username, key),
    onDone: (canceledRequisition) => {
      toasts.success(messages.REQUISITION_CANCELED);
      props.onCanceled(canceledRequisition);
    },
    onStale: props.onStale,
  });
  return (
    <FormDialog
      isOpen
      title="Cancel Requisition"
      width={limits.DIALOG_SIGNATURE_WIDTH_PX}
      onClose={props.onClose}
      onSubmit={() => {
        if (comment.trim() === '') {
          setError(messages.CANCEL_COMMENT_REQUIRED);
          commentInput.current?.focus();
        } else cancelWrite.run(comment.trim());
      }}
      submitLabel="Cancel Requisition"
      intent="danger"
      busy={cancelWrite.isRunning}
    >
      <TextAreaField
        label="Comment"
        required
        maxLength={MAX_LENGTH}
        inputRef={commentInput}
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
