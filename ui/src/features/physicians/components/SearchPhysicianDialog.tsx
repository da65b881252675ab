import { Button, Checkbox } from '@blueprintjs/core';
import { useMemo, useRef, useState } from 'react';

import { FormDialog } from '../../../components/dialogs/FormDialog';
import { MaskedField, TextField } from '../../../components/fields/TextField';
import { DataGrid } from '../../../components/grid/DataGrid';
import type { GridColumn } from '../../../components/grid/types';
import { useGrid } from '../../../components/grid/useGrid';
import { limits } from '../../../contract';
import { PHYSICIAN_LIST_PATH, type PhysicianRow } from '../api';
import styles from './SearchPhysicianDialog.module.css';

const HEIGHT = '90vh';
const NPI_MASK = '0000000000';
const EMPTY_SEARCH = { lastName: '', firstName: '', npi: '' };

const columns: readonly GridColumn<PhysicianRow>[] = [
  {
    id: 'npi',
    title: 'NPI',
    width: 120,
    cell: (row) => <span className={styles['npi']}>{row.npi}</span>,
    sort: 'npi',
    rigid: true,
    card: 'aside',
  },
  {
    id: 'lastName',
    title: 'Last Name',
    width: 240,
    cell: (row) => row.lastName,
    sort: 'lastName',
    card: 'title',
  },
  { id: 'firstName', title: 'First Name', width: 240, cell: (row) => row.firstName, card: 'title' },
];

export interface SearchPhysicianDialogProps {
  isOpen: boolean;
  onClose: () => void;
  /** Called with the chosen row, right after `onClose`. */
  onSelect: (row: PhysicianRow) => void;
  /** The patient's client, if known, to limit the search to its physicians. */
  clientId?: number | null;
}

/** Finds the ordering physician (O 2.5). */
export function SearchPhysicianDialog({ isOpen, ...props }: SearchPhysicianDialogProps) {
  // Mounted again each time it opens, to start blank.
  return isOpen ? <OpenDialog {...props} /> : null;
}

function OpenDialog(props: Omit<SearchPhysicianDialogProps, 'isOpen'>) {
  const { onClose, onSelect, clientId = null } = props;
  const [values, setValues] = useState(EMPTY_SEARCH);
  const [isLimitedToClient, setIsLimitedToClient] = useState(true);
  const [lastSearch, setLastSearch] = useState<typeof EMPTY_SEARCH | null>(null);
  const lastName = useRef<HTMLInputElement>(null);
  const results = useRef<HTMLDivElement>(null);

  // The checkbox applies at once; the names wait for Search.
  const filters = useMemo(
    () => lastSearch && { ...lastSearch, patientClientId: isLimitedToClient ? clientId : null },
    [lastSearch, isLimitedToClient, clientId],
  );
  const grid = useGrid<PhysicianRow>({
    name: 'physician-search',
    path: PHYSICIAN_LIST_PATH,
    filters,
    defaultSort: [{ column: 'lastName', descending: false }],
    getRowId: (row) => row.id,
  });

  const change = (name: keyof typeof EMPTY_SEARCH) => (value: string) =>
    setValues((current) => ({ ...current, [name]: value }));
  const search = () => {
    const criteria = {
      lastName: values.lastName.trim(),
      firstName: values.firstName.trim(),
      npi: values.npi,
    };
    // Searching again with the same values reloads the results.
    if (JSON.stringify(criteria) === JSON.stringify(lastSearch)) grid.refresh();
    else setLastSearch(criteria);
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    results.current?.querySelector<HTMLElement>('[role="gridcell"]')?.focus();
  };

  return (
    <FormDialog
      isOpen
      title="Search Physician"
      width={limits.DIALOG_SEARCH_PATIENT_WIDTH_PX}
      height={HEIGHT}
      onClose={onClose}
      onSubmit={search}
      submitLabel="Search"
      busy={grid.isFetching}
      extra={
        <Button
          className={styles['clear'] ?? ''}
          onClick={() => {
            setValues(EMPTY_SEARCH);
            setIsLimitedToClient(true);
            setLastSearch(null);
            grid.clearFilterRow('now');
            lastName.current?.focus();
          }}
        >
          Clear
        </Button>
      }
    >
      <div className={styles['fields']}>
        <TextField
          label="Last Name"
          upper
          inputRef={lastName}
          value={values.lastName}
          onChange={change('lastName')}
          onKeyDown={onKeyDown}
        />
        <TextField
          label="First Name"
          upper
          value={values.firstName}
          onChange={change('firstName')}
          onKeyDown={onKeyDown}
        />
        <MaskedField
          label="NPI"
          mask={NPI_MASK}
          placeholder=""
          value={values.npi}
          onChange={change('npi')}
          onKeyDown={onKeyDown}
        />
      </div>
      {clientId === null ? null : (
        <Checkbox
          label="Physicians associated to Client"
          checked={isLimitedToClient}
          onChange={(event) => setIsLimitedToClient(event.currentTarget.checked)}
        />
      )}
      <div className={styles['results']} ref={results}>
        <DataGrid
          label="Physicians"
          grid={grid}
          columns={columns}
          onOpen={(row) => {
            // `onClose` comes first, so that the page can open its next dialog on the choice.
            onClose();
            onSelect(row);
          }}
          idleText="Search to see physicians"
          emptyText="No physicians match this search"
        />
      </div>
    </FormDialog>
  );
}
