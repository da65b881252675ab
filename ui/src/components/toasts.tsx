import { Intent, ProgressBar, Toast, type ToastProps } from '@blueprintjs/core';
import { useEffect, useRef, useSyncExternalStore, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';

import { explainError } from '../api';
import { limits, messages } from '../contract';
import { ErrorIcon, InfoSignIcon, TickCircleIcon, UndoIcon, WarningSignIcon } from './icons';
import { findFocusHome, focusHome, focusTitle } from './lostFocus';
import { placeFreely } from './toastPlace';
import styles from './toasts.module.css';

interface ShownToast extends Omit<ToastProps, 'message'> {
  /** A new number makes a new toast, with its own timeout. */
  number: number;
  content: ReactNode;
}

/** A message, with the others that belong to the same act. */
interface Message extends Omit<ShownToast, 'content'> {
  lines: readonly string[];
}

/** Lets a dialog that opens with a toast be drawn before the toast is placed. */
const PLACE_AFTER_MS = 60;
const PLACE_EVERY_MS = 100;

// One toast at a time: a newer message replaces the earlier one, so that no two contradict each
// other; messages of the same act are shown together. The progress of a task returns after the
// message that covered it.
let message: Message | null = null;
/** Whether the act of the message is still running; its later messages are added to the toast. */
let isSameAct = false;
const tasks = new Map<string, ShownToast>();
let lastNumber = 0;
const listeners = new Set<() => void>();
let isRendered = false;

const getShown = (): Message | ShownToast | null => message ?? [...tasks.values()].at(-1) ?? null;

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

function publish(): void {
  if (!isRendered) {
    isRendered = true;
    const place = document.createElement('div');
    document.body.append(place);
    createRoot(place).render(<Toaster />);
  }
  for (const listener of listeners) listener();
}

/** One line, or several from the top. */
type Text = string | readonly string[];

function showMessage(text: Text, props: Omit<ToastProps, 'message'>): void {
  const texts = typeof text === 'string' ? [text] : text;
  const earlier = isSameAct ? message : null;
  message = {
    ...earlier,
    ...props,
    lines: [...(earlier?.lines.filter((line) => !texts.includes(line)) ?? []), ...texts],
    timeout: Math.max(earlier?.timeout ?? 0, props.timeout ?? 0),
    number: (lastNumber += 1),
  };
  isSameAct = true;
  queueMicrotask(() => (isSameAct = false));
  publish();
}

/** The element that had the focus before a toast; it gets the focus back from a closing toast. */
let previous: { element: Element; home: Element | null } | null = null;

function noteFocus({ target, currentTarget, relatedTarget }: FocusEvent): void {
  const isFromOutside = relatedTarget instanceof Element && target !== relatedTarget;
  if (!isFromOutside || (currentTarget as Element).contains(relatedTarget)) return;
  previous = { element: relatedTarget, home: findFocusHome(relatedTarget) };
}

/** Moves the focus from a toast that closes to where it was before, or else to the title. */
function leaveToast(toast: HTMLElement | null): void {
  if (!toast?.contains(document.activeElement)) return;
  const { element, home } = previous ?? {};
  previous = null;
  if (element?.isConnected && element instanceof HTMLElement) element.focus();
  else if (home?.isConnected) focusHome(home);
  if (toast.contains(document.activeElement)) focusTitle();
}

/** Removes what is shown; a newer toast stays. */
function dismiss(number: number): void {
  if (message?.number === number) message = null;
  for (const [key, task] of tasks) if (task.number === number) tasks.delete(key);
  publish();
}

function Toaster() {
  const shownToast = useSyncExternalStore(subscribe, getShown);
  const place = useRef<HTMLDivElement>(null);
  const number = shownToast?.number;
  useEffect(() => {
    const element = place.current;
    if (element === null || number === undefined) return;
    element.addEventListener('focusin', noteFocus);
    element.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || message?.number !== number) return;
      leaveToast(element);
      dismiss(number);
    });
    // jsdom has no layout.
    if (!('elementsFromPoint' in document)) return;
    element.style.visibility = 'hidden';
    const update = () => placeFreely(element);
    const first = setTimeout(update, PLACE_AFTER_MS);
    const timer = setInterval(update, PLACE_EVERY_MS);
    return () => {
      clearTimeout(first);
      clearInterval(timer);
    };
  }, [number]);
  if (shownToast === null) return null;
  const { number: key, ...props } = shownToast;
  const content =
    'lines' in shownToast
      ? shownToast.lines.map((line) => <div key={line}>{line}</div>)
      : shownToast.content;
  return (
    <div key={key} ref={place} className={styles['place']}>
      <Toast
        {...props}
        message={content}
        onDismiss={() => {
          leaveToast(place.current);
          dismiss(key);
        }}
      />
    </div>
  );
}

function show(text: Text, intent: Intent, icon: React.JSX.Element, timeout: number): void {
  showMessage(text, { intent, icon, timeout });
}

interface Progress {
  /** The document in preparation and its progress: 'Requisitions, 25 of 100 ready'. */
  message: string;
  /** 0 to 1. */
  value: number;
  onCancel: () => void;
}

function showProgress(key: string, progress: Progress): void {
  const content = (
    <div role="status">
      {progress.message}
      <ProgressBar value={progress.value} stripes={false} />
    </div>
  );
  tasks.set(key, {
    number: tasks.get(key)?.number ?? (lastNumber += 1),
    content,
    timeout: 0,
    isCloseButtonShown: false,
    action: { text: 'Cancel', onClick: progress.onCancel },
  });
  publish();
}

/** Short messages that disappear after three seconds (P 9), one at a time. */
export const toasts = {
  success: (text: Text) => show(text, Intent.SUCCESS, <TickCircleIcon />, limits.TOAST_MS),
  warning: (text: Text, timeout: number = limits.TOAST_MS) =>
    show(text, Intent.WARNING, <WarningSignIcon />, timeout),
  error: (text: Text, timeout: number = limits.TOAST_MS) =>
    show(text, Intent.DANGER, <ErrorIcon />, timeout),
  info: (text: Text, timeout: number = limits.TOAST_MS) =>
    show(text, Intent.NONE, <InfoSignIcon />, timeout),
  /** Shows a long-running task until it is closed. */
  progress: showProgress,
  /** Closes the progress with this key, or the message with this text. */
  close: (key: string) => {
    tasks.delete(key);
    if (message?.lines.includes(key)) message = null;
    publish();
  },
  /** Offers to undo a removal for a while. */
  undo: (text: string, onUndo: () => void) =>
    showMessage(text, {
      icon: <InfoSignIcon />,
      timeout: limits.UNDO_MS,
      action: { text: 'Undo', icon: <UndoIcon />, onClick: onUndo },
    }),
  /**
   * Shows the sentence of P 8 for a failed request, unless its screen explains it. A document that
   * is not available is a warning (R 8).
   */
  failure: (error: unknown, explain: (error: unknown) => string | null = explainError) => {
    const sentence = explain(error);
    if (sentence === messages.DOCUMENT_UNAVAILABLE) toasts.warning(sentence);
    else if (sentence !== null) toasts.error(sentence);
  },
};
