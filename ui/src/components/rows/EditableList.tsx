import { useState, type ReactNode } from 'react';

import type { Ordered } from '../../lib/ordering';
import { ListToolbar } from './ListToolbar';
import { RowGrid, type RowColumn } from './RowGrid';
import { useListActions, type ListEdits } from './useListActions';

interface EditableListProps<Row extends Ordered> extends Omit<ListEdits<Row>, 'onAdd'> {
  /** What the rows are, and what the buttons above them belong to. */
  label: string;
  actionsLabel: string;
  /** Adds a row; without it, Add opens the editor for a new one. */
  onAdd?: () => void;
  onSelect: (selected: ReadonlySet<string>) => void;
  /** A row as it is shown and edited, where that is not as it is stored. */
  show?: (row: Row) => Row;
  rowName: (row: Row) => string;
  columns: readonly RowColumn<Row>[];
  /** What the portal refused. */
  problems?: (row: Row) => readonly string[];
  empty: string;
  /** The dialog of one row; null for a new one. */
  editor: (row: Row | null, close: () => void) => ReactNode;
}

/**
 * A short list of a form, all of it: its buttons, its rows in their order, and the dialog of one.
 * Adding a list is a row type, its columns and that dialog.
 */
export function EditableList<Row extends Ordered>(props: EditableListProps<Row>) {
  const { rows, selected, show = (row: Row) => row } = props;
  const [edited, setEdited] = useState<{ row: Row | null } | null>(null);
  const close = () => setEdited(null);
  const actions = useListActions({
    ...props,
    onAdd: props.onAdd ?? (() => setEdited({ row: null })),
  });
  return (
    <>
      <ListToolbar label={props.actionsLabel} actions={actions} />
      <RowGrid
        label={props.label}
        rows={rows.map(show)}
        rowKey={(row) => row.key}
        rowName={props.rowName}
        columns={props.columns}
        selected={selected}
        onSelect={props.onSelect}
        onOpen={(row) => setEdited({ row })}
        problems={props.problems}
        empty={props.empty}
      />
      {edited === null ? null : props.editor(edited.row, close)}
    </>
  );
}
