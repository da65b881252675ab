import { Button, Classes, Dialog, DialogBody, DialogFooter, type Intent } from '@blueprintjs/core';
import {
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  type CSSProperties,
  type ReactNode,
  type RefObject,
} from 'react';

import { isSaveKey } from '../../lib/saveKey';
import { ActButton } from '../ActButton';
import { findFocusHome, focusHome, focusTitle, FOCUS_TRAP, hasUsefulFocus } from '../lostFocus';
import { useScreen } from '../useMedia';
import styles from './dialogs.module.css';

export interface FormDialogProps {
  isOpen: boolean;
  title: string;
  /** Pixels or a CSS width; on phones 90vw, or `phoneWidth` if given (O 9). */
  width: number | string;
  /** On phones, a height in pixels is ignored: the height follows the content. */
  height?: number | string | undefined;
  phoneWidth?: number | undefined;
  onClose: () => void;
  /** Without it there is no submit button, and Enter does nothing. */
  onSubmit?: (() => void) | undefined;
  submitLabel?: string | undefined;
  closeLabel?: string | undefined;
  intent?: Intent | undefined;
  submitDisabled?: boolean | undefined;
  busy?: boolean | undefined;
  /** Shown on the left of the footer. */
  extra?: ReactNode;
  /** Replaces the footer's buttons. */
  footer?: ReactNode;
  children?: ReactNode;
}

const FIELDS = 'input:not([type=hidden], [type=file], :disabled), select, textarea';
const INVALID_FIELD = '[aria-invalid="true"]';

const ACTIVE_CONTROLS = `${FIELDS}, [role="gridcell"], [role="menuitem"]`;

/** Whether the user is already typing or choosing, so that the focus must not move. */
export function isUserActive(container: HTMLElement | Document = document): boolean {
  const focusedElement = document.activeElement;
  return (
    focusedElement !== null &&
    focusedElement.matches(ACTIVE_CONTROLS) &&
    container.contains(focusedElement)
  );
}

/**
 * Whether a menu or dialog that contains neither element has the focus. It is newer, so it keeps
 * the focus.
 */
function isCoveredByOverlay(previous: Element, closingDialog: HTMLElement | null): boolean {
  const trap = document.activeElement?.matches(FOCUS_TRAP) ? document.activeElement : null;
  const overlay = trap?.parentElement ?? null;
  return overlay !== null && !overlay.contains(previous) && !overlay.contains(closingDialog);
}

/** The element that had the focus before a dialog opened. */
interface Opener {
  element: Element;
  /** The grid, list, or menu around the element; it gets the focus if the element is gone. */
  home: Element | null;
}

type OpenerRef = RefObject<Opener | null>;

/** The opener of a dialog that is being removed, for the dialog that takes its place. */
let orphan: OpenerRef | null = null;

/** Returns the opener of a dialog that opens now. */
function findOpener(): Opener | null {
  const { activeElement: element } = document;
  const earlierOpener = orphan?.current;
  if (orphan && earlierOpener && element === document.body) {
    orphan.current = null;
    return earlierOpener;
  }
  return element && { element, home: findFocusHome(element) };
}

/**
 * Restores the focus after a dialog has closed: to the previous element, or if that is gone or
 * disabled, to its grid or list, or else to the title. Leaves the focus alone if the user is already
 * working elsewhere.
 * @param closingDialog the dialog while it is still on the page
 */
function returnFocus(opener: OpenerRef, closingDialog: HTMLElement | null): void {
  const { current } = opener;
  opener.current = null;
  if (current === null || hasUsefulFocus(closingDialog)) return;
  const { element, home } = current;
  if (isCoveredByOverlay(element, closingDialog)) return;
  if (element instanceof HTMLElement) element.focus();
  if (!hasUsefulFocus(closingDialog) && home?.isConnected) focusHome(home);
  if (!hasUsefulFocus(closingDialog)) focusTitle();
}

/** Finds the first field. Of radio buttons, it is the chosen one, as with the Tab key. */
function findFirstField(dialog: HTMLElement): HTMLElement | null {
  const field = dialog.querySelector<HTMLElement>(FIELDS);
  if (!(field instanceof HTMLInputElement) || field.type !== 'radio') return field;
  const choices = dialog.querySelectorAll<HTMLInputElement>('input[type=radio]:checked');
  return [...choices].find(({ name }) => name === field.name) ?? field;
}

/**
 * Focuses the first field of a dialog, so that the user can type at once. Without a field it
 * focuses the main button, unless its action cannot be undone. A dialog opened on top keeps the
 * keyboard.
 */
function focusFirst(dialog: HTMLElement): void {
  const topDialog = document.activeElement?.closest('[role="dialog"]');
  const isBehind =
    topDialog && dialog.compareDocumentPosition(topDialog) === Node.DOCUMENT_POSITION_FOLLOWING;
  if (isBehind || isUserActive(dialog)) return;
  const buttons = dialog.querySelectorAll<HTMLElement>(
    `.${Classes.DIALOG_FOOTER_ACTIONS} button:not(:disabled, [aria-disabled], .${Classes.INTENT_DANGER})`,
  );
  (findFirstField(dialog) ?? [...buttons].at(-1))?.focus();
}

/**
 * Focuses the first field as soon as a dialog is drawn. If the field appears while the dialog fades
 * in, it gets the focus after the fade, unless the user has moved the focus.
 */
function useFirstFocus() {
  const frame = useRef(0);
  const firstFocus = useRef<Element | null>(null);
  return {
    onOpening: (dialog: HTMLElement) => {
      firstFocus.current = null;
      // In the next frame: the key that chose a menu item must not reach the field.
      frame.current = requestAnimationFrame(() => {
        focusFirst(dialog);
        firstFocus.current = document.activeElement;
      });
    },
    onOpened: (dialog: HTMLElement) => {
      // Without an animation, a dialog is open before the next frame.
      cancelAnimationFrame(frame.current);
      const { current } = firstFocus;
      if (!current?.isConnected || current === document.activeElement) focusFirst(dialog);
    },
  };
}

/** A dialog with the specified size. Enter submits, Ctrl+S saves; Escape and Close close it. */
export function FormDialog(props: FormDialogProps) {
  const screen = useScreen();
  const formId = useId();
  const form = useRef<HTMLFormElement>(null);
  const submit = useRef<HTMLButtonElement>(null);
  const { isOpen, busy = false } = props;
  const opener = useRef<Opener | null>(null);
  const firstFocus = useFirstFocus();
  useLayoutEffect(() => {
    if (isOpen) opener.current ??= findOpener();
  }, [isOpen]);
  useLayoutEffect(
    () => () => {
      // A dialog that is already closed has no opener to pass on.
      if (opener.current) orphan = opener;
    },
    [],
  );
  // A dialog that unmounts with its parent never reports that it closed.
  useEffect(
    () => () => {
      orphan = null;
      returnFocus(opener, null);
    },
    [],
  );
  // A rejected field gets the focus, unless the user is already working elsewhere.
  const wasBusy = useRef(false);
  useEffect(() => {
    const hasFinished = wasBusy.current && !busy;
    wasBusy.current = busy;
    const isOnButton = document.activeElement === submit.current;
    if (!hasFinished || (hasUsefulFocus() && !isOnButton)) return;
    form.current?.querySelector<HTMLElement>(INVALID_FIELD)?.focus();
    if (!hasUsefulFocus()) submit.current?.focus();
  }, [busy]);
  // Ctrl+S does not answer a question, and does nothing that cannot be undone.
  const canSave = isOpen && props.onSubmit !== undefined && props.intent !== 'danger';
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      const dialog = form.current?.closest('[role="dialog"]');
      if (!isSaveKey(event) || !dialog?.contains(document.activeElement)) return;
      if (!form.current?.querySelector(FIELDS)) return;
      event.preventDefault();
      if (!event.repeat) form.current.requestSubmit();
    };
    if (canSave) document.addEventListener('keydown', handleKey);
    return () => document.removeEventListener('keydown', handleKey);
  }, [canSave]);
  const isPhone = screen === 'phone';
  const style: CSSProperties = {
    width: isPhone ? (props.phoneWidth ?? '90vw') : props.width,
    maxWidth: '96vw',
    maxHeight: '90vh',
  };
  if (props.height !== undefined && !(isPhone && typeof props.height === 'number')) {
    style.height = props.height;
  }
  const buttons = props.footer ?? (
    <>
      <Button onClick={props.onClose}>{props.closeLabel ?? 'Close'}</Button>
      {props.onSubmit ? (
        <ActButton
          ref={submit}
          type="submit"
          form={formId}
          intent={props.intent ?? 'primary'}
          isRunning={busy}
          disabled={props.submitDisabled ?? false}
        >
          {props.submitLabel ?? 'Save'}
        </ActButton>
      ) : null}
    </>
  );
  return (
    <Dialog
      isOpen={isOpen}
      onClose={props.onClose}
      {...firstFocus}
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
            // React events bubble from a dialog to the page's form, which must not be submitted.
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
