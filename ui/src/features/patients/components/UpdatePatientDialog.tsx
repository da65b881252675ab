import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { z } from 'zod';

import { ApiError, describe } from '../../../api';
import { FormDialog } from '../../../components/dialogs/FormDialog';
import { useRecordForm } from '../../../components/forms/useRecordForm';
import { Loaded, readingOf } from '../../../components/records/Loaded';
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
/** The rest of the patient is not on the screen, and nothing of it stands in the way. */
const schema = z.custom<PatientValues>();

const placeOf = (
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

/** Who is not there for this person belongs to another facility, as far as they can be told. */
const explain = (error: unknown): string =>
  error instanceof ApiError && error.status === NOT_FOUND
    ? messages.PATIENT_ASK_LAB
    : describe(error);

interface UpdatePatientDialogProps {
  patientId: number;
  onClose: () => void;
  /** The patient's place is chosen and saved. */
  onSaved: (patient: PatientRecord) => void;
}

/** Changes a patient's client, place and primary physician (O 2.5). */
export function UpdatePatientDialog({ patientId, onClose, onSaved }: UpdatePatientDialogProps) {
  const queries = useQueryClient();
  const reading = readingOf(
    useQuery({
      ...editedPatientQuery(patientId),
      // Read once each time: a newer copy in mid-edit would only be in the way.
      staleTime: Infinity,
    }),
  );
  const patient = reading.data;
  const [problem, setProblem] = useState<string | null>(null);
  const { form, submit, saving, notices } = useRecordForm<PatientValues, EditedPatient>({
    schema,
    defaults: blank,
    record: patient,
    toValues,
    save: async (values, context) => ({
      ...(await changePlace(placeOf(patientId, values), context)),
      clientRow: values.client,
    }),
    reload: () => loadForEditing(patientId),
    ...fieldOptions,
    // This call has a name of its own for the primary physician.
    fieldOf: (wire) => (wire === 'physicianId' ? 'physician' : fieldOptions.fieldOf(wire)),
    explain,
    tell: setProblem,
    onSaved: (saved) => {
      toasts.success(messages.PATIENT_SAVED);
      refreshPatients(queries);
      onSaved(saved);
    },
  });
  const client = useWatch({ control: form.control, name: 'client' });
  const unit = useWatch({ control: form.control, name: 'unit' });
  const isPlaced = client !== null && (client.unitsCount === 0 || unit !== null);
  return (
    <FormDialog
      isOpen
      title="Update Patient"
      width={limits.DIALOG_SEARCH_PATIENT_WIDTH_PX}
      onClose={onClose}
      onSubmit={() => {
        setProblem(null);
        void submit();
      }}
      submitDisabled={!patient || !isPlaced}
      busy={saving}
    >
      {notices}
      {problem === null ? null : (
        <p role="alert" className={styles['problem']}>
          {problem}
        </p>
      )}
      <Loaded reading={reading} explain={explain}>
        {({ lastName, firstName, code }) => (
          <>
            <p>
              <strong>
                {lastName}, {firstName}
              </strong>{' '}
              <span className="quiet number">{code}</span>
            </p>
            <div className={styles['row']}>
              <PlaceFields form={form} />
            </div>
          </>
        )}
      </Loaded>
    </FormDialog>
  );
}
