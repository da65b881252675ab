import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { ApiError, describe, newIdempotencyKey } from '../../../api';
import { FormDialog } from '../../../components/dialogs/FormDialog';
import { MaskedField, TextField } from '../../../components/fields/TextField';
import { toasts } from '../../../components/toasts';
import { destinationError } from '../../../lib/destination';
import { applyMask, digitsOf, masks } from '../../../lib/mask';
import { limits, messages } from '../../../contract';
import { sendForms, sentKey, type SendKind } from '../api';

interface SendFormsDialogProps {
  kind: SendKind;
  /** The requisitions whose forms are sent, all or none. */
  ids: readonly number[];
  onClose: () => void;
}

const MAX_LENGTH = 320;
/** Refusals the person can do something about, or has to know: told where they are looking. */
const EXPLAINED: readonly number[] = [400, 404, 409, 424, 429];

/** Email Forms and Fax Forms: one address or number, for one or many (O 2.5, O 7 'Send'). */
export function SendFormsDialog({ kind, ids, onClose }: SendFormsDialogProps) {
  const queries = useQueryClient();
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string | undefined>();
  const [key, setKey] = useState(newIdempotencyKey);
  const fax = kind === 'FAX';

  const sending = useMutation({
    mutationFn: () => sendForms(ids, kind, fax ? applyMask(typed, masks.phone) : typed.trim(), key),
    meta: { quiet: true },
    onSuccess: () => {
      toasts.success(fax ? messages.FAX_SENT : messages.EMAIL_SENT);
      void queries.invalidateQueries({ queryKey: sentKey() });
      onClose();
    },
    onError: (failure) => {
      if (failure instanceof ApiError && EXPLAINED.includes(failure.status)) {
        setError(describe(failure));
      } else {
        toasts.error(messages.SERVERS_TROUBLE);
      }
    },
  });
  const send = () => {
    const wrong = destinationError(kind, typed);
    setError(wrong ?? undefined);
    if (wrong === null) sending.mutate();
  };

  const field = {
    value: typed,
    error,
    required: true,
    onChange: (next: string) => {
      setTyped(fax ? digitsOf(next) : next);
      setError(undefined);
      // Another address is another wish, not the same one once more.
      setKey(newIdempotencyKey());
    },
  };
  const [width, height] = limits.DIALOG_SEND_PX;
  return (
    <FormDialog
      isOpen
      title={fax ? 'Fax Forms' : 'Email Forms'}
      width={width}
      // Two lines of an explanation must not hide behind a scroll bar.
      height={error === undefined ? height : undefined}
      onClose={onClose}
      onSubmit={send}
      submitLabel="Send"
      busy={sending.isPending}
    >
      {fax ? (
        <MaskedField {...field} label="Fax" hideLabel mask={masks.phone} />
      ) : (
        <TextField
          {...field}
          label="Email"
          hideLabel
          maxLength={MAX_LENGTH}
          placeholder="name@facility.org"
        />
      )}
    </FormDialog>
  );
}
