import { Spinner } from '@blueprintjs/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';

import { ApiError, describe, newIdempotencyKey } from '../../../api';
import { FormDialog } from '../../../components/dialogs/FormDialog';
import { toasts } from '../../../components/toasts';
import { limits, messages } from '../../../contract';
import { changePlace, loadForEditing, PATIENT_LIST_PATH, type PatientRecord } from '../api';
import { blank, fieldOf, toValues, type PatientValues } from '../form';
import { PlaceFields } from './ClientSection';
import styles from './patientForm.module.css';

const NOT_FOUND = 404;
const STALE = 412;

/** Who is not there for this person belongs to another facility, as far as they can be told. */
const explain = (error: unknown): string =>
  error instanceof ApiError && error.status === NOT_FOUND
    ? messages.PATIENT_ASK_LAB
    : describe(error);

interface UpdatePatientDialogProps {
  patientId: number;
  onClose: () => void;
  /** The patient's place is settled and saved. */
  onSaved: (patient: PatientRecord) => void;
}

/** Settles a patient's client, place and primary physician (O 2.5). */
export function UpdatePatientDialog({ patientId, onClose, onSaved }: UpdatePatientDialogProps) {
  const queries = useQueryClient();
  const { data: patient, error } = useQuery({
    queryKey: ['patients', 'settled', patientId],
    queryFn: ({ signal }) => loadForEditing(patientId, signal),
    // Read once each time: an old copy, or a newer one in mid-edit, would only be in the way.
    staleTime: Infinity,
    gcTime: 0,
    meta: { quiet: true },
  });
  const values = useMemo(() => (patient ? toValues(patient) : blank), [patient]);
  const form = useForm<PatientValues>({ values });
  const newer = useRef<number | null>(null);
  const [saving, setSaving] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const client = useWatch({ control: form.control, name: 'client' });
  const unit = useWatch({ control: form.control, name: 'unit' });
  const valid = client !== null && (client.unitsCount === 0 || unit !== null);

  const failed = async (failure: unknown) => {
    if (!(failure instanceof ApiError)) throw failure;
    for (const { field, message } of failure.errors) {
      const name = fieldOf(field);
      if (name !== null) form.setError(name, { type: 'server', message });
    }
    if (failure.status === STALE) {
      // What was chosen here stays; the next Save goes on top of the newer record.
      newer.current = (await loadForEditing(patientId)).version;
      setProblem(messages.VERSION_CONFLICT);
    } else {
      setProblem(explain(failure));
    }
  };

  const save = async () => {
    if (!patient) return;
    const { bed, room, physician } = form.getValues();
    setSaving(true);
    setProblem(null);
    try {
      const saved = await changePlace(
        {
          id: patient.id,
          clientId: client?.id ?? null,
          unitId: unit?.id ?? null,
          roomId: room?.id ?? null,
          bed: bed.trim() || null,
          physicianId: physician?.id ?? null,
        },
        { idempotencyKey: newIdempotencyKey(), version: newer.current ?? patient.version },
      );
      toasts.success(messages.PATIENT_SAVED);
      void queries.invalidateQueries({ queryKey: [PATIENT_LIST_PATH] });
      void queries.invalidateQueries({ queryKey: ['patients'] });
      onSaved(saved);
    } catch (failure) {
      await failed(failure).catch((second: unknown) => setProblem(describe(second)));
    } finally {
      setSaving(false);
    }
  };

  const said = problem ?? (error ? explain(error) : null);
  return (
    <FormDialog
      isOpen
      title="Update Patient"
      width={limits.DIALOG_SEARCH_PATIENT_WIDTH_PX}
      onClose={onClose}
      onSubmit={() => void save()}
      submitDisabled={!patient || !valid}
      busy={saving}
    >
      {said === null ? null : (
        <p role="alert" className={styles['problem']}>
          {said}
        </p>
      )}
      {patient ? (
        <>
          <p>
            <strong>
              {patient.lastName}, {patient.firstName}
            </strong>{' '}
            <span className="quiet number">{patient.code}</span>
          </p>
          <div className={styles['row']}>
            <PlaceFields form={form} />
          </div>
        </>
      ) : error ? null : (
        <Spinner aria-label="Loading" />
      )}
    </FormDialog>
  );
}
