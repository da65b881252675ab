import { z } from 'zod';

import { mapRows, buildTableOptions } from '../../components/forms/fieldTable';
import { messages, RequisitionStatus, type Wire } from '../../contract';
import { addYear, isIsoDate, getToday } from '../../lib/dates';
import { joinDateTime, writeDateTime } from '../../lib/dateTimes';
import type { ItemKey } from '../../lib/merge';
import { isEqual } from '../../lib/equality';
import type { Requisition, RequisitionPatient, RequisitionWrite } from './api';
import { buildBilledRows, buildBillingWrite } from './billing';
import {
  fields,
  type FieldName,
  type LockedPart,
  type RequisitionField,
  type RequisitionValues,
} from './fields';

const names = Object.keys(fields) as FieldName[];

export const labels = mapRows(fields, ({ label }) => label) as Readonly<Record<FieldName, string>>;

/**
 * Whether the client requires an ordering physician and none is chosen. An older requisition
 * without one can be edited as long as it stays with its client.
 */
function isPhysicianMissing(
  { patient, physician }: RequisitionValues,
  earlier: Requisition | null,
): boolean {
  if (physician !== null || patient?.client?.requiresPhysician !== true) return false;
  const wasMissing = earlier?.physicianId === null;
  return !wasMissing || earlier.patient.client?.id !== patient.client.id;
}

/**
 * Why a specimen cannot be collected from the patient on this day, or null (DECISIONS). The day of
 * an older requisition stays as it is.
 */
function judgeCollectionDay(
  { patient, collectionDate: day }: RequisitionValues,
  earlier: Requisition | null,
): string | null {
  const isUnchanged =
    earlier?.patientId === patient?.id && earlier?.collectionDate.slice(0, 10) === day;
  if (isUnchanged || !isIsoDate(day)) return null;
  if (patient?.birthDate && day < patient.birthDate) {
    return messages.REQUISITION_COLLECTION_DATE_BEFORE_BIRTH;
  }
  return day > addYear(getToday()) ? messages.REQUISITION_COLLECTION_DATE_TOO_LATE : null;
}

// Each schema matches its field, but the compiler cannot infer this from the loop.
const fieldSchemas = z.object(
  mapRows(fields, ({ schema }) => schema as z.ZodType),
) as unknown as z.ZodType<RequisitionValues, RequisitionValues>;

/** The validation of the form. `earlier` is the requisition as read; null for a new one. */
export const buildRequisitionSchema = (earlier: Requisition | null) =>
  fieldSchemas
    .refine((values) => !isPhysicianMissing(values, earlier), {
      path: ['physician'],
      message: messages.PHYSICIAN_REQUIRED,
      // Shown together with the messages of other fields.
      when: () => true,
    })
    .refine((values) => judgeCollectionDay(values, earlier) === null, {
      path: ['collectionDate'],
      error: ({ input }) => judgeCollectionDay(input as RequisitionValues, earlier) ?? undefined,
      when: () => true,
    });

/**
 * The values of a new requisition: today at midnight, ROUTINE, fasting unknown (O 9), and the
 * patient's lists.
 */
export const buildBlankValues = (patient: RequisitionPatient | null) =>
  mapRows(fields, ({ blank }) => blank(patient)) as RequisitionValues;

export const toFormValues = (requisition: Requisition) =>
  mapRows(fields, ({ read }) => read(requisition)) as RequisitionValues;

function writeField(
  name: FieldName,
  values: RequisitionValues,
  earlier: Requisition | null,
): Partial<RequisitionWrite> {
  const { write } = fields[name] as RequisitionField<unknown>;
  return write?.(values[name], earlier) ?? {};
}

/**
 * Builds the request body, without what is locked. `earlier` is the requisition as read; null for
 * a new one.
 */
export function buildWrite(
  values: RequisitionValues,
  earlier: Requisition | null,
): RequisitionWrite {
  // Sending the insurance copies the patient's current rows again, so send it only after a change.
  const isBillingChanged =
    earlier === null ||
    values.patient?.id !== earlier.patientId ||
    !isEqual(values.billing, buildBilledRows(earlier.billingInformation));
  const locks = getLocks(earlier, true);
  const entries = names
    .filter((name) => !isLocked(name, locks))
    .map((name) => Object.entries(writeField(name, values, earlier)));
  const collectionDate = writeDateTime(joinDateTime(values.collectionDate, values.collectionTime));
  return {
    ...(Object.fromEntries(entries.flat()) as unknown as RequisitionWrite),
    ...(isLocked('collectionDate', locks) ? {} : { collectionDate }),
    ...(isBillingChanged ? { billingInfo: buildBillingWrite(values.billing) } : {}),
  };
}

/** The options of `useRecordForm` that come from the fields. */
export const fieldOptions = buildTableOptions<RequisitionValues>(fields);

/**
 * Returns the function that identifies the items of a list in a merge; null if the list is merged as
 * a whole. Lists of the patient are not merged if this person chose another patient.
 */
export function getItemKey(
  name: string,
  base: Partial<RequisitionValues>,
  mine: RequisitionValues,
): ItemKey | null {
  const { belongsToPatient, format } = fields[name as FieldName];
  return belongsToPatient && base.patient?.id !== mine.patient?.id ? null : format.getKey;
}

/** The parts of a requisition that the user cannot change. */
export type Locks = Pick<
  ReturnType<typeof getLocks>,
  'isRecordLocked' | 'lockedParts' | 'contentReason'
>;

/** Whether a field cannot be changed. */
export const isLocked = (name: FieldName, { lockedParts }: Locks): boolean =>
  lockedParts[fields[name].lock];

/** Whether a field of this requisition can be changed. */
export const isEditable = (requisition: Requisition, name: string): boolean =>
  !isLocked(name as FieldName, getLocks(requisition, true));

/**
 * Describes how the status changed while the user was editing; null if the record was only saved.
 */
export function describeStateChange(
  before: Requisition | undefined,
  latest: Requisition,
): string | null {
  const { code, status } = latest;
  const { isCanceled, isReadOnly, isSigned } = getLocks(latest, true);
  if (status !== before?.status && isReadOnly) {
    const change = isCanceled ? 'was canceled' : 'was received by the lab';
    return `Requisition ${code} ${change} while you were editing and can no longer be changed.`;
  }
  if (!isSigned || before?.hasSignature === true) return null;
  const signer = latest.signedByMe ? 'you' : (latest.signature?.userName ?? 'somebody else');
  return `Requisition ${code} was signed by ${signer} while you were editing.`;
}

/**
 * Returns what is locked (O 4, DECISIONS). Done and canceled requisitions are read-only; signed
 * content can be changed only after Unsign; physicians change only some parts. The portal decides
 * for a saved requisition, and `canOrder` for a new one.
 */
export function getLocks(requisition: Requisition | null, canOrder: boolean) {
  const status = requisition?.status ?? RequisitionStatus.PENDING;
  const isCanceled = status === RequisitionStatus.CANCELED;
  const isReadOnly = isCanceled || status === RequisitionStatus.DONE;
  const isSigned = requisition?.hasSignature ?? false;
  const isPartLocked = (permission: Wire<'Permission'> | undefined) =>
    permission === undefined ? !canOrder : !permission.allowed;
  const lockedParts: Record<LockedPart, boolean> = {
    content: isPartLocked(requisition?.canChangeContent),
    clinical: isPartLocked(requisition?.canChangeClinical),
    billing: isPartLocked(requisition?.canChange),
    extras: isPartLocked(requisition?.canChangeExtras),
  };
  return {
    status,
    isCanceled,
    isReadOnly,
    isSigned,
    lockedParts,
    /** Why the signed content is locked; undefined while it is open. */
    contentReason: requisition?.canChangeContent.reason ?? undefined,
    /** Extras can be changed whenever anything can. */
    isRecordLocked: lockedParts.extras,
  };
}
