import { useState, type ReactNode } from 'react';

import type { OrderedRow } from '../../lib/ordering';
import { ListArea } from './ListArea';
import { ListToolbar } from './ListToolbar';
import { RowGrid, type RowColumn } from './RowGrid';
import { useListActions, type ListEdits } from './useListActions';

interface EditableListProps<Row extends OrderedRow> extends Omit<ListEdits<Row>, 'onAdd'> {
  /** The name of the list. */
  label: string;
  /** The name of the toolbar above it. */
  actionsLabel: string;
  /** Adds a row; by default Add opens the editor for a new row. */
  onAdd?: () => void;
  onSelect: (selectedKeys: ReadonlySet<string>) => void;
  /** Converts a stored row to the row shown and edited. */
  show?: (row: Row) => Row;
  getRowName: (row: Row) => string;
  columns: readonly RowColumn<Row>[];
  /** Messages of the portal about a row. */
  getProblems?: (row: Row) => readonly string[];
  empty: string;
  /** The dialog of one row; null for a new one. */
  renderEditor: (row: Row | null, close: () => void) => ReactNode;
}

/**
 * A complete short list of a form: its buttons, its ordered rows, and the dialog of a row. A new
 * list needs a row type, columns and that dialog.
 */
export function EditableList<Row extends OrderedRow>(props: EditableListProps<Row>) {
  const { rows, selected, show = (row: Row) => row } = props;
  const [openEditor, setOpenEditor] = useState<{ row: Row | null } | null>(null);
  const close = () => setOpenEditor(null);
  const actions = useListActions({
    ...props,
    onAdd: props.onAdd ?? (() => setOpenEditor({ row: null })),
  });
  return (
    <ListArea>
      <ListToolbar label={props.actionsLabel} actions={actions} />
      <RowGrid
        label={props.label}
        rows={rows.map(show)}
        getRowKey={(row) => row.key}
        getRowName={props.getRowName}
        columns={props.columns}
        selected={selected}
        onSelect={props.onSelect}
        onOpen={(row) => setOpenEditor({ row })}
        getProblems={props.getProblems}
        empty={props.empty}
      />
      {openEditor === null ? null : props.renderEditor(openEditor.row, close)}
    </ListArea>
  );
}
