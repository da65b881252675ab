import { z } from 'zod';

import { ofEachRow, tableOptions } from '../../components/forms/fieldTable';
import { RequisitionStatus } from '../../contract';
import type { EntryKey } from '../../lib/merge';
import { isSame } from '../../lib/same';
import type { Requisition, RequisitionPatient, RequisitionWrite } from './api';
import { billedOf, billingWrite } from './billing';
import { fields, type FieldName, type RequisitionField, type RequisitionValues } from './fields';

const names = Object.keys(fields) as FieldName[];

export const labels = ofEachRow(fields, ({ label }) => label) as Readonly<
  Record<FieldName, string>
>;

// What a row gives is of its own field; through a loop the compiler can not see that.
export const requisitionSchema = z.object(
  ofEachRow(fields, ({ schema }) => schema as z.ZodType),
) as unknown as z.ZodType<RequisitionValues, RequisitionValues>;

/** A new requisition: today at midnight, ROUTINE, fasting unknown (O 9), and what the patient has. */
export const blankRequisition = (patient: RequisitionPatient | null) =>
  ofEachRow(fields, ({ blank }) => blank(patient)) as RequisitionValues;

export const valuesOf = (requisition: Requisition) =>
  ofEachRow(fields, ({ read }) => read(requisition)) as RequisitionValues;

function writeField(
  name: FieldName,
  values: RequisitionValues,
  earlier: Requisition | null,
): Partial<RequisitionWrite> {
  const { write } = fields[name] as RequisitionField<unknown>;
  return write?.(values[name], earlier) ?? {};
}

/** `earlier` is the requisition as it was read; null for a new one. */
export function writeOf(values: RequisitionValues, earlier: Requisition | null): RequisitionWrite {
  // Insurance that is not sent goes on saying what it said; sent again, it is copied anew.
  const rebilled =
    earlier === null ||
    values.patient?.id !== earlier.patientId ||
    !isSame(values.billing, billedOf(earlier.billingInformation));
  const written = names.map((name) => Object.entries(writeField(name, values, earlier)));
  return {
    ...(Object.fromEntries(written.flat()) as unknown as RequisitionWrite),
    collectionDate: `${values.collectionDate}T${values.collectionTime || '00:00'}:00`,
    ...(rebilled ? { billingInfo: billingWrite(values.billing) } : {}),
  };
}

/** What the form's machinery asks about its fields. */
export const fieldOptions = tableOptions<RequisitionValues>(fields);

/**
 * How two people's entries of a list are merged. What is a patient's own is not, where this person
 * chose another patient.
 */
export function entryKey(
  name: string,
  base: Partial<RequisitionValues>,
  mine: RequisitionValues,
): EntryKey | null {
  const { ofPatient, words } = fields[name as FieldName];
  return ofPatient && base.patient?.id !== mine.patient?.id ? null : words.keyOf;
}

/** What a person may not change of a requisition. */
export type Gates = Pick<ReturnType<typeof gatesOf>, 'locked' | 'contentLocked'>;

/** Whether a field can not be changed. */
export const isLocked = (name: FieldName, gates: Gates): boolean =>
  fields[name].lock === 'content' ? gates.contentLocked : gates.locked;

/** Whether a requisition as it is now accepts a change of this field. */
export const accepts = (requisition: Requisition, name: string): boolean =>
  !isLocked(name as FieldName, gatesOf(requisition, true));

/** What became of a requisition while somebody edited it; null where it was just saved. */
export function becameOf(before: Requisition | undefined, latest: Requisition): string | null {
  const { code, status } = latest;
  const { canceled, readOnly, signed } = gatesOf(latest, true);
  if (status !== before?.status && readOnly) {
    const became = canceled ? 'was canceled' : 'was received by the lab';
    return `Requisition ${code} ${became} while you were editing, and can not be changed any more.`;
  }
  if (!signed || before?.hasSignature === true) return null;
  const by = latest.signedByMe ? 'you' : 'somebody else';
  return `Requisition ${code} was signed by ${by} while you were editing.`;
}

/**
 * What may still be changed (O 4, DECISIONS). Done and Canceled are read-only; what a signature
 * stands for is changed only after Unsign. The portal decides; `mayOrder` is for a new one.
 */
export function gatesOf(requisition: Requisition | null, mayOrder: boolean) {
  const status = requisition?.status ?? RequisitionStatus.PENDING;
  const canceled = status === RequisitionStatus.CANCELED;
  const readOnly = canceled || status === RequisitionStatus.DONE;
  const signed = requisition?.hasSignature ?? false;
  const locked = requisition === null ? !mayOrder : !requisition.canChange.allowed;
  const contentLocked = requisition === null ? !mayOrder : !requisition.canChangeContent.allowed;
  return { status, canceled, readOnly, signed, locked, contentLocked };
}
