import { Button, Menu, MenuItem } from '@blueprintjs/core';
import { useEffect, useRef, type JSX, type ReactNode, type RefObject } from 'react';

import { observeSize } from '../lib/observeSize';
import { showScreenTitle } from '../lib/pageTitle';
import { ActButton } from './ActButton';
import { CrossIcon, MoreIcon } from './icons';
import { useLostFocus } from './lostFocus';
import styles from './PageToolbar.module.css';
import { Popup } from './Popup';
import { useHidesOnScroll } from './useHidesOnScroll';
import { useScreen } from './useMedia';

/** One action of a screen. */
export interface PageAction {
  label: string;
  icon: JSX.Element;
  onClick: () => void;
  disabled?: boolean | undefined;
  /** Why it is disabled, shown as a tooltip; the button stays within reach of the keyboard. */
  reason?: string | undefined;
  intent?: 'primary' | 'success' | 'danger' | undefined;
  loading?: boolean | undefined;
  /** Whether the user's role lacks this action. */
  hidden?: boolean | undefined;
  /** Actions that replace one another have the same slot: one button, which keeps the focus. */
  slot?: string | undefined;
  /** Whether it is also a button on handhelds, and not only in the menu. */
  isAlwaysShown?: boolean | undefined;
}

interface PageToolbarProps {
  title: string;
  /** Beside the title: a status tag, a code. */
  badge?: ReactNode;
  actions?: readonly PageAction[];
  /** The patient of the screen; shown first and largest, and stays visible with the actions. */
  patient?: ReactNode | undefined;
  /** Whether the toolbar stays visible above a long form; by default, only with a patient. */
  sticky?: boolean;
  /** A lasting note below the actions, such as why nothing is stored; null for an empty line. */
  note?: string | null | undefined;
  /** Whether the menu of handhelds is beside the buttons, where it covers no field or result. */
  hasMenuInBar?: boolean;
  children?: ReactNode;
}

/**
 * A screen's title and actions: buttons on desktops, a floating speed dial on phones and tablets.
 * Sets the document title and focuses the heading when the screen opens.
 */
export function PageToolbar({ title, badge, actions = [], ...props }: PageToolbarProps) {
  const isHandheld = useScreen() !== 'desktop';
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    showScreenTitle(title);
  }, [title]);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
  }, []);
  const toolbar = useMeasuredHeight('--toolbar-height');
  // An act can disable its own button, and the focus would be lost.
  useLostFocus(
    toolbar,
    actions.some(({ loading }) => loading),
    () => heading.current?.focus({ preventScroll: true }),
  );
  const permittedActions = actions.filter((action) => !action.hidden);
  const visibleActions = isHandheld
    ? permittedActions.filter((action) => action.isAlwaysShown)
    : permittedActions;
  const menuActions = isHandheld ? permittedActions.filter((action) => !action.isAlwaysShown) : [];
  const menu =
    menuActions.length === 0 ? null : (
      <SpeedDial label={`${title} actions`} actions={menuActions} isInBar={props.hasMenuInBar} />
    );
  return (
    <div
      ref={toolbar}
      className={styles['toolbar']}
      data-sticky={props.sticky ?? Boolean(props.patient)}
      data-patient={Boolean(props.patient)}
    >
      {props.patient}
      <div className={styles['heading']}>
        <h1 ref={heading} tabIndex={-1} data-screen-title className={styles['title']}>
          {title}
        </h1>
        {badge}
      </div>
      <div className={styles['space']} />
      <div className={styles['controls']}>
        {/* Above a patient's record, the actions begin at the same place whatever else is shown. */}
        {props.patient ? null : props.children}
        {visibleActions.length > 0 ? (
          <div role="toolbar" aria-label={`${title} actions`} className={styles['actions']}>
            {visibleActions.map((action) => (
              <ActionButton key={action.slot ?? action.label} action={action} />
            ))}
          </div>
        ) : null}
        {props.patient ? props.children : null}
        {props.hasMenuInBar ? menu : null}
      </div>
      {props.hasMenuInBar ? null : menu}
      {props.note === undefined ? null : (
        <div role="status" className={styles['note']}>
          {props.note}
        </div>
      )}
    </div>
  );
}

/**
 * Writes the height of an element into a custom property of the page, for the content that scrolls
 * below it.
 */
function useMeasuredHeight(property: string): RefObject<HTMLDivElement | null> {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const root = document.documentElement;
    const toolbar = element.current;
    if (toolbar === null) return undefined;
    const stop = observeSize(toolbar, () =>
      root.style.setProperty(property, `${toolbar.offsetHeight}px`),
    );
    return () => {
      stop();
      root.style.removeProperty(property);
    };
  }, [property]);
  return element;
}

/** A button of the toolbar. */
export const ActionButton = ({ action }: { action: PageAction }) => (
  <ActButton
    icon={action.icon}
    intent={action.intent ?? 'none'}
    variant={action.intent ? 'solid' : 'outlined'}
    disabled={action.disabled ?? false}
    reason={action.reason}
    isRunning={action.loading ?? false}
    onClick={action.onClick}
  >
    {action.label}
  </ActButton>
);

interface SpeedDialProps {
  label: string;
  actions: readonly PageAction[];
  /** Whether the button has a fixed place instead of floating. */
  isInBar?: boolean | undefined;
}

/**
 * The text of a menu item. It includes the reason why it is disabled, since touch has no tooltips.
 */
function MenuItemText({ action }: { action: PageAction }) {
  if (!action.disabled || !action.reason) return action.label;
  return (
    <>
      {action.label}
      <div className="bp6-text-small">{action.reason}</div>
    </>
  );
}

/** The floating action menu of handhelds, hidden while the user scrolls down. */
export function SpeedDial({ label, actions, isInBar = false }: SpeedDialProps) {
  const isHidden = useHidesOnScroll();
  return (
    <div
      className={isInBar ? undefined : styles['dial']}
      data-hidden={(!isInBar && isHidden) || undefined}
    >
      <Popup
        placement={isInBar ? 'bottom-end' : 'top-end'}
        content={() => (
          <Menu size="large" style={{ maxWidth: 'min(360px, calc(100vw - 24px))' }}>
            {actions.map((action) => (
              <MenuItem
                key={action.label}
                text={<MenuItemText action={action} />}
                multiline
                icon={action.icon}
                disabled={action.disabled ?? false}
                intent={action.intent ?? 'none'}
                onClick={action.onClick}
              />
            ))}
          </Menu>
        )}
        renderTarget={({ isOpen, ref, ...target }) => (
          <Button
            {...target}
            ref={ref}
            {...(isInBar
              ? { variant: 'outlined' }
              : { className: styles['dialButton'], intent: 'primary', size: 'large' })}
            aria-label={label}
            aria-expanded={isOpen}
            icon={isOpen ? <CrossIcon /> : <MoreIcon />}
          />
        )}
      />
    </div>
  );
}
