import { useState } from 'react';

import { describeError, isStale } from '../../../../api';
import { ConfirmDialog } from '../../../../components/dialogs/ConfirmDialog';
import { toasts } from '../../../../components/toasts';
import { isRequisitionCode, useScanner } from '../../../../components/useScanner';
import { useWrite } from '../../../../components/useWrite';
import { limits, messages, say } from '../../../../contract';
import { isFutureCollection, receiveRequisitions, type ReceiveTarget } from '../../api';

type Received = Awaited<ReturnType<typeof receiveRequisitions>>;

function formatReceipts(receipts: Received): string {
  const [first] = receipts;
  if (receipts.length !== 1 || first === undefined) {
    return say(messages.REQUISITIONS_RECEIVED, { count: receipts.length });
  }
  const patient = `${first.patientLastName}, ${first.patientFirstName}`;
  return say(messages.REQUISITION_RECEIVED, { patient, code: first.orderCode });
}

/**
 * Shows one toast for one act, whatever the number of rows. It repeats the latest rejections,
 * because it replaces their toast.
 */
function showReceipts(receipts: Received, rejections: readonly string[]): void {
  if (rejections.length === 0) toasts.success(formatReceipts(receipts));
  else toasts.warning([formatReceipts(receipts), ...rejections], limits.UNDO_MS);
}

/** Remembers rejections for as long as their toasts would last. */
class Rejections {
  private items: { text: string; until: number }[] = [];

  add(text: string): void {
    this.items = [{ text, until: Date.now() + limits.UNDO_MS }, ...this.items];
  }

  /** Newest first. */
  list(): string[] {
    this.items = this.items.filter(({ until }) => until > Date.now());
    return [...new Set(this.items.map(({ text }) => text))];
  }
}

/** Names what was not received, since the next code may have been scanned by now. */
function formatRejection(target: ReceiveTarget, reason: string): string {
  if ('code' in target) return reason.includes(target.code) ? reason : `${target.code}: ${reason}`;
  const count = target.ids.length;
  return count === 1 ? reason : say(messages.REQUISITIONS_NOT_RECEIVED, { count, why: reason });
}

interface Question {
  message: string;
  target: ReceiveTarget;
  /** Why it is probably a mistake. A toast says so if the user cancels. */
  doubt?: string;
}

/**
 * Marks specimens received. This cannot be undone, so several at once need a confirmation, and so
 * do collection times in the future: render `question` for it. `onChanged` is called when the rows
 * of the grid are out of date. With `isReception`, a requisition's code that is scanned anywhere on
 * the screen is received.
 */
export function useReceiving(onChanged: () => void, isReception: boolean) {
  // The next code may be scanned before the portal has answered about an earlier one.
  const [questions, setQuestions] = useState<readonly Question[]>([]);
  const [rejections] = useState(() => new Rejections());
  const addQuestion = (question: Question) => setQuestions((earlier) => [...earlier, question]);
  const reject = (target: ReceiveTarget, reason: string) => {
    rejections.add(formatRejection(target, reason));
    toasts.error(rejections.list(), limits.UNDO_MS);
  };
  const { run, runAsync, isRunning } = useWrite({
    send: receiveRequisitions,
    onDone: (receipts) => {
      showReceipts(receipts, rejections.list());
      onChanged();
    },
    explain: (error, target: ReceiveTarget) => {
      const reason = describeError(error);
      if (isFutureCollection(error)) {
        const message = say(messages.CONFIRM_RECEIVE_EARLY, { why: reason });
        addQuestion({ message, target: { ...target, acceptsFuture: true }, doubt: reason });
        return true;
      }
      reject(target, reason);
      if (isStale(error)) onChanged();
      return true;
    },
  });
  useScanner((code) => run({ code, acceptsFuture: false }), {
    isActive: isReception,
    claims: isRequisitionCode,
  });
  const [current] = questions;
  // A scan while a question is open must not answer it, and is not lost.
  useScanner((code) => run({ code, acceptsFuture: false }), {
    isActive: current !== undefined,
    isInDialog: true,
  });
  const closeQuestion = () => setQuestions(questions.slice(1));
  const question = current ? (
    <ConfirmDialog
      key={current.message}
      isOpen
      title="Mark Received"
      message={current.message}
      confirmLabel="Receive"
      // The Enter of the next scan must not answer this.
      intent={current.doubt ? 'danger' : 'primary'}
      onConfirm={() => {
        closeQuestion();
        run(current.target);
      }}
      onClose={() => {
        closeQuestion();
        if (current.doubt) reject(current.target, current.doubt);
      }}
    />
  ) : null;
  return {
    isReceiving: isRunning,
    receiveRows: (ids: number[]) => {
      const target = { ids, acceptsFuture: false };
      if (ids.length === 1) run(target);
      else addQuestion({ message: say(messages.CONFIRM_RECEIVE, { count: ids.length }), target });
    },
    /** Resolves when the code was received or a question is open. */
    receiveCode: (code: string) =>
      runAsync({ code, acceptsFuture: false }).catch((error: unknown) => {
        if (!isFutureCollection(error)) throw error;
      }),
    question,
  };
}
