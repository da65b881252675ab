import { messages, say } from '../../contract';
import type { PrinterProblem, PrintRecord } from '../../device';

const PROBLEM_NAMES: Record<PrinterProblem, string> = {
  'paper-out': messages.PRINTER_PAPER_OUT,
  'ribbon-out': messages.PRINTER_RIBBON_OUT,
  'head-open': messages.PRINTER_HEAD_OPEN,
  paused: messages.PRINTER_PAUSED,
  jam: messages.PRINTER_JAM,
  offline: messages.PRINTER_OFFLINE,
  'queue-stopped': messages.PRINTER_QUEUE_STOPPED,
  'queue-closed': messages.PRINTER_QUEUE_CLOSED,
  'too-hot': messages.PRINTER_TOO_HOT,
  'too-cold': messages.PRINTER_TOO_COLD,
  error: messages.PRINTER_ERROR,
};

/** The problems in words, such as 'out of labels, paused'. */
export function describeProblems(problems: readonly PrinterProblem[]): string {
  return problems.map((problem) => PROBLEM_NAMES[problem]).join(', ');
}

export function isOver({ state }: PrintRecord): boolean {
  return state !== 'waiting' && state !== 'printing';
}

/** Why a print failed, and which of several labels were certainly printed. */
export function describeFailure({ error, labels, printed, unknown }: PrintRecord): string {
  const reason = error ?? '';
  if (labels === 1 || (printed === 0 && unknown === 0)) return reason;
  return say(messages.LABELS_FAILED, {
    reason,
    printed: describeRange(0, printed),
    unknown: describeRange(printed, printed + unknown),
    missing: describeRange(printed + unknown, labels),
  });
}

/**
 * The labels from one index up to another, counted from 1: 'label 3', 'labels 4-11', or 'none'.
 * A number alone would be mistaken for a count.
 */
function describeRange(from: number, to: number): string {
  if (to <= from) return 'none';
  return to === from + 1 ? `label ${to}` : `labels ${from + 1}-${to}`;
}
