import { Intent, OverlayToaster, Position, type Toaster } from '@blueprintjs/core';

import { explain } from '../api';
import { limits } from '../contract';
import { ErrorIcon, InfoSignIcon, TickCircleIcon } from './icons';

// At the bottom: what a person works with next, the toolbar and the scan box, is at the top.
let toaster: Promise<Toaster> | null = null;

function show(message: string, intent: Intent, icon: React.JSX.Element, timeout: number): void {
  toaster ??= OverlayToaster.create({ position: Position.BOTTOM, maxToasts: 4 });
  // The same sentence twice is one toast: the key makes the second replace the first.
  void toaster.then((it) => it.show({ message, intent, icon, timeout }, message));
}

/** Short messages that leave by themselves after three seconds (P 9). */
export const toasts = {
  success: (message: string) => show(message, Intent.SUCCESS, <TickCircleIcon />, limits.TOAST_MS),
  error: (message: string) => show(message, Intent.DANGER, <ErrorIcon />, limits.TOAST_MS),
  info: (message: string, timeout: number = limits.TOAST_MS) =>
    show(message, Intent.NONE, <InfoSignIcon />, timeout),
  /** The sentence of P 8 for a failed request; nothing when its screen has words of its own. */
  failure: (error: unknown) => {
    const sentence = explain(error);
    if (sentence !== null) toasts.error(sentence);
  },
};
