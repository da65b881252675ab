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

/** Blueprint gives the focus back when its closing is over: after this long, or later if busy. */
const RETURN_MS = 350;
const RETURN_TRIES = 6;
const FIELDS = 'input:not([type=hidden], [type=file], :disabled), select, textarea';
const IN_ERROR = '[aria-invalid="true"]';

const IN_USE = `${FIELDS}, [role="gridcell"], [role="menuitem"]`;

/** Whether somebody is typing or choosing already, and is not to be pulled elsewhere. */
export function isAtWork(within: HTMLElement | Document = document): boolean {
  const focused = document.activeElement;
  return focused !== null && focused.matches(IN_USE) && within.contains(focused);
}

/** Whether the keyboard has a place: what is disabled or removed leaves the focus to the page. */
const isSomewhere = (): boolean => document.activeElement !== document.body;

/**
 * Gives the keyboard a place once a dialog has closed. A dialog that goes with its parent's state is
 * gone before Blueprint can do so.
 *
 * @param last what had the focus when it began to close; on a busy machine it may be there still
 */
function returnFocus(opener: Element | null, last: Element | null, tries = RETURN_TRIES): void {
  setTimeout(() => {
    const isClosing = last !== opener && last === document.activeElement;
    if (isClosing && last?.closest('[role="dialog"]') && tries > 1) {
      returnFocus(opener, last, tries - 1);
      return;
    }
    if (isSomewhere()) return;
    if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    // It may be gone or disabled by now; the keyboard goes on from the title.
    if (!isSomewhere()) focusTitle();
  }, RETURN_MS);
}

/**
 * The first field of a dialog has the focus, so that a person can type at once; where there is
 * none, its main button, but never one that can not be undone.
 */
function focusFirst(dialog: HTMLElement): void {
  if (isAtWork(dialog)) return;
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
  useLayoutEffect(() => {
    if (!isOpen) return;
    const opener = document.activeElement;
    return () => returnFocus(opener, document.activeElement);
  }, [isOpen]);
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
