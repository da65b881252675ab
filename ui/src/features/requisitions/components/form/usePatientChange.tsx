import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type ReactElement } from 'react';
import type { UseFormReturn } from 'react-hook-form';

import { ApiError, describeError } from '../../../../api';
import { toasts } from '../../../../components/toasts';
import { limits, messages, say } from '../../../../contract';
import { loadPatient } from '../../../patients/api';
import type { Requisition, RequisitionPatient } from '../../api';
import type { RequisitionCopy } from '../../copying';
import { documentsQuery } from '../../documents';
import type { RequisitionValues } from '../../fields';
import { buildRemovedNotice, changePatient, formatName } from '../../patientChange';
import { describeEntries, removeEntries, restoreEntries, type Entries } from '../../patientEntries';
import {
  PatientChangeDialog,
  type PatientChangeAnswer,
  type PatientChangeQuestion,
} from './PatientChangeDialog';
import type { WaitingDocuments } from '../../../../components/documents/useWaitingDocuments';

interface PatientChangeOptions {
  form: UseFormReturn<RequisitionValues>;
  /** The saved requisition; null for a new one. */
  requisition: Requisition | null;
  /** The copy that a new form started from, with values of the copied patient. */
  copy: RequisitionCopy | null;
  documents: WaitingDocuments;
}

/** The patient before and after a change, and what was entered for the earlier one. */
interface PatientSwitch {
  previous: RequisitionPatient | null;
  chosenPatient: RequisitionPatient | null;
  entries: Entries;
}

interface PatientChange {
  /** Whether a chosen patient is being loaded, or a question about them is open. */
  isChoosing: boolean;
  /** Puts the patient with this id into the form. */
  select: (id: number) => Promise<void>;
  /** Asks what happens to the entries, if there are any. */
  askAboutEntries: (patientSwitch: PatientSwitch) => Promise<PatientChangeAnswer>;
  /** Removes the entries from the form, and offers to undo that. */
  clear: (patientSwitch: PatientSwitch) => void;
  /** The open question; render it once in the form. */
  question: ReactElement | null;
}

const CHANGE = { shouldDirty: true, shouldValidate: true };

/**
 * Returns the previous patient with the lists that the form copied, so that they can be removed from
 * the form. The lists are loaded only if another patient was chosen. If the previous patient is no
 * longer accessible, all diagnoses and medications of the form count as copied.
 */
async function loadPreviousPatient(
  { patient, diagnoses, medications }: RequisitionValues,
  chosenId: number,
): Promise<RequisitionPatient | null> {
  if (patient === null || patient.id === chosenId || patient.diagnoses) return patient;
  try {
    return await loadPatient(patient.id);
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
    return { ...patient, diagnoses, medications: medications.map((name) => ({ name })) };
  }
}

/**
 * Changes the patient of a form. What was entered for the earlier patient reaches another one only
 * if the user says so.
 */
export function usePatientChange({
  form,
  requisition,
  copy,
  documents,
}: PatientChangeOptions): PatientChange {
  const queries = useQueryClient();
  const { getValues, setValue } = form;
  const [isChoosing, setIsChoosing] = useState(false);
  const [question, setQuestion] = useState<PatientChangeQuestion | null>(null);
  /** The patient that was chosen last. */
  const requestedId = useRef<number | null>(null);

  const setValues = (values: Partial<RequisitionValues>) => {
    for (const [name, value] of Object.entries(values)) {
      setValue(name as keyof RequisitionValues, value, CHANGE);
    }
  };

  const askAboutEntries = async ({
    previous,
    chosenPatient,
    entries,
  }: PatientSwitch): Promise<PatientChangeAnswer> => {
    if (previous === null || chosenPatient === null || previous.id === chosenPatient.id)
      return 'keep';
    const waitingNames = documents.rows.map(({ file }) => file.name);
    const describedEntries = describeEntries(entries, waitingNames);
    const storedNames = requisition
      ? await queries.query({ ...documentsQuery(requisition.id), staleTime: 'static' })
      : [];
    if (describedEntries.length === 0 && storedNames.length === 0) return 'keep';
    return new Promise((resolve) => {
      setQuestion({
        previous,
        chosenPatient,
        entries: describedEntries,
        storedDocuments: storedNames.map(({ name }) => name),
        answer: (answer) => {
          setQuestion(null);
          resolve(answer);
        },
      });
    });
  };

  const clear = ({ previous, chosenPatient, entries }: PatientSwitch) => {
    if (previous === null) return;
    setValues(removeEntries(getValues(), entries));
    const removedDocuments = documents.takeAll();
    const notice = say(messages.PATIENT_ENTRIES_CLEARED, { patient: formatName(previous) });
    toasts.undo(notice, () => {
      // By now, the form may be for another patient.
      if (getValues('patient')?.id !== chosenPatient?.id) return;
      setValues(restoreEntries(getValues(), entries));
      documents.putBack(removedDocuments);
    });
  };

  const select = async (id: number) => {
    requestedId.current = id;
    setIsChoosing(true);
    try {
      const [chosenPatient, previous] = await Promise.all([
        loadPatient(id),
        loadPreviousPatient(getValues(), id),
      ]);
      // A late answer must not replace a later choice.
      if (requestedId.current !== id) return;
      const { entries } = changePatient(getValues(), chosenPatient, previous, copy?.values);
      const patientSwitch = { previous, chosenPatient, entries };
      const answer = await askAboutEntries(patientSwitch);
      if (answer === 'cancel') return;
      const { values, removedEntries } = changePatient(
        getValues(),
        chosenPatient,
        previous,
        copy?.values,
      );
      setValues(values);
      const notice = buildRemovedNotice(previous, removedEntries);
      if (notice !== null) toasts.info(notice, limits.UNDO_MS);
      if (answer === 'clear') clear(patientSwitch);
      // Move the focus to the tests, unless tests are already ordered.
      if (requisition === null && getValues('tests').length === 0) form.setFocus('tests');
    } catch (error) {
      if (requestedId.current === id) toasts.error(describeError(error));
    } finally {
      if (requestedId.current === id) setIsChoosing(false);
    }
  };

  return {
    isChoosing,
    select,
    askAboutEntries,
    clear,
    question: question === null ? null : <PatientChangeDialog {...question} />,
  };
}
