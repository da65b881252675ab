import { useState, type Ref } from 'react';

import { ActButton } from '../../../components/ActButton';
import { FormDialog } from '../../../components/dialogs/FormDialog';
import { DataGrid } from '../../../components/grid/DataGrid';
import type { GridColumn } from '../../../components/grid/types';
import { useGrid } from '../../../components/grid/useGrid';
import { LockIcon, PlusIcon, TrashIcon } from '../../../components/icons';
import { RowGrid, type RowColumn } from '../../../components/rows/RowGrid';
import { limits } from '../../../contract';
import styles from './users.module.css';

export interface AssignedItem {
  id: number;
  isLocked: boolean;
}

/** How a kind of assignment is listed: what can be chosen, and what is chosen. */
export interface AssignmentKind<Item extends AssignedItem, Row extends { id: number }> {
  /** 'Clients' */
  label: string;
  path: string;
  gridName: string;
  sort: string;
  pickerColumns: readonly GridColumn<Row>[];
  columns: readonly RowColumn<Item>[];
  toItem: (row: Row) => Item;
  getName: (item: Item) => string;
}

interface AssignmentPickerProps<Item extends AssignedItem, Row extends { id: number }> {
  kind: AssignmentKind<Item, Row>;
  value: readonly Item[];
  onChange: (value: Item[]) => void;
  error?: string | undefined;
  /** The button that adds the first item, focused if there has to be one. */
  addRef: Ref<HTMLButtonElement>;
  /** Why nothing can be changed; null if everything can. */
  lockReason: string | null;
}

/** The items that a user is assigned to, with Add and Remove (P 2). Locked ones stay. */
export function AssignmentPicker<Item extends AssignedItem, Row extends { id: number }>({
  kind,
  value,
  onChange,
  error,
  addRef,
  lockReason,
}: AssignmentPickerProps<Item, Row>) {
  const [selectedKeys, setSelectedKeys] = useState<ReadonlySet<string>>(new Set());
  const [isAdding, setIsAdding] = useState(false);
  const removableItems = value.filter(
    (item) => selectedKeys.has(String(item.id)) && !item.isLocked,
  );
  const remove = () => {
    onChange(value.filter((item) => !removableItems.includes(item)));
    setSelectedKeys(new Set());
  };
  return (
    <div className={styles['assigned']}>
      <div role="toolbar" aria-label={`${kind.label} actions`} className={styles['buttons']}>
        <ActButton
          ref={addRef}
          icon={<PlusIcon />}
          disabled={lockReason !== null}
          reason={lockReason ?? undefined}
          onClick={() => setIsAdding(true)}
        >
          Add
        </ActButton>
        <ActButton
          icon={<TrashIcon />}
          disabled={lockReason !== null || removableItems.length === 0}
          reason={lockReason ?? undefined}
          onClick={remove}
        >
          Remove
        </ActButton>
      </div>
      {error === undefined ? null : (
        <p role="alert" className={styles['problem']}>
          {error}
        </p>
      )}
      <div className={styles['rows']}>
        <RowGrid
          label={kind.label}
          rows={value}
          getRowKey={({ id }) => String(id)}
          getRowName={kind.getName}
          columns={[...kind.columns, lockColumn]}
          selected={selectedKeys}
          onSelect={setSelectedKeys}
          empty="None yet"
        />
      </div>
      {isAdding ? (
        <AddDialog
          kind={kind}
          value={value}
          onAdd={(newItems) => onChange([...value, ...newItems])}
          onClose={() => setIsAdding(false)}
        />
      ) : null}
    </div>
  );
}

const lockColumn: RowColumn<AssignedItem> = {
  id: 'lock',
  title: '',
  width: '36px',
  render: ({ isLocked }) =>
    isLocked ? <LockIcon title="Belongs to another client, so you cannot change it" /> : null,
};

const NO_FILTERS = {};

interface AddDialogProps<Item extends AssignedItem, Row extends { id: number }> {
  kind: AssignmentKind<Item, Row>;
  value: readonly Item[];
  onAdd: (newItems: Item[]) => void;
  onClose: () => void;
}

/** The grid to choose from: 500 wide, 300 on phones, ten rows a page (P 2). */
function AddDialog<Item extends AssignedItem, Row extends { id: number }>({
  kind,
  value,
  onAdd,
  onClose,
}: AddDialogProps<Item, Row>) {
  const grid = useGrid<Row>({
    name: kind.gridName,
    path: kind.path,
    filters: NO_FILTERS,
    defaultSort: [{ column: kind.sort, descending: false }],
    getRowId: ({ id }) => id,
    defaultPageSize: limits.PICKER_PAGE_SIZE,
  });
  const ids = new Set(value.map(({ id }) => id));
  const newItems = grid.selectedRows.filter(({ id }) => !ids.has(id)).map(kind.toItem);
  return (
    <FormDialog
      isOpen
      title={`Add ${kind.label}`}
      width={limits.DIALOG_PICKER_WIDTH_PX}
      phoneWidth={limits.DIALOG_PICKER_PHONE_WIDTH_PX}
      height="80vh"
      submitLabel={newItems.length > 1 ? `Add ${newItems.length}` : 'Add'}
      submitDisabled={newItems.length === 0}
      onSubmit={() => {
        onAdd(newItems);
        onClose();
      }}
      onClose={onClose}
    >
      <div className={styles['picker']}>
        <DataGrid label={kind.label} grid={grid} columns={kind.pickerColumns} selectable />
      </div>
    </FormDialog>
  );
}
