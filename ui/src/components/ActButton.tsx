import { Button, Classes, Spinner, SpinnerSize, type ButtonProps } from '@blueprintjs/core';
import type { Ref } from 'react';

import styles from './ActButton.module.css';

interface ActButtonProps extends Omit<ButtonProps, 'loading'> {
  ref?: Ref<HTMLButtonElement>;
  /** Whether the act is running; the button then shows that, and does nothing. */
  isRunning?: boolean;
  /** Why it is disabled, as a tooltip on hover and on focus. */
  reason?: string | undefined;
}

/** The spinner on top of the icon. Blueprint gives the icon of a button a class. */
const RunningIcon = ({ icon }: Pick<ButtonProps, 'icon'>) => (
  <>
    <Spinner className={Classes.BUTTON_SPINNER} size={SpinnerSize.SMALL} />
    {icon}
  </>
);

/**
 * The button of an act. It keeps the focus while the act runs, and stays within reach of the
 * keyboard while it is disabled for a reason. A browser takes the focus from a button with the
 * attribute `disabled`, and the keyboard would start again at the top of the page.
 */
export function ActButton({
  isRunning = false,
  disabled = false,
  reason,
  icon,
  className,
  onClick,
  ...props
}: ActButtonProps) {
  const isExplained = disabled && reason !== undefined;
  const isOff = isRunning || isExplained;
  const classes = [
    className,
    isRunning && Classes.LOADING,
    isOff && styles['disabled'],
    isExplained && Classes.DISABLED,
  ];
  return (
    <Button
      {...props}
      className={classes.filter(Boolean).join(' ')}
      disabled={disabled && !isOff}
      aria-disabled={isOff || undefined}
      aria-busy={isRunning || undefined}
      title={disabled ? reason : undefined}
      data-reason={isExplained ? reason : undefined}
      icon={isRunning ? <RunningIcon icon={icon} /> : icon}
      onClick={(event) => {
        if (isOff) event.preventDefault();
        else onClick?.(event);
      }}
    />
  );
}
