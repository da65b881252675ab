import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { ApiError, describeError } from '../../../api';
import { FormDialog } from '../../../components/dialogs/FormDialog';
import { MaskedField, TextField } from '../../../components/fields/TextField';
import { toasts } from '../../../components/toasts';
import { useWrite } from '../../../components/useWrite';
import { validateDestination } from '../../../lib/destination';
import { applyMask, extractDigits, masks } from '../../../lib/mask';
import { formatQuantity } from '../../../lib/quantities';
import { limits, messages } from '../../../contract';
import { refreshSent, send, type Content, type SendKind } from '../api';

interface SendFormsDialogProps {
  kind: SendKind;
  /** The requisitions whose forms, or orders whose results are sent, all or none. */
  ids: readonly number[];
  content?: Content;
  /** Whether the message says that the results are corrected. */
  isCorrection?: boolean;
  /** The address or number to begin with. */
  destination?: string | null;
  onClose: () => void;
}

const TITLES: Readonly<Record<Content, Readonly<Record<SendKind, string>>>> = {
  forms: { EMAIL: 'Email Forms', FAX: 'Fax Forms' },
  results: { EMAIL: 'Email Results', FAX: 'Fax Results' },
};

const NOUNS: Readonly<Record<Content, string>> = { forms: 'Requisition', results: 'Order' };

/** Returns the title; it says for how many records something is sent, if there are several. */
function formatTitle(content: Content, kind: SendKind, count: number): string {
  const title = TITLES[content][kind];
  return count > 1 ? `${title} of ${formatQuantity(count, NOUNS[content])}` : title;
}

const MAX_LENGTH = 320;
/** Failures that the user can correct or must know, explained in the dialog. */
const EXPLAINED: readonly number[] = [400, 404, 409, 424, 429];

/**
 * Email Forms, Fax Forms, Email Results, and Fax Results: one address or number, for one or more
 * requisitions or orders (O 2.5, O 7 'Send', R 7).
 */
export function SendFormsDialog({
  kind,
  ids,
  content = 'forms',
  isCorrection = false,
  destination: start = null,
  onClose,
}: SendFormsDialogProps) {
  const queries = useQueryClient();
  const [typedText, setTypedText] = useState(
    kind === 'FAX' ? extractDigits(start ?? '') : (start ?? ''),
  );
  const [error, setError] = useState<string | undefined>();
  const isFax = kind === 'FAX';

  const sendWrite = useWrite({
    send: (destination: string, key) =>
      send({ content, ids, kind, destination, isCorrection }, key),
    onDone: () => {
      toasts.success(isFax ? messages.FAX_SENT : messages.EMAIL_SENT);
      void refreshSent(queries);
      onClose();
    },
    explain: (failure) => {
      if (failure instanceof ApiError && EXPLAINED.includes(failure.status)) {
        setError(describeError(failure));
      } else {
        toasts.error(messages.SERVERS_TROUBLE);
      }
      return true;
    },
  });
  const submit = () => {
    const invalid = validateDestination(kind, typedText);
    setError(invalid ?? undefined);
    if (invalid === null)
      sendWrite.run(isFax ? applyMask(typedText, masks.phone) : typedText.trim());
  };

  const field = {
    value: typedText,
    error,
    required: true,
    onChange: (next: string) => {
      setTypedText(isFax ? extractDigits(next) : next);
      setError(undefined);
    },
  };
  const [width, height] = limits.DIALOG_SEND_PX;
  return (
    <FormDialog
      isOpen
      title={isCorrection ? 'Send Corrected Results' : formatTitle(content, kind, ids.length)}
      width={width}
      // Without a fixed height, an explanation of two lines needs no scroll bar.
      height={error === undefined ? height : undefined}
      onClose={onClose}
      onSubmit={submit}
      submitLabel="Send"
      busy={sendWrite.isRunning}
    >
      {isFax ? (
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
