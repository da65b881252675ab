import { useState } from 'react';

import { describeError } from '../../../../api';
import { ConfirmDialog } from '../../../../components/dialogs/ConfirmDialog';
import { toasts } from '../../../../components/toasts';
import { useWrite } from '../../../../components/useWrite';
import { formatDateTime } from '../../../../lib/dates';
import { limits, messages, say } from '../../../../contract';
import { receiveRequisitions } from '../../api';

type ReceiveTarget = { ids: number[] } | { code: string };
type Received = Awaited<ReturnType<typeof receiveRequisitions>>;

function formatReceived(received: Received): string {
  const [first] = received;
  if (received.length !== 1 || first === undefined) {
    return say(messages.REQUISITIONS_RECEIVED, { count: received.length });
  }
  const patient = `${first.patientLastName}, ${first.patientFirstName}`;
  return say(messages.REQUISITION_RECEIVED, { patient, code: first.orderCode });
}

/**
 * Describes collection dates in the future: the requisition or the clock is wrong. Null without
 * any.
 */
function formatFutureCollections(received: Received): string | null {
  const early = received.filter(({ collectionToCome }) => collectionToCome);
  const [first] = early;
  if (!first) return null;
  if (received.length === 1) {
    return say(messages.COLLECTION_TO_COME, { when: formatDateTime(first.collectionToCome) });
  }
  const codes = early.map(({ requisitionCode }) => requisitionCode).join(', ');
  return say(messages.COLLECTIONS_TO_COME, { codes });
}

/**
 * Shows one toast for one act, whatever the number of rows. It repeats what was rejected just
 * before, whose toast it replaces.
 */
function showReceived(received: Received, rejections: readonly string[]): void {
  const warning = formatFutureCollections(received);
  const parts = [formatReceived(received), warning, ...rejections].filter((part) => part !== null);
  if (parts.length === 1) toasts.success(formatReceived(received));
  else toasts.warning(parts.join(' '), limits.UNDO_MS);
}

/** Remembers what was rejected as long as its toast would last. */
class Rejections {
  private items: { text: string; until: number }[] = [];

  add(text: string): void {
    this.items = [...this.items, { text, until: Date.now() + limits.UNDO_MS }];
  }

  list(): string[] {
    this.items = this.items.filter(({ until }) => until > Date.now());
    return [...new Set(this.items.map(({ text }) => text))];
  }
}

/** Names what was not received, since the next code may have been scanned by now. */
function formatRejection(target: ReceiveTarget, error: unknown): string {
  const reason = describeError(error);
  if ('code' in target) return reason.includes(target.code) ? reason : `${target.code}: ${reason}`;
  const count = target.ids.length;
  return count === 1 ? reason : say(messages.REQUISITIONS_NOT_RECEIVED, { count, why: reason });
}

/**
 * Marks specimens received. This cannot be undone, so several at once need a confirmation: render
 * `question` for it. `onChanged` is called when the rows of the grid are out of date.
 */
export function useReceiving(onChanged: () => void) {
  const [pendingIds, setPendingIds] = useState<number[]>([]);
  const [rejections] = useState(() => new Rejections());
  const { run, runAsync, isRunning } = useWrite({
    send: receiveRequisitions,
    onDone: (received) => {
      showReceived(received, rejections.list());
      onChanged();
    },
    explain: (error, target: ReceiveTarget) => {
      rejections.add(formatRejection(target, error));
      toasts.error(rejections.list().join(' '), limits.UNDO_MS);
      return true;
    },
    onStale: onChanged,
  });
  const question =
    pendingIds.length === 0 ? null : (
      <ConfirmDialog
        isOpen
        title="Mark Received"
        message={say(messages.CONFIRM_RECEIVE, { count: pendingIds.length })}
        confirmLabel="Receive"
        onConfirm={() => {
          setPendingIds([]);
          run({ ids: pendingIds });
        }}
        onClose={() => setPendingIds([])}
      />
    );
  return {
    isReceiving: isRunning,
    receiveRows: (ids: number[]) => (ids.length > 1 ? setPendingIds(ids) : run({ ids })),
    receiveCode: (code: string) => runAsync({ code }),
    question,
  };
}
