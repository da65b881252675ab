import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { z } from 'zod';

import { ApiError, describeError } from '../../../api';
import { GuardedDialog } from '../../../components/dialogs/GuardedDialog';
import { useRecordForm } from '../../../components/forms/useRecordForm';
import { Loaded, toLoadState } from '../../../components/records/Loaded';
import { toasts } from '../../../components/toasts';
import { limits, messages } from '../../../contract';
import {
  changePlace,
  editedPatientQuery,
  loadForEditing,
  refreshPatients,
  type EditedPatient,
  type PatientRecord,
  type PlaceWrite,
} from '../api';
import { fieldOptions, type PatientValues } from '../fields';
import { blank, toValues } from '../form';
import { PlaceFields } from './ClientSection';
import styles from './patientForm.module.css';

const NOT_FOUND = 404;
/** The dialog shows only a part of the patient's fields, so it must not validate the others. */
const schema = z.custom<PatientValues>();

const buildPlaceWrite = (
  id: number,
  { client, unit, room, bed, physician }: PatientValues,
): PlaceWrite => ({
  id,
  clientId: client?.id ?? null,
  unitId: unit?.id ?? null,
  roomId: room?.id ?? null,
  bed: bed.trim() || null,
  physicianId: physician?.id ?? null,
});

/** A patient that this user cannot see counts as a patient of another facility. */
const explain = (error: unknown): string =>
  error instanceof ApiError && error.status === NOT_FOUND
    ? messages.PATIENT_ASK_LAB
    : describeError(error);

interface UpdatePatientDialogProps {
  patientId: number;
  /** Why the dialog opened. */
  reason: string;
  onClose: () => void;
  /** Called after the patient's client, unit and room were saved. */
  onSaved: (patient: PatientRecord) => void;
}

/** Changes a patient's client, unit, room and primary physician (O 2.5). */
export function UpdatePatientDialog({
  patientId,
  reason,
  onClose,
  onSaved,
}: UpdatePatientDialogProps) {
  const queries = useQueryClient();
  const loadState = toLoadState(
    useQuery({
      ...editedPatientQuery(patientId),
      // Loaded only once: a newer copy would disturb the edits.
      staleTime: Infinity,
    }),
  );
  const patient = loadState.data;
  const [error, setError] = useState<string | null>(null);
  const { form, submit, isSaving, isDirty, notices } = useRecordForm<PatientValues, EditedPatient>({
    schema,
    defaults: blank,
    record: patient,
    toValues,
    save: async (values, context) => ({
      ...(await changePlace(buildPlaceWrite(patientId, values), context)),
      clientRow: values.client,
    }),
    reload: () => loadForEditing(patientId),
    ...fieldOptions,
    // This request has its own name for the primary physician.
    findField: (wire) => (wire === 'physicianId' ? 'physician' : fieldOptions.findField(wire)),
    explain,
    showError: setError,
    onSaved: (savedPatient) => {
      toasts.success(messages.PATIENT_SAVED);
      refreshPatients(queries);
      onSaved(savedPatient);
    },
  });
  const client = useWatch({ control: form.control, name: 'client' });
  const unit = useWatch({ control: form.control, name: 'unit' });
  const isPlaceComplete = client !== null && (client.unitsCount === 0 || unit !== null);
  return (
    <GuardedDialog
      isOpen
      isDirty={isDirty}
      title="Update Patient"
      width={limits.DIALOG_SEARCH_PATIENT_WIDTH_PX}
      onClose={onClose}
      onSubmit={() => {
        setError(null);
        void submit();
      }}
      submitDisabled={!patient || !isPlaceComplete}
      busy={isSaving}
    >
      <p className="quiet">{reason}</p>
      {notices}
      {error === null ? null : (
        <p role="alert" className={styles['problem']}>
          {error}
        </p>
      )}
      <Loaded loadState={loadState} explain={explain}>
        {({ lastName, firstName, code }) => (
          <>
            <p>
              <strong>
                {lastName}, {firstName}
              </strong>{' '}
              <span className="quiet">{code}</span>
            </p>
            <div className={styles['row']}>
              <PlaceFields form={form} />
            </div>
          </>
        )}
      </Loaded>
    </GuardedDialog>
  );
}
