import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  Navigate,
  NavigationType,
  useLocation,
  useNavigate,
  useNavigationType,
} from 'react-router';

import { usePermissions } from '../../../api';
import { blankLoadState, toLoadState } from '../../../components/records/Loaded';
import { RecordScreen } from '../../../components/records/RecordScreen';
import { useHistoryMemory } from '../../../components/useHistoryMemory';
import { NO_RECORD, useIdParameter, useRouteParameters } from '../../../components/routeParameters';
import { buildMatrix } from '../../../lib/matrix';
import { paths } from '../../../lib/paths';
import { patientQuery } from '../../patients/api';
import { useAddToRecentPatients } from '../../patients/recents';
import { requisitionQuery } from '../api';
import { copyQuery } from '../copying';
import { PATIENT_VISIT, patientReturnQuery, type PatientVisit } from '../patientVisit';
import { RequisitionEditor } from '../components/form/RequisitionEditor';

/**
 * Counts visits to the address that is already open, for example from the menu: they ask for a
 * blank form.
 */
function useRevisitCount(): number {
  const { key, pathname } = useLocation();
  const isPop = useNavigationType() === NavigationType.Pop;
  const [visit, setVisit] = useState({ key, pathname, count: 0 });
  if (key !== visit.key) {
    const isRevisit = !isPop && pathname === visit.pathname;
    setVisit({ key, pathname, count: visit.count + (isRevisit ? 1 : 0) });
  }
  return visit.count;
}

/**
 * Identifies the form on screen. Another address is another form; a new requisition keeps its form
 * when saving gives it an id.
 */
function useFormIdentity(address: string, id: number | null) {
  const [form, setForm] = useState<{
    address: string;
    generation: number;
    createdId: number | null;
  }>({ address, generation: 0, createdId: null });
  if (form.address !== address) {
    const keepsForm = id !== null && id === form.createdId;
    setForm({
      address,
      generation: keepsForm ? form.generation : form.generation + 1,
      createdId: keepsForm ? id : null,
    });
  }
  return {
    key: form.generation,
    created: (createdId: number) => setForm((current) => ({ ...current, createdId })),
    /** Starts a blank form at the same address. */
    startOver: () =>
      setForm((current) => ({ ...current, generation: current.generation + 1, createdId: null })),
  };
}

/** The form of the requisition in the address, of a new one, or of a copy. */
export default function RequisitionForm() {
  const id = useIdParameter();
  const patientId = useIdParameter('patientId');
  const copyOf = useIdParameter('copyOf');
  const { search } = useRouteParameters();
  const revisitCount = useRevisitCount();
  const form = useFormIdentity(JSON.stringify([id, patientId, copyOf, search, revisitCount]), id);
  const navigate = useNavigate();
  const canOrder = usePermissions().may('createRequisition');
  const isMangled = (id ?? copyOf ?? patientId) === NO_RECORD;

  const requisition = useQuery({
    ...requisitionQuery(id ?? 0),
    enabled: id !== null && !isMangled,
  });
  const patient = useQuery({
    ...patientQuery(patientId ?? 0),
    enabled: id === null && copyOf === null && patientId !== null && !isMangled,
  });
  // The address may name a patient who was just registered.
  useAddToRecentPatients(patient.data ?? null);
  const copy = useQuery({
    ...copyQuery(copyOf ?? 0),
    enabled: id === null && copyOf !== null && !isMangled,
  });

  const visit = useHistoryMemory<PatientVisit | null>(PATIENT_VISIT).read() ?? null;
  const patientReturn = useQuery({
    ...patientReturnQuery(id, visit ?? { patientId: 0, draftId: null }),
    enabled: visit !== null,
  });

  // Physicians open requisitions from the search and cannot create any (DECISIONS).
  if (id === null && !canOrder) return <Navigate to={paths.requisitionSearch} replace />;

  const patientLoadState = patientId === null ? blankLoadState : toLoadState(patient);
  const newLoadState = copyOf === null ? patientLoadState : toLoadState(copy);
  const recordLoadState = id === null ? newLoadState : toLoadState(requisition);
  const isReturning = visit !== null && patientReturn.data === undefined;
  const loadState = isReturning ? toLoadState(patientReturn) : recordLoadState;

  return (
    <RecordScreen<unknown>
      title={id === null ? 'New Requisition' : 'Edit Requisition'}
      loadState={isMangled ? null : loadState}
      start={paths.requisitionSearch}
    >
      {() => (
        <RequisitionEditor
          key={form.key}
          requisition={id === null ? null : (requisition.data ?? null)}
          patient={patient.data ?? null}
          copy={id === null ? (copy.data ?? null) : null}
          patientReturn={patientReturn.data ?? null}
          onCreated={(savedRequisition) => {
            form.created(savedRequisition.id);
            void navigate(buildMatrix(paths.requisitionForm, { id: savedRequisition.id }), {
              replace: true,
            });
          }}
          onStartOver={(patientId) => {
            form.startOver();
            void navigate(buildMatrix(paths.requisitionForm, { patientId }), {
              replace: true,
            });
          }}
        />
      )}
    </RecordScreen>
  );
}
