import { useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router';

import { hasPendingText } from '../../../../components/forms/pendingText';
import type { RecordForm } from '../../../../components/forms/recordForm';
import { toasts } from '../../../../components/toasts';
import { useHistoryMemory } from '../../../../components/useHistoryMemory';
import { messages } from '../../../../contract';
import { buildMatrix } from '../../../../lib/matrix';
import { paths } from '../../../../lib/paths';
import type { Requisition, RequisitionPatient } from '../../api';
import type { RequisitionValues } from '../../fields';
import { isLocked, type Locks } from '../../form';
import { changePatient, restoreDraft } from '../../patientChange';
import { isSameSnapshot } from '../../patientSnapshot';
import { PATIENT_VISIT, type PatientReturn, type PatientVisit } from '../../patientVisit';

interface PatientVisitOptions {
  record: RecordForm<RequisitionValues, Requisition>;
  locks: Locks;
  draftId: string;
  /** The patient of a new form's address. */
  addressedPatient: RequisitionPatient | null;
  /** The patient and the draft on return from the patient's form; otherwise null. */
  patientReturn: PatientReturn | null;
}

/**
 * Leads to the patient's form and back, and keeps the edits of this form meanwhile.
 * @returns the function that opens the patient's form
 */
export function usePatientVisit({ record, locks, draftId, ...options }: PatientVisitOptions) {
  const { addressedPatient, patientReturn } = options;
  const navigate = useNavigate();
  const visit = useHistoryMemory<PatientVisit | null>(PATIENT_VISIT);
  const { form, restore } = record;

  /** Shows a patient whose details were changed; saving stores them in the requisition. */
  const showChanged = (newPatient: RequisitionPatient) => {
    const values = form.getValues();
    const isSelected = values.patient?.id === newPatient.id;
    if (!isSelected || isLocked('patient', locks)) return;
    if (values.patient !== null && isSameSnapshot(values.patient, newPatient)) return;
    for (const [name, value] of Object.entries(changePatient(values, newPatient).values)) {
      form.setValue(name as keyof RequisitionValues, value, { shouldDirty: true });
    }
  };
  const continueAfterVisit = useEffectEvent(() => {
    if (patientReturn === null) return;
    visit.write(null);
    const current = form.getValues();
    if (record.record === undefined) {
      const patient = patientReturn.patient ?? addressedPatient;
      if (patientReturn.draft)
        restore(restoreDraft(patientReturn.draft.values, current, patient).values);
      return;
    }
    if (patientReturn.draft) {
      const { values, version, base } = patientReturn.draft;
      record.restoreEdits(restoreDraft(values, current, null).values, { version, base });
    }
    if (patientReturn.patient) showChanged(patientReturn.patient);
  });
  useEffect(() => continueAfterVisit(), []);

  /** Opens the patient's form. The edits stay in the draft until the user returns. */
  return async (patientId: number): Promise<void> => {
    if (await hasPendingText()) return;
    const isDirty = record.isDirtyNow();
    if (isDirty && !(await record.storeDraft())) {
      toasts.error(messages.DRAFT_NOT_STORED);
      return;
    }
    visit.write({ patientId, draftId: isDirty ? draftId : null });
    record.allowNavigation();
    void navigate(buildMatrix(paths.patientForm, { id: patientId }));
  };
}
