import { Button, Classes, Dialog, DialogBody, DialogFooter, type Intent } from '@blueprintjs/core';
import {
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  type CSSProperties,
  type ReactNode,
} from 'react';

import { focusTitle } from '../PageToolbar';
import { useScreen } from '../useMedia';
import styles from './dialogs.module.css';

export interface FormDialogProps {
  isOpen: boolean;
  title: string;
  /** Pixels or a CSS width; dialogs on phones take 90vw unless `phoneWidth` says otherwise (O 9). */
  width: number | string;
  height?: number | string | undefined;
  phoneWidth?: number | undefined;
  onClose: () => void;
  /** Without it there is no submit button and Enter does nothing. */
  onSubmit?: (() => void) | undefined;
  submitLabel?: string | undefined;
  closeLabel?: string | undefined;
  intent?: Intent | undefined;
  submitDisabled?: boolean | undefined;
  busy?: boolean | undefined;
  /** Buttons on the left of the footer. */
  extra?: ReactNode;
  /** Replaces the footer's buttons. */
  footer?: ReactNode;
  children?: ReactNode;
}

const FIELDS = 'input:not([type=hidden], [type=file], :disabled), select, textarea';
const IN_ERROR = '[aria-invalid="true"]';

const IN_USE = `${FIELDS}, [role="gridcell"], [role="menuitem"]`;

/** Whether somebody is typing or choosing already, and is not to be pulled elsewhere. */
export function isAtWork(within: HTMLElement | Document = document): boolean {
  const focused = document.activeElement;
  return focused !== null && focused.matches(IN_USE) && within.contains(focused);
}

/** Blueprint keeps the focus in a dialog by nameless places at its ends: nobody works there. */
const TRAP = `.${Classes.OVERLAY_START_FOCUS_TRAP}, .${Classes.OVERLAY_END_FOCUS_TRAP}`;

/**
 * Whether the keyboard has a place: what is disabled or removed leaves the focus to the page, and
 * what is in a dialog that is `closing` goes with it.
 */
function isSomewhere(closing?: HTMLElement | null): boolean {
  const focused = document.activeElement;
  return focused !== null && !focused.matches(`body, ${TRAP}`) && !closing?.contains(focused);
}

/** Whether a menu or dialog was opened meanwhile that is to have the keys; `before` is not in it. */
function isOverlaid(before: Element, closing: HTMLElement | null): boolean {
  const trap = document.activeElement?.matches(TRAP) ? document.activeElement : null;
  const overlay = trap?.parentElement ?? null;
  return overlay !== null && !overlay.contains(before) && !overlay.contains(closing);
}

/**
 * Gives the keyboard a place once a dialog has closed: where it was before, or the title when that
 * is gone or disabled by now. Whoever is at work elsewhere already stays there.
 *
 * @param closing the dialog while it is still on the page
 */
function returnFocus(opener: { current: Element | null }, closing: HTMLElement | null): void {
  const { current: before } = opener;
  opener.current = null;
  if (before === null || isSomewhere(closing) || isOverlaid(before, closing)) return;
  if (before instanceof HTMLElement) before.focus();
  if (!isSomewhere(closing)) focusTitle();
}

/**
 * The first field of a dialog has the focus, so that a person can type at once; where there is
 * none, its main button, but never one that can not be undone. A dialog that was opened over it
 * meanwhile keeps the keyboard.
 */
function focusFirst(dialog: HTMLElement): void {
  const over = document.activeElement?.closest('[role="dialog"]');
  const isBelow = over && dialog.compareDocumentPosition(over) === Node.DOCUMENT_POSITION_FOLLOWING;
  if (isBelow || isAtWork(dialog)) return;
  const buttons = dialog.querySelectorAll<HTMLElement>(
    `.${Classes.DIALOG_FOOTER_ACTIONS} button:not(:disabled, .${Classes.INTENT_DANGER})`,
  );
  (dialog.querySelector<HTMLElement>(FIELDS) ?? [...buttons].at(-1))?.focus();
}

/** A dialog with the specification's size; Enter submits, Escape and Close leave it. */
export function FormDialog(props: FormDialogProps) {
  const screen = useScreen();
  const formId = useId();
  const form = useRef<HTMLFormElement>(null);
  const submit = useRef<HTMLButtonElement>(null);
  const { isOpen, busy = false } = props;
  // What had the focus before; null while there is nothing to give back.
  const opener = useRef<Element | null>(null);
  useLayoutEffect(() => {
    if (isOpen) opener.current ??= document.activeElement;
  }, [isOpen]);
  // A dialog that goes with its parent's state is gone without having closed.
  useEffect(() => () => returnFocus(opener, null), []);
  // While it works the button can not have the focus. Whoever pressed it goes on in the dialog.
  const wasBusy = useRef(false);
  useEffect(() => {
    const ended = wasBusy.current && !busy;
    wasBusy.current = busy;
    if (!ended || isSomewhere()) return;
    form.current?.querySelector<HTMLElement>(IN_ERROR)?.focus();
    if (!isSomewhere()) submit.current?.focus();
  }, [busy]);
  const phone = screen === 'phone';
  const style: CSSProperties = {
    width: phone ? (props.phoneWidth ?? '90vw') : props.width,
    maxWidth: '96vw',
    maxHeight: '92vh',
  };
  if (props.height !== undefined && !phone) style.height = props.height;
  const buttons = props.footer ?? (
    <>
      <Button onClick={props.onClose}>{props.closeLabel ?? 'Close'}</Button>
      {props.onSubmit ? (
        <Button
          ref={submit}
          type="submit"
          form={formId}
          intent={props.intent ?? 'primary'}
          loading={busy}
          disabled={props.submitDisabled ?? false}
        >
          {props.submitLabel ?? 'Save'}
        </Button>
      ) : null}
    </>
  );
  return (
    <Dialog
      isOpen={isOpen}
      onClose={props.onClose}
      onOpened={focusFirst}
      onClosed={(dialog) => returnFocus(opener, dialog)}
      shouldReturnFocusOnClose={false}
      title={props.title}
      style={style}
      className={styles['dialog']}
      canOutsideClickClose={false}
    >
      <DialogBody className={styles['body']}>
        <form
          ref={form}
          id={formId}
          noValidate
          className={styles['form']}
          onSubmit={(event) => {
            event.preventDefault();
            // A dialog is a portal in the page's tree: its submit must not reach the page's form.
            event.stopPropagation();
            if (!props.submitDisabled && !busy) props.onSubmit?.();
          }}
        >
          {props.children}
        </form>
      </DialogBody>
      <DialogFooter minimal actions={buttons} className={styles['footer']}>
        {props.extra}
      </DialogFooter>
    </Dialog>
  );
}
