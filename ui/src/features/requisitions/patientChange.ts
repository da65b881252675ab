/** Changes to a form when its patient changes. Plain functions. */
import { messages, say } from '../../contract';
import { isEqual } from '../../lib/equality';
import type { OrderedDiagnosis, RequisitionPatient } from './api';
import type { Insurance } from '../billing/rules';
import { sortRows } from '../../lib/ordering';
import { getDefaultBillTo } from './billTo';
import type { Draft } from './drafts';
import { getPatientLists, type RequisitionValues } from './fields';
import { NO_ENTRIES, type Entries } from './patientEntries';

interface Lists {
  diagnoses: readonly OrderedDiagnosis[];
  medications: readonly string[];
}

const NO_LISTS: Lists = { diagnoses: [], medications: [] };

/**
 * Merges the new patient's rows with the form's rows that stay. Also returns the removed rows, and
 * the rows that a user entered.
 */
function mergeRows<Row>(
  newRows: readonly Row[],
  current: readonly Row[],
  previousRows: readonly Row[],
  getKey: (row: Row) => unknown,
) {
  const contains = (rows: readonly Row[], row: Row) =>
    rows.some((candidate) => getKey(candidate) === getKey(row));
  const removedRows = current.filter(
    (row) => contains(previousRows, row) && !contains(newRows, row),
  );
  const remaining = current.filter((row) => !removedRows.includes(row));
  return {
    rows: [...newRows.filter((row) => !contains(remaining, row)), ...remaining],
    removed: removedRows,
    entered: remaining.filter((row) => !contains(newRows, row)),
  };
}

/**
 * Returns the lists for a newly chosen patient: theirs and the entered rows. Rows that came from
 * the previous patient, or with a copy, are removed because they do not apply to this one;
 * `removed` names them. `entered` are the entered rows, which a user may want to remove as well.
 */
export function mergeLists(
  patient: RequisitionPatient,
  current: Lists,
  previousPatient: RequisitionPatient | null,
  copy: Lists = NO_LISTS,
) {
  const [previousLists, newLists] = [getPatientLists(previousPatient), getPatientLists(patient)];
  const diagnoses = mergeRows(
    newLists.diagnoses,
    current.diagnoses,
    [...previousLists.diagnoses, ...copy.diagnoses],
    ({ id }) => id,
  );
  const medications = mergeRows(
    newLists.medications,
    current.medications,
    [...previousLists.medications, ...copy.medications],
    (name) => name,
  );
  return {
    diagnoses: diagnoses.rows,
    medications: medications.rows,
    removed: [...new Set(diagnoses.removed.map(({ code }) => code)), ...medications.removed],
    entered: { diagnoses: diagnoses.entered, medications: medications.entered },
  };
}

/** Updates the lists that still equal the patient's earlier ones to the patient's current ones. */
function updateUnchangedLists(
  form: Lists,
  earlier: RequisitionPatient,
  current: RequisitionPatient,
) {
  const [earlierLists, currentLists] = [getPatientLists(earlier), getPatientLists(current)];
  const { diagnoses, medications } = currentLists;
  return {
    ...(earlier.diagnoses && isEqual(form.diagnoses, earlierLists.diagnoses) ? { diagnoses } : {}),
    ...(earlier.medications && isEqual(form.medications, earlierLists.medications)
      ? { medications }
      : {}),
  };
}

/**
 * Returns the insurance to bill with the patient's current data. A list that still equals the
 * patient's earlier one becomes the current one; in any other list, rows that the patient has lost
 * are removed.
 */
function updateBilling(
  rows: readonly Insurance[],
  earlier: RequisitionPatient,
  current: RequisitionPatient,
) {
  // A saved requisition keeps its rows as they were when they were chosen.
  if (!earlier.insuranceInformation) return {};
  const [before, now] = [getPatientLists(earlier).billing, getPatientLists(current).billing];
  if (isEqual(rows, before)) return { billing: now };
  const billing = sortRows(rows).flatMap(({ key }) => now.filter((row) => row.key === key));
  return { billing: billing.map((row, index) => ({ ...row, order: index + 1 })) };
}

interface Change {
  values: Partial<RequisitionValues>;
  /** The entries that were removed with the previous patient. */
  removedEntries: readonly string[];
  /** The entries for the previous patient that are still in the form. */
  entries: Entries;
}

/** Returns the changes to a form when this patient is chosen. */
export function changePatient(
  form: RequisitionValues,
  newPatient: RequisitionPatient,
  previous: RequisitionPatient | null = form.patient,
  copy?: Lists,
): Change {
  const primary = newPatient.primaryPhysician;
  const patientChanges = {
    patient: newPatient,
    ...(form.sameAsPrimary ? { physician: primary, sameAsPrimary: primary !== null } : {}),
  };
  if (previous?.id === newPatient.id) {
    return {
      values: {
        ...patientChanges,
        ...updateUnchangedLists(form, previous, newPatient),
        ...updateBilling(form.billing, previous, newPatient),
      },
      removedEntries: [],
      entries: NO_ENTRIES,
    };
  }
  const { removed, entered, ...lists } = mergeLists(newPatient, form, previous, copy);
  // Billing belongs to the patient, so another patient brings their own.
  const billing = {
    billTo: getDefaultBillTo(newPatient),
    billing: getPatientLists(newPatient).billing,
  };
  const { additional, comments, additionalCopies } = form;
  return {
    values: { ...patientChanges, ...lists, ...billing },
    removedEntries: removed,
    // Without a previous patient, everything was entered for the chosen one.
    entries:
      previous === null ? NO_ENTRIES : { ...entered, additional, comments, additionalCopies },
  };
}

export const formatName = ({ lastName, firstName }: RequisitionPatient): string =>
  `${lastName}, ${firstName}`;

/** Names what was removed with the previous patient; null if nothing was. */
export const buildRemovedNotice = (
  previous: RequisitionPatient | null,
  removedNames: readonly string[],
): string | null =>
  previous === null || removedNames.length === 0
    ? null
    : say(messages.REMOVED_WITH_PATIENT, {
        patient: formatName(previous),
        removed: removedNames.join(', '),
      });

interface RestoredDraft {
  values: RequisitionValues;
  notice: string | null;
  /** Entries for a patient other than the one who is kept. */
  entries: Entries;
}

/**
 * Restores a draft into a form. A patient named by the address of a new form (`addressed`) is kept:
 * usually they were registered in the meantime (ADR 10). The notice says so if the draft was for
 * another patient.
 */
export function restoreDraft(
  draft: Draft['values'],
  current: RequisitionValues,
  addressedPatient: RequisitionPatient | null,
): RestoredDraft {
  const draftPatient = draft.patient;
  const patient = draftPatient ?? current.patient;
  // A draft of an older form contains no insurance.
  const defaultBilling =
    patient?.id === current.patient?.id ? current.billing : getPatientLists(patient).billing;
  const billing = draft.billing ?? defaultBilling;
  const values: RequisitionValues = { ...current, ...draft, patient, billing };
  if (addressedPatient === null) return { values, notice: null, entries: NO_ENTRIES };
  const change = changePatient(values, addressedPatient, draftPatient);
  if (draftPatient === null || draftPatient.id === addressedPatient.id) {
    return { values: { ...values, ...change.values }, notice: null, entries: NO_ENTRIES };
  }
  const names = { before: formatName(draftPatient), now: formatName(addressedPatient) };
  const notices = [say(messages.DRAFT_OF_ANOTHER_PATIENT, names)];
  const notice = buildRemovedNotice(draftPatient, change.removedEntries);
  if (notice !== null) notices.push(notice);
  return {
    values: { ...values, ...change.values },
    notice: notices.join(' '),
    entries: change.entries,
  };
}
