/** What becomes of a form when its patient is another one. Plain functions. */
import { messages, say } from '../../contract';
import { isSame } from '../../lib/same';
import type { OrderedDiagnosis, RequisitionPatient } from './api';
import { defaultBillTo } from './billTo';
import type { Draft } from './drafts';
import { listsOf, type RequisitionValues } from './fields';

interface Lists {
  diagnoses: readonly OrderedDiagnosis[];
  medications: readonly string[];
}

const nothing: Lists = { diagnoses: [], medications: [] };

/** The rows for another patient: theirs, and behind them what stays of those entered. */
function rowsFor<Row>(
  theirs: readonly Row[],
  entered: readonly Row[],
  cameBefore: readonly Row[],
  keyOf: (row: Row) => unknown,
) {
  const among = (rows: readonly Row[], row: Row) => rows.some((one) => keyOf(one) === keyOf(row));
  const gone = entered.filter((row) => among(cameBefore, row) && !among(theirs, row));
  const stays = entered.filter((row) => !gone.includes(row));
  return { rows: [...theirs.filter((row) => !among(stays, row)), ...stays], gone };
}

/**
 * The lists for the patient chosen now: theirs, and what a person entered. What came with the
 * patient before, or with a copy of theirs, goes: it is not true of this one. `removed` names it.
 */
export function listsFor(
  now: RequisitionPatient,
  entered: Lists,
  before: RequisitionPatient | null,
  copied: Lists = nothing,
) {
  const [old, next] = [listsOf(before), listsOf(now)];
  const diagnoses = rowsFor(
    next.diagnoses,
    entered.diagnoses,
    [...old.diagnoses, ...copied.diagnoses],
    ({ id }) => id,
  );
  const medications = rowsFor(
    next.medications,
    entered.medications,
    [...old.medications, ...copied.medications],
    (name) => name,
  );
  return {
    diagnoses: diagnoses.rows,
    medications: medications.rows,
    removed: [...new Set(diagnoses.gone.map(({ code }) => code)), ...medications.gone],
  };
}

/** Lists that are still as this patient had them are as the patient has them now. */
function followed(form: Lists, before: RequisitionPatient, now: RequisitionPatient) {
  const [old, next] = [listsOf(before), listsOf(now)];
  const { diagnoses, medications } = next;
  return {
    ...(before.diagnoses && isSame(form.diagnoses, old.diagnoses) ? { diagnoses } : {}),
    ...(before.medications && isSame(form.medications, old.medications) ? { medications } : {}),
  };
}

interface Change {
  values: Partial<RequisitionValues>;
  /** What went with the patient before. */
  removed: readonly string[];
}

/** What choosing this patient changes in a form. */
export function withPatient(
  form: RequisitionValues,
  now: RequisitionPatient,
  before: RequisitionPatient | null = form.patient,
  copied?: Lists,
): Change {
  const primary = now.primaryPhysician;
  const patient = {
    patient: now,
    ...(form.sameAsPrimary ? { physician: primary, sameAsPrimary: primary !== null } : {}),
  };
  if (before?.id === now.id) {
    return { values: { ...patient, ...followed(form, before, now) }, removed: [] };
  }
  const { removed, ...lists } = listsFor(now, form, before, copied);
  // Whom to bill is the patient's own: another one brings theirs along.
  const billing = { billTo: defaultBillTo(now), billing: listsOf(now).billing };
  return { values: { ...patient, ...lists, ...billing }, removed };
}

const nameOf = ({ lastName, firstName }: RequisitionPatient): string => `${lastName}, ${firstName}`;

/** Says what went with the patient before; null when nothing did. */
export const removedNotice = (
  before: RequisitionPatient | null,
  removed: readonly string[],
): string | null =>
  before === null || removed.length === 0
    ? null
    : say(messages.REMOVED_WITH_PATIENT, { patient: nameOf(before), removed: removed.join(', ') });

/**
 * What a form holds when a draft is put back into it. Somebody whom the address of a new form
 * names, `arrived`, is not taken out again: they were mostly registered meanwhile (ADR 10). The
 * notice says so where the draft was made for somebody else.
 */
export function putBack(
  kept: Draft['values'],
  now: RequisitionValues,
  arrived: RequisitionPatient | null,
): { values: RequisitionValues; notice: string | null } {
  const before = kept.patient;
  const patient = before ?? now.patient;
  // A draft of an older form holds no insurance.
  const known = patient?.id === now.patient?.id ? now.billing : listsOf(patient).billing;
  const billing = kept.billing ?? known;
  const values: RequisitionValues = { ...now, ...kept, patient, billing };
  if (arrived === null) return { values, notice: null };
  const change = withPatient(values, arrived, before);
  if (before === null || before.id === arrived.id) {
    return { values: { ...values, ...change.values }, notice: null };
  }
  const names = { before: nameOf(before), now: nameOf(arrived) };
  const said = [say(messages.DRAFT_OF_ANOTHER_PATIENT, names)];
  const removed = removedNotice(before, change.removed);
  if (removed !== null) said.push(removed);
  return { values: { ...values, ...change.values }, notice: said.join(' ') };
}
