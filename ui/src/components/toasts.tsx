import { Intent, OverlayToaster, Position, ProgressBar, type Toaster } from '@blueprintjs/core';
import { flushSync } from 'react-dom';

import { explainError } from '../api';
import { limits } from '../contract';
import { ErrorIcon, InfoSignIcon, TickCircleIcon, UndoIcon, WarningSignIcon } from './icons';

// Toasts appear at the bottom, away from the toolbar and the scan box.
let toaster: Promise<Toaster> | null = null;

const withToaster = (action: (toaster: Toaster) => void): void => {
  toaster ??= OverlayToaster.create({ position: Position.BOTTOM, maxToasts: 4 });
  // A toast replaces an earlier one with its key only after that one is rendered.
  void toaster.then((created) => flushSync(() => action(created)));
};

function show(message: string, intent: Intent, icon: React.JSX.Element, timeout: number): void {
  // The message is the key, so that repeating a message replaces its toast.
  withToaster((toaster) => toaster.show({ message, intent, icon, timeout }, message));
}

interface Progress {
  /** What is being prepared and how far it is: 'Requisitions, 25 of 100 ready'. */
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
  withToaster((toaster) =>
    toaster.show(
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

/** Short messages that disappear after three seconds (P 9). */
export const toasts = {
  success: (message: string) => show(message, Intent.SUCCESS, <TickCircleIcon />, limits.TOAST_MS),
  warning: (message: string, timeout: number = limits.TOAST_MS) =>
    show(message, Intent.WARNING, <WarningSignIcon />, timeout),
  error: (message: string, timeout: number = limits.TOAST_MS) =>
    show(message, Intent.DANGER, <ErrorIcon />, timeout),
  info: (message: string, timeout: number = limits.TOAST_MS) =>
    show(message, Intent.NONE, <InfoSignIcon />, timeout),
  /** Shows a long-running task until it is closed, one toast per key. */
  progress: showProgress,
  close: (key: string) => void toaster?.then((created) => created.dismiss(key)),
  /** Offers to undo a removal for a while. */
  undo: (message: string, onUndo: () => void) => {
    const action = { text: 'Undo', icon: <UndoIcon />, onClick: onUndo };
    const toast = { message, icon: <InfoSignIcon />, timeout: limits.UNDO_MS, action };
    withToaster((toaster) => toaster.show(toast, message));
  },
  /** Shows the sentence of P 8 for a failed request, unless its screen explains it. */
  failure: (error: unknown) => {
    const sentence = explainError(error);
    if (sentence !== null) toasts.error(sentence);
  },
};
