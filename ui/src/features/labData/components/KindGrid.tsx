import { useMemo, useState } from 'react';

import { ActButton } from '../../../components/ActButton';
import { DataGrid } from '../../../components/grid/DataGrid';
import type { GridColumn } from '../../../components/grid/types';
import { useGrid, type SavedGrid } from '../../../components/grid/useGrid';
import { ExportIcon, ImportIcon, PlusIcon } from '../../../components/icons';
import { toasts } from '../../../components/toasts';
import { useHistoryMemory } from '../../../components/useHistoryMemory';
import { messages } from '../../../contract';
import { describeError } from '../../../api';
import { useDevice } from '../../../device';
import { buildFilePath, buildListPath, type DataField, type DataKind, type DataRow } from '../api';
import { formatValue } from '../form';
import { FileDialog } from './FileDialog';
import styles from './labData.module.css';
import { RowDialog } from './RowDialog';

interface KindGridProps {
  kind: DataKind;
  /** The record whose rows are shown; undefined for all rows. */
  parent?: string;
}

const YES_OR_NO = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];
const isFilterable = ({ type }: DataField) =>
  type === 'text' || type === 'choice' || type === 'lookup' || type === 'boolean';
const isSortable = ({ type }: DataField) => type !== 'links' && type !== 'texts';
const WIDTHS: Readonly<Record<string, number>> = { boolean: 92, integer: 86, number: 86 };
const CODE_WIDTH = 96;
const TEXT_WIDTH = 140;
const CHARACTER_WIDTH = 7.25;
const PADDING = 20;
const SORT_MARK_WIDTH = 18;

/** Chooses the width of a column by its values. */
const chooseWidth = ({ name, type, choices }: DataField): number => {
  if (name === 'code') return CODE_WIDTH;
  if (type !== 'choice') return WIDTHS[type] ?? TEXT_WIDTH;
  const longestLength = Math.max(...choices.map(({ length }) => length));
  return Math.min(TEXT_WIDTH, Math.max(CODE_WIDTH, measureText(longestLength)));
};

const measureText = (length: number): number => Math.ceil(length * CHARACTER_WIDTH) + PADDING;

/** The fields by which the list of a kind is sorted at first. */
const chooseSort = ({ identity }: DataKind, hiddenField: string | null): readonly string[] =>
  identity.filter((name) => name !== hiddenField).slice(0, 3);

/** The columns of a kind: first the ones that its list shows, then the ones that a person can add. */
function buildColumns(kind: DataKind, hiddenField: string | null): readonly GridColumn<DataRow>[] {
  const sortedNames = chooseSort(kind, hiddenField);
  // A header is shown in full, with its mark if the list starts sorted by it.
  const measureTitle = ({ name, label }: DataField) =>
    measureText(label.length) + (sortedNames.includes(name) ? SORT_MARK_WIDTH : 0);
  return kind.fields
    .filter(({ name }) => name !== hiddenField)
    .map((field, index) => ({
      id: field.name,
      title: field.label,
      width: Math.max(chooseWidth(field), measureTitle(field)),
      minWidth: measureTitle(field),
      cell: (row) => formatValue(row[field.name]) || (field.empty ?? ''),
      ...(field.inGrid ? {} : { optional: true }),
      ...(field.name === 'name' ? { growth: 3 } : {}),
      ...(isSortable(field) ? { sort: field.name } : {}),
      ...(isFilterable(field) ? { filter: field.name } : {}),
      ...(field.type === 'boolean' ? { filterChoices: YES_OR_NO } : {}),
      ...(index < 2 ? { card: 'title' as const } : {}),
    }));
}

/** The rows of a kind, with their forms and the import and export of files. */
export function KindGrid({ kind, parent }: KindGridProps) {
  const device = useDevice();
  const [editedId, setEditedId] = useState<number | null | undefined>(undefined);
  const [isImporting, setIsImporting] = useState(false);
  const isChild = parent !== undefined;
  const hiddenField = isChild ? kind.parent : null;
  const columns = useMemo(() => buildColumns(kind, hiddenField), [kind, hiddenField]);
  const filters = useMemo(() => (isChild ? { parent } : {}), [isChild, parent]);
  const memory = useHistoryMemory<SavedGrid>(`lab-data-${kind.key}-grid`);
  const grid = useGrid<DataRow>({
    name: `lab-data-${kind.key}`,
    path: buildListPath(kind.key),
    filters,
    defaultSort: chooseSort(kind, hiddenField).map((column) => ({ column, descending: false })),
    getRowId: (row) => row.id,
    // A parent's rows in a dialog start on the first page each time.
    ...(isChild ? {} : { memory }),
  });
  const parentValues = isChild && kind.parent !== null ? { [kind.parent]: parent } : {};
  const { allowed, reason } = kind.canChange;
  const download = () =>
    device
      .openDocument({ path: buildFilePath(kind.key), name: `${kind.key}.csv`, isSaved: true })
      .catch((error: unknown) => toasts.error(describeError(error)));
  return (
    <div className={styles['list']}>
      <div className={styles['bar']} role="toolbar" aria-label={`${kind.title} actions`}>
        {isChild ? null : <h2>{kind.title}</h2>}
        <ActButton
          size="small"
          intent="primary"
          icon={<PlusIcon />}
          disabled={!allowed}
          reason={reason ?? undefined}
          onClick={() => setEditedId(null)}
        >
          {`Add ${kind.singular}`}
        </ActButton>
        {isChild ? null : (
          <>
            <ActButton size="small" icon={<ExportIcon />} onClick={() => void download()}>
              Export CSV
            </ActButton>
            <ActButton
              size="small"
              icon={<ImportIcon />}
              disabled={!allowed}
              reason={reason ?? undefined}
              onClick={() => setIsImporting(true)}
            >
              Import CSV
            </ActButton>
          </>
        )}
      </div>
      <div className="grid-place">
        <DataGrid
          label={kind.title}
          grid={grid}
          columns={columns}
          onOpen={(row) => setEditedId(row.id)}
          emptyText={messages.LAB_DATA_EMPTY}
        />
      </div>
      {editedId === undefined ? null : (
        <RowDialog
          kind={kind}
          id={editedId}
          chosenValues={parentValues}
          onClose={() => setEditedId(undefined)}
          onSaved={() => grid.refresh()}
        />
      )}
      {isImporting ? (
        <FileDialog
          kind={kind}
          onClose={() => setIsImporting(false)}
          onImported={() => grid.refresh()}
        />
      ) : null}
    </div>
  );
}
