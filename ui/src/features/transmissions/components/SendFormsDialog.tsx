import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { ApiError, describe } from '../../../api';
import { FormDialog } from '../../../components/dialogs/FormDialog';
import { MaskedField, TextField } from '../../../components/fields/TextField';
import { toasts } from '../../../components/toasts';
import { useWrite } from '../../../components/useWrite';
import { destinationError } from '../../../lib/destination';
import { applyMask, digitsOf, masks } from '../../../lib/mask';
import { limits, messages } from '../../../contract';
import { refreshSent, sendForms, type SendKind } from '../api';

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
  const fax = kind === 'FAX';

  const sending = useWrite({
    send: (to: string, key) => sendForms(ids, kind, to, key),
    onDone: () => {
      toasts.success(fax ? messages.FAX_SENT : messages.EMAIL_SENT);
      refreshSent(queries);
      onClose();
    },
    explain: (failure) => {
      if (failure instanceof ApiError && EXPLAINED.includes(failure.status)) {
        setError(describe(failure));
      } else {
        toasts.error(messages.SERVERS_TROUBLE);
      }
      return true;
    },
  });
  const send = () => {
    const wrong = destinationError(kind, typed);
    setError(wrong ?? undefined);
    if (wrong === null) sending.run(fax ? applyMask(typed, masks.phone) : typed.trim());
  };

  const field = {
    value: typed,
    error,
    required: true,
    onChange: (next: string) => {
      setTyped(fax ? digitsOf(next) : next);
      setError(undefined);
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
      busy={sending.isRunning}
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
