import { Intent, OverlayToaster, Position, ProgressBar, type Toaster } from '@blueprintjs/core';
import { flushSync } from 'react-dom';

import { explain } from '../api';
import { limits } from '../contract';
import { ErrorIcon, InfoSignIcon, TickCircleIcon, UndoIcon, WarningSignIcon } from './icons';

// At the bottom: what a person works with next, the toolbar and the scan box, is at the top.
let toaster: Promise<Toaster> | null = null;

const onToaster = (show: (toaster: Toaster) => void): void => {
  toaster ??= OverlayToaster.create({ position: Position.BOTTOM, maxToasts: 4 });
  // A toast finds the former one of its key only once that is drawn.
  void toaster.then((it) => flushSync(() => show(it)));
};

function show(message: string, intent: Intent, icon: React.JSX.Element, timeout: number): void {
  // The same sentence twice is one toast: the key makes the second replace the first.
  onToaster((it) => it.show({ message, intent, icon, timeout }, message));
}

interface Progress {
  /** What is being made, and how far it is: 'Requisitions, 25 of 100 ready'. */
  message: string;
  /** 0 to 1. */
  value: number;
  onCancel: () => void;
}

function showProgress(key: string, { message, value, onCancel }: Progress): void {
  const content = (
    <div role="status">
      {message}
      <ProgressBar value={value} stripes={false} />
    </div>
  );
  onToaster((it) =>
    it.show(
      {
        message: content,
        timeout: 0,
        isCloseButtonShown: false,
        action: { text: 'Cancel', onClick: onCancel },
      },
      key,
    ),
  );
}

/** Short messages that leave by themselves after three seconds (P 9). */
export const toasts = {
  success: (message: string) => show(message, Intent.SUCCESS, <TickCircleIcon />, limits.TOAST_MS),
  warning: (message: string, timeout: number = limits.TOAST_MS) =>
    show(message, Intent.WARNING, <WarningSignIcon />, timeout),
  error: (message: string, timeout: number = limits.TOAST_MS) =>
    show(message, Intent.DANGER, <ErrorIcon />, timeout),
  info: (message: string, timeout: number = limits.TOAST_MS) =>
    show(message, Intent.NONE, <InfoSignIcon />, timeout),
  /** Something that takes a while; shown until it is closed. One for each key. */
  progress: showProgress,
  close: (key: string) => void toaster?.then((it) => it.dismiss(key)),
  /** Something was taken away and can be had back for a while. */
  undo: (message: string, onUndo: () => void) => {
    const action = { text: 'Undo', icon: <UndoIcon />, onClick: onUndo };
    const toast = { message, icon: <InfoSignIcon />, timeout: limits.UNDO_MS, action };
    onToaster((it) => it.show(toast, message));
  },
  /** The sentence of P 8 for a failed request; nothing when its screen has words of its own. */
  failure: (error: unknown) => {
    const sentence = explain(error);
    if (sentence !== null) toasts.error(sentence);
  },
};
