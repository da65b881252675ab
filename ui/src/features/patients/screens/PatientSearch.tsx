import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router';

import { PageToolbar, type PageAction } from '../../../components/PageToolbar';
import { DataGrid } from '../../../components/grid/DataGrid';
import type { GridColumn } from '../../../components/grid/types';
import { useGrid, type SavedGrid } from '../../../components/grid/useGrid';
import { EditIcon, FormIcon, HistoryIcon, NewPersonIcon } from '../../../components/icons';
import { useSearch, type SavedSearch } from '../../../components/useSearch';
import { useHistoryMemory } from '../../../components/useHistoryMemory';
import { useScreen } from '../../../components/useMedia';
import { useOpenPath } from '../../../components/useOpenPath';
import { messages } from '../../../contract';
import { formatDate } from '../../../lib/dates';
import { buildMatrix } from '../../../lib/matrix';
import { paths } from '../../../lib/paths';
import { formatRoomAndBed } from '../../../lib/place';
import { buildSearchQuery, PATIENT_LIST_PATH, type PatientRow } from '../api';
import {
  isSearchable,
  PatientFilters,
  type PatientFilterValues,
} from '../components/PatientFilters';
import { PatientTimeline } from '../components/PatientTimeline';
import { UpdatePatientDialog } from '../components/UpdatePatientDialog';
import { usePatientChoice } from '../components/usePatientChoice';

const createBlankFilters = (): PatientFilterValues => ({
  lastName: '',
  firstName: '',
  birthDate: '',
  ssn: '',
  client: null,
});

const BY_NAME = [
  { column: 'lastName', descending: false },
  { column: 'firstName', descending: false },
];

const columns: readonly GridColumn<PatientRow>[] = [
  {
    id: 'code',
    title: 'Patient Id',
    width: 104,
    cell: (row) => row.code,
    sort: 'code',
    filter: 'code',
    rigid: true,
    card: 'aside',
  },
  {
    id: 'lastName',
    title: 'Last Name',
    width: 150,
    cell: (row) => row.lastName,
    sort: 'lastName',
    filter: 'lastName',
    card: 'title',
  },
  {
    id: 'firstName',
    title: 'First Name',
    width: 140,
    cell: (row) => row.firstName,
    sort: 'firstName',
    filter: 'firstName',
    card: 'title',
  },
  {
    id: 'birthDate',
    title: 'Birth Date',
    width: 104,
    cell: (row) => formatDate(row.birthDate),
    sort: 'birthDate',
    filter: 'birthDate',
    filterKind: 'date',
    rigid: true,
  },
  { id: 'gender', title: 'Gender', width: 92, cell: (row) => row.gender, dropOrder: 2 },
  { id: 'ssn', title: 'SSN', width: 116, cell: (row) => row.ssn ?? '', rigid: true, dropOrder: 1 },
  { id: 'client', title: 'Client', width: 190, cell: (row) => row.clientName },
  { id: 'unit', title: 'Unit', width: 100, cell: (row) => row.unit ?? '', dropOrder: 3 },
  {
    id: 'room',
    title: 'Room - Bed',
    width: 100,
    cell: (row) => formatRoomAndBed(row.room, row.bed),
    dropOrder: 4,
  },
];

/** The patients of the portal: search, edit, timeline, and a new requisition for one. */
export default function PatientSearch() {
  const navigate = useNavigate();
  const openPath = useOpenPath();
  const isHandheld = useScreen() !== 'desktop';
  const [timelineOf, setTimelineOf] = useState<PatientRow | null>(null);
  const search = useSearch(
    createBlankFilters,
    keepValues,
    isSearchable,
    useHistoryMemory<SavedSearch<PatientFilterValues>>('patients-search'),
  );
  const { applied } = search;
  const filters = useMemo(
    () => applied && { ...buildSearchQuery(applied, true), clientIds: applied.client?.id },
    [applied],
  );
  const grid = useGrid<PatientRow>({
    name: 'patients',
    path: PATIENT_LIST_PATH,
    filters,
    defaultSort: BY_NAME,
    getRowId: (row) => row.id,
    run: search.run,
    memory: useHistoryMemory<SavedGrid>('patients-grid'),
  });
  const isOutdated = search.isOutdated || grid.isFilterRowCleared;
  const openRequisition = ({ id }: { id: number }) =>
    void openPath(buildMatrix(paths.requisitionForm, { patientId: id }));
  // A requisition needs a patient with client, unit and room, as when chosen in its form.
  const choice = usePatientChoice(false, openRequisition);

  const [selectedPatient] = grid.selectedRows;
  const isSingle = grid.selectedRows.length === 1 && selectedPatient !== undefined;
  const rowState = {
    disabled: !isSingle,
    reason: isSingle ? undefined : messages.SELECT_ONE_PATIENT,
  };
  // The form returns here by going back, which restores this search.
  const editRow = (row: PatientRow) =>
    void navigate(buildMatrix(paths.patientForm, { id: row.id }));
  const registerPatient = () => {
    const { lastName, firstName, birthDate: dob, ssn } = search.values;
    const parameters = isSearchable(search.values) ? { lastName, firstName, dob, ssn } : {};
    void navigate(paths.patientForm, { state: { parameters } });
  };
  const rowActions: PageAction[] = [
    {
      label: 'Edit Patient',
      icon: <EditIcon />,
      ...rowState,
      onClick: () => selectedPatient && editRow(selectedPatient),
    },
    {
      label: 'Timeline',
      icon: <HistoryIcon />,
      ...rowState,
      onClick: () => selectedPatient && setTimelineOf(selectedPatient),
    },
    {
      label: 'New Requisition',
      icon: <FormIcon />,
      ...rowState,
      loading: choice.isChecking,
      onClick: () => selectedPatient && choice.choose(selectedPatient),
    },
  ];

  return (
    <>
      <PageToolbar
        title="Patients"
        actions={[
          {
            label: 'New Patient',
            icon: <NewPersonIcon />,
            intent: 'primary',
            isAlwaysShown: true,
            disabled: grid.status !== 'ready',
            reason: grid.status === 'ready' ? undefined : messages.SEARCH_BEFORE_NEW_PATIENT,
            onClick: registerPatient,
          },
          ...(isHandheld ? rowActions : []),
        ]}
      />
      <PatientFilters
        search={{
          ...search,
          isOutdated,
          clear: () => {
            search.clear();
            grid.clearFilterRow('withSearch');
          },
        }}
      />
      <div className="grid-place">
        <DataGrid
          label="Patients"
          grid={grid}
          isOutdated={isOutdated}
          columns={columns}
          selectable
          actions={rowActions}
          onOpen={editRow}
          emptyText="No patients match this search"
        />
      </div>
      {timelineOf === null ? null : (
        <PatientTimeline
          patientId={timelineOf.id}
          name={`${timelineOf.lastName}, ${timelineOf.firstName}`}
          code={timelineOf.code}
          onClose={() => setTimelineOf(null)}
        />
      )}
      {choice.patientToPlace === null ? null : (
        <UpdatePatientDialog
          patientId={choice.patientToPlace.row.id}
          reason={choice.patientToPlace.reason}
          onClose={choice.onPlaceCanceled}
          onSaved={() => {
            choice.onPlaced();
            choice.onPlaceCanceled();
          }}
        />
      )}
    </>
  );
}

const keepValues = (values: PatientFilterValues) => values;
