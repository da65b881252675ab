import { Button } from '@blueprintjs/core';
import { useEffect, useRef, useState } from 'react';

import { useHasRole } from '../../../api';
import {
  DateField,
  formatDate,
  FormDialog,
  isIsoDate,
  MaskedField,
  masks,
  TextField,
  today,
} from '../../../components';
import { DataGrid, useGrid, type GridColumn } from '../../../components/grid';
import { limits, messages, Role } from '../../../contract';
import { PATIENT_LIST, type PatientRow } from '../api';
import styles from './SearchPatientDialog.module.css';

export interface SearchPatientDialogProps {
  isOpen: boolean;
  onClose: () => void;
  onSelect: (patient: PatientRow) => void;
  /** Opened from a search screen: names are not required (O 5). */
  fromSearch?: boolean;
}

interface Fields {
  lastName: string;
  firstName: string;
  birthDate: string;
  ssn: string;
}

const blank: Fields = { lastName: '', firstName: '', birthDate: '', ssn: '' };

const columns: readonly GridColumn<PatientRow>[] = [
  {
    id: 'code',
    title: 'Patient Id',
    width: 100,
    cell: (row) => row.code,
    sort: 'code',
    numeric: true,
    card: 'aside',
  },
  {
    id: 'lastName',
    title: 'Last Name',
    width: 150,
    cell: (row) => row.lastName,
    sort: 'lastName',
    card: 'title',
  },
  {
    id: 'firstName',
    title: 'First Name',
    width: 140,
    cell: (row) => row.firstName,
    sort: 'firstName',
    card: 'title',
  },
  {
    id: 'birthDate',
    title: 'Birth Date',
    width: 100,
    cell: (row) => formatDate(row.birthDate),
    sort: 'birthDate',
    numeric: true,
  },
  { id: 'ssn', title: 'SSN', width: 110, cell: (row) => row.ssn ?? '', numeric: true },
];

/** Search Patient (O 2.5): a row selects the patient. */
export function SearchPatientDialog({
  isOpen,
  onClose,
  onSelect,
  fromSearch = false,
}: SearchPatientDialogProps) {
  const [fields, setFields] = useState(blank);
  const [searched, setSearched] = useState<Fields | null>(null);
  const lastName = useRef<HTMLInputElement>(null);
  const hidden = useHasRole(Role.PHYSICIAN, Role.PATIENT);

  useEffect(() => {
    if (!isOpen) return undefined;
    const timer = setTimeout(() => lastName.current?.focus(), limits.PATIENT_SEARCH_FOCUS_MS);
    return () => clearTimeout(timer);
  }, [isOpen]);

  const grid = useGrid<PatientRow>({
    name: 'patient-search',
    path: PATIENT_LIST,
    filters: searched && { ...searched, fromSearch },
    defaultSort: [{ column: 'lastName', descending: false }],
    rowId: (row) => row.id,
  });

  const change = (part: Partial<Fields>) => setFields((now) => ({ ...now, ...part }));
  const dateError =
    fields.birthDate !== '' && fields.birthDate.length === 10 && !isIsoDate(fields.birthDate)
      ? messages.DATE_INVALID
      : undefined;
  const incomplete = fields.birthDate !== '' && !isIsoDate(fields.birthDate);
  const named = fields.lastName.trim() !== '' && fields.firstName.trim() !== '';
  const invalid = incomplete || (!fromSearch && !named);

  return (
    <FormDialog
      isOpen={isOpen}
      title="Search Patient"
      width={limits.DIALOG_SEARCH_PATIENT_WIDTH_PX}
      height="90vh"
      onClose={onClose}
      onSubmit={() => setSearched(fields)}
      submitLabel="Search"
      submitDisabled={invalid}
      extra={
        <Button
          onClick={() => {
            setFields(blank);
            setSearched(null);
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
          required={!fromSearch}
          inputRef={lastName}
          value={fields.lastName}
          onChange={(value) => change({ lastName: value })}
        />
        <TextField
          label="First Name"
          upper
          required={!fromSearch}
          value={fields.firstName}
          onChange={(value) => change({ firstName: value })}
        />
        <DateField
          label="DOB"
          min={limits.EARLIEST_BIRTH_DATE}
          max={today()}
          value={fields.birthDate}
          error={dateError}
          onChange={(value) => change({ birthDate: value })}
        />
        <MaskedField
          label="SSN"
          mask={masks.ssn}
          value={fields.ssn}
          onChange={(value) => change({ ssn: value })}
        />
      </div>
      {hidden ? null : <div className="quiet">{messages.SEARCH_BEFORE_NEW_PATIENT}</div>}
      <div className="grid-place">
        <DataGrid
          label="Patients"
          grid={grid}
          columns={columns}
          onOpen={onSelect}
          idleText={messages.SEARCH_BEFORE_NEW_PATIENT}
          emptyText="No patients match this search"
        />
      </div>
    </FormDialog>
  );
}
