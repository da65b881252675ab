/** The records that users are assigned to: the columns of P 2. */
import type { GridColumn } from '../../../components/grid/types';
import type { RowColumn } from '../../../components/rows/RowGrid';
import type { Wire } from '../../../contract';
import { formatDate } from '../../../lib/dates';
import { CLIENT_LIST_PATH, PATIENT_LIST_PATH, PHYSICIAN_LIST_PATH } from '../api';
import { fields, type AssignedClient, type AssignedPatient, type AssignedPhysician } from '../form';
import type { AssignmentKind } from './AssignmentPicker';
import styles from './users.module.css';

type ClientRow = Wire<'ClientsRow'>;
type PhysicianRow = Wire<'PhysiciansRow'>;
type PatientRow = Wire<'PatientsRow'>;

interface Person {
  lastName?: string | null | undefined;
  firstName?: string | null | undefined;
}

const nameColumns: readonly GridColumn<{ lastName: string; firstName: string }>[] = [
  {
    id: 'lastName',
    title: 'Last Name',
    width: 140,
    cell: (row) => row.lastName,
    sort: 'lastName',
    filter: 'lastName',
    card: 'title',
  },
  {
    id: 'firstName',
    title: 'First Name',
    width: 120,
    cell: (row) => row.firstName,
    filter: 'firstName',
    card: 'title',
  },
];

const personColumns: readonly RowColumn<Person>[] = [
  {
    id: 'lastName',
    title: 'Last Name',
    card: 'title',
    render: (person) => (
      <>
        {person.lastName ?? 'Patient of another client'}
        {person.firstName ? (
          <span className={styles['given']}>{`, ${person.firstName}`}</span>
        ) : null}
      </>
    ),
  },
  {
    id: 'firstName',
    title: 'First Name',
    card: 'hidden',
    render: (person) => person.firstName ?? '',
  },
];

const getName = (person: Person): string =>
  `${person.lastName ?? 'patient'}, ${person.firstName ?? ''}`;

export const clientKind: AssignmentKind<AssignedClient, ClientRow> = {
  label: fields.clients.label,
  path: CLIENT_LIST_PATH,
  gridName: 'user-clients',
  sort: 'name',
  pickerColumns: [
    {
      id: 'code',
      title: 'Code',
      width: 110,
      cell: (row) => row.code,
      sort: 'code',
      filter: 'code',
      rigid: true,
      card: 'aside',
    },
    {
      id: 'name',
      title: 'Name',
      width: 260,
      cell: (row) => row.name,
      sort: 'name',
      filter: 'name',
      card: 'title',
    },
  ],
  columns: [
    { id: 'code', title: 'Code', width: '110px', render: (row) => row.code },
    { id: 'name', title: 'Name', card: 'title', render: (row) => row.name },
  ],
  toItem: ({ id, code, name }) => ({ id, code, name, isLocked: false }),
  getName: ({ name }) => name,
};

export const physicianKind: AssignmentKind<AssignedPhysician, PhysicianRow> = {
  label: fields.physicians.label,
  path: PHYSICIAN_LIST_PATH,
  gridName: 'user-physicians',
  sort: 'lastName',
  pickerColumns: [
    {
      id: 'npi',
      title: 'NPI',
      width: 110,
      cell: (row) => row.npi,
      sort: 'npi',
      filter: 'npi',
      rigid: true,
      card: 'aside',
    },
    ...nameColumns,
  ],
  columns: [
    { id: 'npi', title: 'NPI', width: '110px', render: (row) => row.npi },
    ...personColumns,
  ],
  toItem: ({ id, npi, lastName, firstName }) => ({ id, npi, lastName, firstName, isLocked: false }),
  getName,
};

export const patientKind: AssignmentKind<AssignedPatient, PatientRow> = {
  label: fields.patients.label,
  path: PATIENT_LIST_PATH,
  gridName: 'user-patients',
  sort: 'lastName',
  pickerColumns: [
    {
      id: 'code',
      title: 'Code',
      width: 100,
      cell: (row) => row.code,
      sort: 'code',
      filter: 'code',
      rigid: true,
      card: 'aside',
    },
    ...nameColumns,
    {
      id: 'birthDate',
      title: 'Birth Date',
      width: 104,
      cell: (row) => formatDate(row.birthDate),
      rigid: true,
    },
  ],
  columns: [
    { id: 'code', title: 'Code', width: '100px', render: (row) => row.code ?? '' },
    ...personColumns,
    {
      id: 'birthDate',
      title: 'Birth Date',
      width: '100px',
      render: (row) => formatDate(row.birthDate ?? ''),
    },
  ],
  toItem: ({ id, code, lastName, firstName, birthDate }) => ({
    id,
    code,
    lastName,
    firstName,
    birthDate,
    isLocked: false,
  }),
  getName,
};
