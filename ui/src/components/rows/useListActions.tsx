import { useState } from 'react';

import { describe } from '../../api';
import { canMove, moved, without, type Ordered } from '../../lib/ordering';
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

/** Which of a list's actions work now. */
export type ListControls = Readonly<
  Record<'add' | 'save' | 'remove' | 'up' | 'down' | 'refresh' | 'undo', boolean>
>;

export interface ListEdits<Row extends Ordered> {
  rows: readonly Row[];
  selected: ReadonlySet<string>;
  /** Rows were changed or moved. */
  onChange: (rows: Row[]) => void;
  /** Rows were removed, read again or brought back: what was chosen among them is not any more. */
  onReplace: (rows: Row[]) => void;
  onAdd: () => void;
  /** Takes what was typed over into the chosen row; without it, a row is saved elsewhere. */
  onSave?: () => void;
  /** How rows go; by default the others keep their orders. */
  remove?: (rows: readonly Row[], selected: ReadonlySet<string>) => Row[];
  /** Reads the rows anew; null while that can not be done, absent for a list that is not read. */
  reload?: (() => Promise<Row[] | undefined>) | null;
  /** The rows that Undo brings back. */
  saved?: readonly Row[];
  /** Where the list has rules of its own; by default everything works on what is chosen. */
  controls?: ListControls;
}

const controlsOf = (rows: readonly Ordered[], selected: ReadonlySet<string>): ListControls => ({
  add: true,
  save: true,
  remove: rows.some(({ key }) => selected.has(key)),
  up: canMove(rows, selected, 'up'),
  down: canMove(rows, selected, 'down'),
  refresh: true,
  undo: true,
});

/** What can be done to a list that is edited in a form, in the order and words of O 4. */
export function useListActions<Row extends Ordered>(edits: ListEdits<Row>): ListAction[] {
  const [loading, setLoading] = useState(false);
  const { rows, selected, onChange, onReplace, onAdd, onSave, reload, saved } = edits;
  const { remove = without, controls = controlsOf(rows, selected) } = edits;

  const refresh = async () => {
    if (!reload || loading) return;
    setLoading(true);
    try {
      const read = await reload();
      if (read) onReplace(read);
    } catch (error) {
      toasts.error(describe(error));
    } finally {
      setLoading(false);
    }
  };
  const actions: (ListAction | false)[] = [
    { label: 'Add', icon: <PlusIcon />, always: true, disabled: !controls.add, onClick: onAdd },
    onSave !== undefined && {
      label: 'Save',
      icon: <FloppyDiskIcon />,
      always: true,
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
      onClick: () => onChange(moved(rows, selected, 'up')),
    },
    {
      label: 'Move Down',
      icon: <ArrowDownIcon />,
      disabled: !controls.down,
      onClick: () => onChange(moved(rows, selected, 'down')),
    },
    reload !== undefined && {
      label: 'Refresh',
      icon: <RefreshIcon />,
      disabled: !controls.refresh || reload === null || loading,
      onClick: () => void refresh(),
    },
    saved !== undefined && {
      label: 'Undo',
      icon: <UndoIcon />,
      disabled: !controls.undo,
      onClick: () => onReplace([...saved]),
    },
  ];
  return actions.filter((action) => action !== false);
}
