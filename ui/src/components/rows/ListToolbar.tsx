import { Button, Menu, MenuItem } from '@blueprintjs/core';
import type { JSX } from 'react';

import { MoreIcon } from '../icons';
import { Popup } from '../Popup';
import { useScreen } from '../useMedia';
import styles from './rows.module.css';

/** One action on a list of rows. */
export interface ListAction {
  label: string;
  icon: JSX.Element;
  onClick: () => void;
  disabled: boolean;
  /** Whether it stays a button on phones; the others move into an overflow menu. */
  isAlwaysShown?: boolean;
}

interface ListToolbarProps {
  /** What the actions belong to: 'Responsible parties'. */
  label: string;
  actions: readonly ListAction[];
}

/** The buttons above a list: all on wide screens, with an overflow menu on phones (O 2.5). */
export function ListToolbar({ label, actions }: ListToolbarProps) {
  const isPhone = useScreen() === 'phone';
  const visibleActions = isPhone ? actions.filter((action) => action.isAlwaysShown) : actions;
  const hiddenActions = isPhone ? actions.filter((action) => !action.isAlwaysShown) : [];
  return (
    <div role="toolbar" aria-label={`${label} actions`} className={styles['toolbar']}>
      {visibleActions.map((action) => (
        <Button
          key={action.label}
          size="small"
          variant="outlined"
          icon={action.icon}
          disabled={action.disabled}
          onClick={action.onClick}
        >
          {action.label}
        </Button>
      ))}
      {hiddenActions.length > 0 ? (
        <Popup
          placement="bottom-end"
          content={() => (
            <Menu size="large" aria-label={`${label}: more actions`}>
              {hiddenActions.map((action) => (
                <MenuItem
                  key={action.label}
                  text={action.label}
                  icon={action.icon}
                  disabled={action.disabled}
                  onClick={action.onClick}
                />
              ))}
            </Menu>
          )}
          renderTarget={({ isOpen, ref, ...target }) => (
            <Button
              {...target}
              ref={ref}
              className={styles['more']}
              size="small"
              variant="outlined"
              aria-label={`${label}: more actions`}
              aria-expanded={isOpen}
              icon={<MoreIcon />}
            />
          )}
        />
      ) : null}
    </div>
  );
}
