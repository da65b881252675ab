import { useState } from 'react';

import { describe } from '../../../../api';
import { ConfirmDialog } from '../../../../components/dialogs/ConfirmDialog';
import { toasts } from '../../../../components/toasts';
import { useWrite } from '../../../../components/useWrite';
import { formatDateTime } from '../../../../lib/dates';
import { limits, messages, say } from '../../../../contract';
import { receiveRequisitions } from '../../api';

type What = { ids: number[] } | { code: string };
type Received = Awaited<ReturnType<typeof receiveRequisitions>>;

const receivedOf = (received: Received): string =>
  received.length === 1
    ? say(messages.REQUISITION_RECEIVED, { code: received[0]?.orderCode ?? '' })
    : say(messages.REQUISITIONS_RECEIVED, { count: received.length });

/** The tube is there: its requisition or the clock is wrong. Null where none is. */
function toComeOf(received: Received): string | null {
  const early = received.filter(({ collectionToCome }) => collectionToCome);
  const [first] = early;
  if (!first) return null;
  if (received.length === 1) {
    return say(messages.COLLECTION_TO_COME, { when: formatDateTime(first.collectionToCome) });
  }
  const codes = early.map(({ requisitionCode }) => requisitionCode).join(', ');
  return say(messages.COLLECTIONS_TO_COME, { codes });
}

/** One toast for one act, however many rows it took. */
function tellReceived(received: Received): void {
  const toCome = toComeOf(received);
  if (toCome === null) toasts.success(receivedOf(received));
  else toasts.warning(`${receivedOf(received)} ${toCome}`, limits.UNDO_MS);
}

/** Names what was not received: by now the next tube may have been scanned. */
function refusalOf(what: What, error: unknown): string {
  const why = describe(error);
  if ('code' in what) return why.includes(what.code) ? why : `${what.code}: ${why}`;
  const count = what.ids.length;
  return count === 1 ? why : say(messages.REQUISITIONS_NOT_RECEIVED, { count, why });
}

/**
 * Marks specimens received. Nobody can undo that, so more than one at once is asked about first;
 * render `question` for it. `onChanged`: rows are not what the grid shows any more.
 */
export function useReceiving(onChanged: () => void) {
  const [asked, setAsked] = useState<number[]>([]);
  const { run, runAsync, isRunning } = useWrite({
    send: receiveRequisitions,
    onDone: (received) => {
      tellReceived(received);
      onChanged();
    },
    explain: (error, what: What) => {
      toasts.error(refusalOf(what, error), limits.UNDO_MS);
      return true;
    },
    onStale: onChanged,
  });
  const question =
    asked.length === 0 ? null : (
      <ConfirmDialog
        isOpen
        title="Mark Received"
        message={say(messages.CONFIRM_RECEIVE, { count: asked.length })}
        confirmLabel="Receive"
        onConfirm={() => {
          setAsked([]);
          run({ ids: asked });
        }}
        onClose={() => setAsked([])}
      />
    );
  return {
    receiving: isRunning,
    receiveRows: (ids: number[]) => (ids.length > 1 ? setAsked(ids) : run({ ids })),
    receiveCode: (code: string) => runAsync({ code }),
    question,
  };
}
