import { Button, Checkbox } from '@blueprintjs/core';
import { useState } from 'react';

import { FormDialog } from '../../../components/dialogs/FormDialog';
import { ArrowDownIcon, ArrowUpIcon } from '../../../components/icons';
import type { SearchColumn } from '../conditions';
import styles from './orderSearch.module.css';

interface ColumnsDialogProps {
  /** The columns that can be shown. */
  columns: readonly SearchColumn[];
  /** The names of those that are shown, in order. */
  shownNames: readonly string[];
  onApply: (shownNames: readonly string[]) => void;
  onClose: () => void;
}

const WIDTH_PX = 720;

/** Chooses the columns of the grid, and their order. */
export function ColumnsDialog({ columns, shownNames, onApply, onClose }: ColumnsDialogProps) {
  const [chosenNames, setChosenNames] = useState(shownNames);
  const groups = [...new Set(columns.map(({ group }) => group))];
  const labels = new Map(columns.map(({ name, label }) => [name, label]));
  const toggle = (name: string, isShown: boolean) =>
    setChosenNames(
      isShown ? [...chosenNames, name] : chosenNames.filter((other) => other !== name),
    );
  const move = (index: number, step: number) => {
    const next = [...chosenNames];
    const [name] = next.splice(index, 1);
    if (name !== undefined) next.splice(index + step, 0, name);
    setChosenNames(next);
  };
  return (
    <FormDialog
      isOpen
      title="Columns"
      width={WIDTH_PX}
      onClose={onClose}
      onSubmit={() => onApply(chosenNames)}
      submitLabel="Show columns"
      submitDisabled={chosenNames.length === 0}
      extra={
        <Button
          variant="minimal"
          onClick={() =>
            setChosenNames(columns.filter(({ isUsual }) => isUsual).map(({ name }) => name))
          }
        >
          Usual columns
        </Button>
      }
    >
      <div className={styles['columnGroups']}>
        {groups.map((group) => (
          <fieldset key={group}>
            <legend>{group}</legend>
            {columns
              .filter((column) => column.group === group)
              .map(({ name, label }) => (
                <Checkbox
                  key={name}
                  label={label}
                  checked={chosenNames.includes(name)}
                  onChange={({ currentTarget }) => toggle(name, currentTarget.checked)}
                />
              ))}
          </fieldset>
        ))}
        <fieldset>
          <legend>Order of the columns</legend>
          <ol aria-label="Order of the columns" className={styles['list']}>
            {chosenNames.map((name, index) => {
              const label = labels.get(name) ?? name;
              return (
                <li key={name}>
                  <span className={styles['stored']}>{label}</span>
                  <Button
                    variant="minimal"
                    icon={<ArrowUpIcon />}
                    aria-label={`Move ${label} up`}
                    disabled={index === 0}
                    onClick={() => move(index, -1)}
                  />
                  <Button
                    variant="minimal"
                    icon={<ArrowDownIcon />}
                    aria-label={`Move ${label} down`}
                    disabled={index === chosenNames.length - 1}
                    onClick={() => move(index, 1)}
                  />
                </li>
              );
            })}
          </ol>
        </fieldset>
      </div>
    </FormDialog>
  );
}
