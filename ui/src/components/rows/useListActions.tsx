import { useState } from 'react';

import { describeError } from '../../api';
import { isEqual } from '../../lib/equality';
import { canMove, moveRow, removeRows, sortRows, type OrderedRow } from '../../lib/ordering';
import {
  ArrowDownIcon,
  ArrowUpIcon,
  FloppyDiskIcon,
  PlusIcon,
  RefreshIcon,
  TrashIcon,
  UndoIcon,
} from '../icons';
import { toasts } from '../toasts';
import type { ListAction } from './ListToolbar';

/** The enabled actions of a list. */
export type ListControls = Readonly<
  Record<'add' | 'save' | 'remove' | 'up' | 'down' | 'refresh' | 'undo', boolean>
>;

export interface ListEdits<Row extends OrderedRow> {
  rows: readonly Row[];
  selected: ReadonlySet<string>;
  /** Called when rows were changed or moved. */
  onChange: (rows: Row[]) => void;
  /** Called when rows were removed, reloaded or restored, so that the selection is cleared. */
  onReplace: (rows: Row[]) => void;
  /** Omitted while there is nothing to add. */
  onAdd?: (() => void) | undefined;
  /** Copies the typed values into the selected row; omitted if rows are saved elsewhere. */
  onSave?: () => void;
  /** Removes rows; by default the others keep their numbers. */
  remove?: (rows: readonly Row[], selectedKeys: ReadonlySet<string>) => Row[];
  /** Reloads the rows; null while that is not possible, omitted for a list that is not loaded. */
  reload?: (() => Promise<Row[] | undefined>) | null;
  /** The rows that Undo restores; null while there are none, omitted for a list without Undo. */
  savedRows?: readonly Row[] | null;
  /** Whether fields beside the list have text that is in no row, which Undo removes, too. */
  hasPendingText?: boolean;
  /** The rules of a list that has its own; by default, every action applies to the selection. */
  controls?: ListControls;
}

const getDefaultControls = (
  rows: readonly OrderedRow[],
  selectedKeys: ReadonlySet<string>,
): ListControls => ({
  add: true,
  save: true,
  remove: rows.some(({ key }) => selectedKeys.has(key)),
  up: canMove(rows, selectedKeys, 'up'),
  down: canMove(rows, selectedKeys, 'down'),
  refresh: true,
  undo: true,
});

/** Returns the actions of a list that is edited in a form, in the order and words of O 4. */
export function useListActions<Row extends OrderedRow>(edits: ListEdits<Row>): ListAction[] {
  const [isLoading, setIsLoading] = useState(false);
  const { rows, selected, onChange, onReplace, onAdd, onSave, reload, savedRows } = edits;
  const { remove = removeRows, controls = getDefaultControls(rows, selected) } = edits;

  const canUndo =
    savedRows != null &&
    (edits.hasPendingText === true || !isEqual(sortRows(rows), sortRows(savedRows)));

  const refresh = async () => {
    if (!reload || isLoading) return;
    setIsLoading(true);
    try {
      const loadedRows = await reload();
      if (loadedRows) onReplace(loadedRows);
    } catch (error) {
      toasts.error(describeError(error));
    } finally {
      setIsLoading(false);
    }
  };
  const actions: (ListAction | false)[] = [
    onAdd !== undefined && {
      label: 'Add',
      icon: <PlusIcon />,
      isAlwaysShown: true,
      disabled: !controls.add,
      onClick: onAdd,
    },
    onSave !== undefined && {
      label: 'Save',
      icon: <FloppyDiskIcon />,
      isAlwaysShown: true,
      disabled: !controls.save,
      onClick: onSave,
    },
    {
      label: 'Remove',
      icon: <TrashIcon />,
      disabled: !controls.remove,
      onClick: () => onReplace(remove(rows, selected)),
    },
    {
      label: 'Move Up',
      icon: <ArrowUpIcon />,
      disabled: !controls.up,
      onClick: () => onChange(moveRow(rows, selected, 'up')),
    },
    {
      label: 'Move Down',
      icon: <ArrowDownIcon />,
      disabled: !controls.down,
      onClick: () => onChange(moveRow(rows, selected, 'down')),
    },
    reload !== undefined && {
      label: 'Refresh',
      icon: <RefreshIcon />,
      disabled: !controls.refresh || reload === null || isLoading,
      onClick: () => void refresh(),
    },
    savedRows !== undefined && {
      label: 'Undo',
      icon: <UndoIcon />,
      disabled: !controls.undo || !canUndo,
      onClick: () => onReplace([...(savedRows ?? [])]),
    },
  ];
  return actions.filter((action) => action !== false);
}
