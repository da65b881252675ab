import { Button, Menu, MenuItem, PopoverNext } from '@blueprintjs/core';
import { useEffect, useRef, type JSX, type ReactNode } from 'react';

import { CrossIcon, MoreIcon } from './icons';
import styles from './PageToolbar.module.css';
import { useScreen } from './useMedia';

/** One thing that can be done on a screen. */
export interface PageAction {
  label: string;
  icon: JSX.Element;
  onClick: () => void;
  disabled?: boolean | undefined;
  /** Why it is disabled: a tooltip. */
  reason?: string | undefined;
  intent?: 'primary' | 'success' | 'danger' | undefined;
  loading?: boolean | undefined;
  /** Not for this person. */
  hidden?: boolean | undefined;
  /** Stays a visible button on handhelds too. */
  always?: boolean | undefined;
}

interface PageToolbarProps {
  title: string;
  /** Beside the title: a status tag, a code. */
  badge?: ReactNode;
  actions?: readonly PageAction[];
  /** Stays in view above a long form. */
  sticky?: boolean;
  children?: ReactNode;
}

const LAB_SUFFIX = 'Lab Portal';

/**
 * A screen's title and its actions: buttons on a desktop, a floating speed-dial on phones and
 * tablets. Sets the document's title and takes the focus when the screen is entered.
 */
export function PageToolbar({ title, badge, actions = [], sticky, children }: PageToolbarProps) {
  const handheld = useScreen() !== 'desktop';
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${LAB_SUFFIX}`;
  }, [title]);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
  }, []);
  const shown = actions.filter((action) => !action.hidden);
  const visible = handheld ? shown.filter((action) => action.always) : shown;
  const dialled = handheld ? shown.filter((action) => !action.always) : [];
  return (
    <div className={styles['toolbar']} data-sticky={sticky}>
      <h1 ref={heading} tabIndex={-1} className={styles['title']}>
        {title}
      </h1>
      {badge}
      <div className={styles['space']} />
      {children}
      {visible.length > 0 ? (
        <div role="toolbar" aria-label={`${title} actions`} className={styles['actions']}>
          {visible.map((action) => (
            <ActionButton key={action.label} action={action} />
          ))}
        </div>
      ) : null}
      {dialled.length > 0 ? <SpeedDial label={`${title} actions`} actions={dialled} /> : null}
    </div>
  );
}

/** A button of the toolbar. While it works it can not have the focus, and gets it back after. */
function ActionButton({ action }: { action: PageAction }) {
  const button = useRef<HTMLButtonElement>(null);
  const loading = action.loading ?? false;
  const had = useRef(false);
  useEffect(() => {
    if (loading) had.current = true;
    else if (had.current) {
      had.current = false;
      if (document.activeElement === document.body) button.current?.focus();
    }
  }, [loading]);
  return (
    <Button
      ref={button}
      icon={action.icon}
      intent={action.intent ?? 'none'}
      variant={action.intent ? 'solid' : 'outlined'}
      disabled={action.disabled ?? false}
      title={action.disabled ? action.reason : undefined}
      loading={loading}
      onClick={action.onClick}
    >
      {action.label}
    </Button>
  );
}

/** Moves the focus to the screen's title, for when what had it is gone. */
export function focusTitle(): void {
  document.querySelector<HTMLElement>(`.${styles['title']}`)?.focus({ preventScroll: true });
}

interface SpeedDialProps {
  label: string;
  actions: readonly PageAction[];
}

/** An action of the menu, and why it can not be done: nobody can point at it with a finger. */
function DialText({ action }: { action: PageAction }) {
  if (!action.disabled || !action.reason) return action.label;
  return (
    <>
      {action.label}
      <div className="bp6-text-small">{action.reason}</div>
    </>
  );
}

/** The floating action menu of handhelds. */
export function SpeedDial({ label, actions }: SpeedDialProps) {
  return (
    <div className={styles['dial']}>
      <PopoverNext
        placement="top-end"
        content={
          <Menu size="large">
            {actions.map((action) => (
              <MenuItem
                key={action.label}
                text={<DialText action={action} />}
                icon={action.icon}
                disabled={action.disabled ?? false}
                intent={action.intent ?? 'none'}
                onClick={action.onClick}
              />
            ))}
          </Menu>
        }
        renderTarget={({ isOpen, ref, ...target }) => (
          <Button
            {...target}
            ref={ref}
            className={styles['dialButton']}
            intent="primary"
            size="large"
            aria-label={label}
            aria-expanded={isOpen}
            icon={isOpen ? <CrossIcon /> : <MoreIcon />}
          />
        )}
      />
    </div>
  );
}
