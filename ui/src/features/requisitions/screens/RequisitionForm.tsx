import { NonIdealState, Spinner } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';

import { describe } from '../../../api';
import { buildMatrix, PageToolbar, useIdParameter } from '../../../components';
import { WarningSignIcon } from '../../../components/icons';
import { loadPatient } from '../../patients/api';
import { loadRequisition, requisitionKey } from '../api';
import { RequisitionEditor } from '../components/RequisitionEditor';

const PATH = '/secured/requisitions/create';

/**
 * The requisition of the address, or a new one. A requisition that was begun here keeps its form
 * when saving gives it an id; any other id is another form.
 */
export default function RequisitionForm() {
  const id = useIdParameter();
  const patientId = useIdParameter('patientId');
  const navigate = useNavigate();
  const [form, setForm] = useState<{
    generation: number;
    createdId: number | null;
  }>({ generation: 0, createdId: null });

  const requisition = useQuery({
    queryKey: requisitionKey(id ?? 0),
    queryFn: ({ signal }) => loadRequisition(id ?? 0, signal),
    enabled: id !== null,
    meta: { quiet: true },
  });
  const patient = useQuery({
    queryKey: ['patient', patientId],
    queryFn: ({ signal }) => loadPatient(patientId ?? 0, signal),
    enabled: id === null && patientId !== null,
    meta: { quiet: true },
  });

  const waiting =
    (id !== null && requisition.isPending) ||
    (id === null && patientId !== null && patient.isPending);
  const failure = id === null ? patient.error : requisition.error;
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
  return (
    <RequisitionEditor
      key={isOwn ? `new-${form.generation}` : `id-${id}`}
      requisition={id === null ? null : (requisition.data ?? null)}
      patient={patient.data ?? null}
      onCreated={(saved) => {
        setForm((now) => ({ ...now, createdId: saved.id }));
        void navigate(buildMatrix(PATH, { id: saved.id }), { replace: true });
      }}
      onStartOver={(same) => {
        setForm((now) => ({ generation: now.generation + 1, createdId: null }));
        void navigate(same === null ? PATH : buildMatrix(PATH, { patientId: same }), {
          replace: true,
        });
      }}
    />
  );
}
