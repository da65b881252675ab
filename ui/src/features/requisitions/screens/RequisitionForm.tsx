import { NonIdealState, Spinner } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Navigate, useNavigate } from 'react-router';

import { describe, useHasRole } from '../../../api';
import { buildMatrix, PageToolbar, useIdParameter } from '../../../components';
import { WarningSignIcon } from '../../../components/icons';
import { Role } from '../../../contract';
import { loadPatient } from '../../patients/api';
import { loadRequisition, requisitionKey } from '../api';
import { loadCopy } from '../copying';
import { RequisitionEditor } from '../components/RequisitionEditor';

const PATH = '/secured/requisitions/create';

/**
 * The requisition of the address, or a new one. A requisition that was begun here keeps its form
 * when saving gives it an id; any other id is another form.
 */
export default function RequisitionForm() {
  const id = useIdParameter();
  const patientId = useIdParameter('patientId');
  const copyOf = useIdParameter('copyOf');
  const navigate = useNavigate();
  const mayOrder = !useHasRole(Role.PHYSICIAN, Role.PATIENT);
  const [form, setForm] = useState<{
    generation: number;
    createdId: number | null;
    /** What the requisition that was created here is a copy of. */
    createdFrom: number | null;
  }>({ generation: 0, createdId: null, createdFrom: null });

  const requisition = useQuery({
    queryKey: requisitionKey(id ?? 0),
    queryFn: ({ signal }) => loadRequisition(id ?? 0, signal),
    enabled: id !== null,
    meta: { quiet: true },
  });
  const patient = useQuery({
    queryKey: ['patient', patientId],
    queryFn: ({ signal }) => loadPatient(patientId ?? 0, signal),
    enabled: id === null && copyOf === null && patientId !== null,
    meta: { quiet: true },
  });
  const copy = useQuery({
    queryKey: ['requisition-copy', copyOf],
    queryFn: ({ signal }) => loadCopy(copyOf ?? 0, signal),
    enabled: id === null && copyOf !== null,
    // A copy is taken once; what is typed on it must not be replaced by another.
    staleTime: Infinity,
    gcTime: 0,
    meta: { quiet: true },
  });

  // A physician opens requisitions from the search and creates none (DECISIONS).
  if (id === null && !mayOrder) return <Navigate to="/secured/requisitions/search" replace />;

  const begun = copyOf === null ? patient : copy;
  const waiting =
    id === null ? (copyOf ?? patientId) !== null && begun.isPending : requisition.isPending;
  const failure = id === null ? begun.error : requisition.error;
  if (waiting || failure) {
    return (
      <>
        <PageToolbar title={id === null ? 'New Requisition' : 'Edit Requisition'} />
        {waiting ? (
          <Spinner aria-label="Loading" />
        ) : (
          <NonIdealState icon={<WarningSignIcon size={32} />} title={describe(failure)} />
        )}
      </>
    );
  }

  const isOwn = id === null || id === form.createdId;
  const source = id === null ? copyOf : form.createdFrom;
  return (
    <RequisitionEditor
      key={isOwn ? `new-${form.generation}-${source ?? ''}` : `id-${id}`}
      requisition={id === null ? null : (requisition.data ?? null)}
      patient={patient.data ?? null}
      copied={id === null ? (copy.data ?? null) : null}
      onCreated={(saved) => {
        setForm((now) => ({ ...now, createdId: saved.id, createdFrom: source }));
        void navigate(buildMatrix(PATH, { id: saved.id }), { replace: true });
      }}
      onStartOver={(same) => {
        setForm((now) => ({
          generation: now.generation + 1,
          createdId: null,
          createdFrom: null,
        }));
        void navigate(same === null ? PATH : buildMatrix(PATH, { patientId: same }), {
          replace: true,
        });
      }}
    />
  );
}
