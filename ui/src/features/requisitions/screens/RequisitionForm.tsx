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
import { nothingToRead, readingOf } from '../../../components/records/Loaded';
import { RecordScreen } from '../../../components/records/RecordScreen';
import { useIdParameter, useRouteParameters } from '../../../components/routeParameters';
import { buildMatrix } from '../../../lib/matrix';
import { paths } from '../../../lib/paths';
import { patientQuery } from '../../patients/api';
import { requisitionQuery } from '../api';
import { copyQuery } from '../copying';
import { RequisitionEditor } from '../components/form/RequisitionEditor';

/** How often the open address was gone to again, as by the menu: a blank form is meant. */
function useTimesAgain(): number {
  const { key, pathname } = useLocation();
  const isPop = useNavigationType() === NavigationType.Pop;
  const [visit, setVisit] = useState({ key, pathname, again: 0 });
  if (key !== visit.key) {
    const isAgain = !isPop && pathname === visit.pathname;
    setVisit({ key, pathname, again: visit.again + (isAgain ? 1 : 0) });
  }
  return visit.again;
}

/**
 * Which form is on the screen. Another address is another form, blank or of that requisition; a
 * requisition that was begun here keeps its form when saving gives it an id.
 */
function useWhichForm(address: string, id: number | null) {
  const [form, setForm] = useState<{
    address: string;
    generation: number;
    createdId: number | null;
  }>({ address, generation: 0, createdId: null });
  if (form.address !== address) {
    const keeps = id !== null && id === form.createdId;
    setForm({
      address,
      generation: keeps ? form.generation : form.generation + 1,
      createdId: keeps ? id : null,
    });
  }
  return {
    key: form.generation,
    created: (createdId: number) => setForm((now) => ({ ...now, createdId })),
    /** A blank form at the same address. */
    startOver: () =>
      setForm((now) => ({ ...now, generation: now.generation + 1, createdId: null })),
  };
}

/** The requisition of the address, a new one, or one that begins as a copy. */
export default function RequisitionForm() {
  const id = useIdParameter();
  const patientId = useIdParameter('patientId');
  const copyOf = useIdParameter('copyOf');
  const { search } = useRouteParameters();
  const again = useTimesAgain();
  const form = useWhichForm(JSON.stringify([id, patientId, copyOf, search, again]), id);
  const navigate = useNavigate();
  const mayOrder = usePermissions().may('createRequisition');

  const requisition = useQuery({
    ...requisitionQuery(id ?? 0),
    enabled: id !== null,
  });
  const patient = useQuery({
    ...patientQuery(patientId ?? 0),
    enabled: id === null && copyOf === null && patientId !== null,
  });
  const copy = useQuery({
    ...copyQuery(copyOf ?? 0),
    enabled: id === null && copyOf !== null,
  });

  // A physician opens requisitions from the search and creates none (DECISIONS).
  if (id === null && !mayOrder) return <Navigate to={paths.requisitionSearch} replace />;

  const begun = copyOf !== null ? readingOf(copy) : patientId !== null ? readingOf(patient) : null;
  const reading = id === null ? (begun ?? nothingToRead) : readingOf(requisition);

  return (
    <RecordScreen<unknown>
      title={id === null ? 'New Requisition' : 'Edit Requisition'}
      reading={reading}
      start={paths.requisitionSearch}
    >
      {() => (
        <RequisitionEditor
          key={form.key}
          requisition={id === null ? null : (requisition.data ?? null)}
          patient={patient.data ?? null}
          copied={id === null ? (copy.data ?? null) : null}
          onCreated={(saved) => {
            form.created(saved.id);
            void navigate(buildMatrix(paths.requisitionForm, { id: saved.id }), { replace: true });
          }}
          onStartOver={(same) => {
            form.startOver();
            void navigate(buildMatrix(paths.requisitionForm, { patientId: same }), {
              replace: true,
            });
          }}
        />
      )}
    </RecordScreen>
  );
}
