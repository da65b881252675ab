import type { FieldPath } from 'react-hook-form';
import { z } from 'zod';

import { isIsoDate, today } from '../../lib/dates';
import type { EntryKey } from '../../lib/merge';
import {
  BillTo,
  Fasting,
  limits,
  messages,
  Priority,
  RequisitionStatus,
  say,
} from '../../contract';
import { isSame } from '../../lib/same';
import type { Insurance } from '../billing/rules';
import type { ChosenTest } from '../catalog/components/TestPicker';
import type { PhysicianRow } from '../physicians/api';
import type {
  AdditionalCopy,
  Diagnosis,
  OrderedDiagnosis,
  Requisition,
  RequisitionPatient,
  RequisitionTest,
  RequisitionWrite,
} from './api';
import { billedOf, billingWrite, offeredOf } from './billing';
import { richOfComments } from './comments';

/** What the form holds; the wire's shape is made when it is saved. */
export interface RequisitionValues {
  patient: RequisitionPatient | null;
  physician: PhysicianRow | null;
  sameAsPrimary: boolean;
  collectionDate: string;
  /** HH:MM, as much of it as is typed, or '' when the time is unknown. */
  collectionTime: string;
  fasting: string;
  priority: string;
  billTo: string;
  /** HTML of the tags of a comment. */
  comments: string;
  tests: ChosenTest[];
  diagnoses: OrderedDiagnosis[];
  additional: Diagnosis[];
  medications: string[];
  /** Insurance rows to bill to, in order; their `id` is the patient's row. */
  billing: Insurance[];
  additionalCopies: AdditionalCopy[];
}

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

const chosen = <T>() => z.custom<T>();

export const requisitionSchema: z.ZodType<RequisitionValues, RequisitionValues> = z.object({
  patient: z
    .custom<RequisitionPatient | null>()
    .refine((patient) => patient !== null, messages.REQUISITION_PATIENT_REQUIRED),
  physician: chosen<PhysicianRow | null>(),
  sameAsPrimary: z.boolean(),
  collectionDate: z
    .string()
    .min(1, messages.REQUISITION_COLLECTION_DATE_REQUIRED)
    .refine((date) => date === '' || isIsoDate(date), messages.DATE_INVALID),
  collectionTime: z
    .string()
    .refine((time) => time === '' || TIME.test(time), messages.TIME_INVALID),
  fasting: z.string().min(1, messages.REQUISITION_FASTING_REQUIRED),
  priority: z.string().min(1, messages.REQUISITION_PRIORITY_REQUIRED),
  billTo: z.string(),
  comments: z.string().superRefine((comments, context) => {
    const [max, count] = [limits.COMMENTS_MAX_LENGTH, comments.length];
    if (count > max) {
      context.addIssue({
        code: 'custom',
        message: say(messages.COMMENTS_TOO_LONG, { max, count }),
      });
    }
  }),
  tests: z
    .custom<ChosenTest[]>()
    .refine((tests) => tests.length > 0, messages.REQUISITION_TEST_REQUIRED),
  diagnoses: chosen<OrderedDiagnosis[]>(),
  additional: chosen<Diagnosis[]>(),
  medications: z.array(z.string()),
  billing: chosen<Insurance[]>(),
  additionalCopies: chosen<AdditionalCopy[]>(),
});

/** The names that answer for the bill-to numbers on the wire. */
const BILL_TO_NAMES: Readonly<Record<number, string>> = {
  [BillTo.INSURANCE]: 'Insurance',
  [BillTo.CLIENT]: 'Client',
  [BillTo.PATIENT]: 'Patient',
};

export const billToOptions = Object.values(BILL_TO_NAMES).map((name) => ({
  value: name,
  label: name.toUpperCase(),
}));

/** The number of a wire name; whatever is none of the three is no choice. */
export function billToOf(name: string): BillTo {
  const found = Object.entries(BILL_TO_NAMES).find(([, one]) => one === name);
  return found ? (Number(found[0]) as BillTo) : BillTo.NONE;
}

/** O 4: from the patient's client, otherwise INSURANCE. */
export function defaultBillTo(patient: RequisitionPatient | null): string {
  const wanted = patient?.client?.defaultBillTo?.toUpperCase();
  const option = billToOptions.find(({ label }) => label === wanted);
  return option?.value ?? 'Insurance';
}

/** The lists that a new requisition takes over from its patient (DECISIONS, Ordering). */
export const listsOf = (patient: RequisitionPatient | null) => ({
  diagnoses: (patient?.diagnoses ?? []).map((diagnosis) => ({ ...diagnosis, testId: null })),
  medications: patient?.medications?.map(({ name }) => name) ?? [],
  billing: offeredOf(patient?.insuranceInformation ?? []),
});

/** O 9: today at midnight, ROUTINE; fasting unknown. */
export function blankRequisition(patient: RequisitionPatient | null): RequisitionValues {
  return {
    patient,
    physician: null,
    sameAsPrimary: false,
    collectionDate: today(),
    collectionTime: '',
    fasting: String(Fasting.UNKNOWN),
    priority: Priority.ROUTINE,
    billTo: defaultBillTo(patient),
    comments: '',
    tests: [],
    additional: [],
    additionalCopies: [],
    ...listsOf(patient),
  };
}

const testOf = ({ test, isConfidential, children }: RequisitionTest): ChosenTest => ({
  test,
  isConfidential,
  children: children.map(testOf),
});

export function valuesOf(requisition: Requisition): RequisitionValues {
  const time = requisition.collectionDate.slice(11, 16);
  const primary = requisition.patient.primaryPhysician;
  return {
    patient: requisition.patient,
    physician: requisition.physician,
    sameAsPrimary: primary !== null && primary.id === requisition.physicianId,
    collectionDate: requisition.collectionDate.slice(0, 10),
    collectionTime: time === '00:00' ? '' : time,
    fasting: String(requisition.fasting),
    priority: requisition.priority,
    billTo: requisition.billTo,
    comments: richOfComments(requisition.comments),
    tests: requisition.tests.map(testOf),
    diagnoses: requisition.diagnoses,
    additional: requisition.additionalTestsDxCodes,
    medications: requisition.medications.map(({ name }) => name),
    billing: billedOf(requisition.billingInformation),
    additionalCopies: requisition.additionalCopies,
  };
}

const ids = (items: readonly { id: number }[]) => items.map(({ id }) => ({ id }));

/** `earlier` is the requisition as it was read; null for a new one. */
export function writeOf(values: RequisitionValues, earlier: Requisition | null): RequisitionWrite {
  // Words that nobody touched are not sent: whatever formatting they came with stays.
  const touched = values.comments !== richOfComments(earlier?.comments ?? null);
  // Insurance that is not sent goes on saying what it said; sent again, it is copied anew.
  const rebilled =
    earlier === null ||
    values.patient?.id !== earlier.patientId ||
    !isSame(values.billing, billedOf(earlier.billingInformation));
  return {
    ...(touched ? { comments: values.comments || null } : {}),
    patientId: values.patient?.id ?? null,
    physicianId: values.physician?.id ?? null,
    collectionDate: `${values.collectionDate}T${values.collectionTime || '00:00'}:00`,
    fasting: Number(values.fasting),
    priority: values.priority,
    billTo: values.billTo,
    tests: values.tests.map(({ test, isConfidential }) => ({
      test: { id: test.id },
      isConfidential,
    })),
    diagnoses: values.diagnoses.map(({ id, testId }) => ({ id, testId })),
    additionalTestsDxCodes: ids(values.additional),
    medications: values.medications.map((name) => ({ name })),
    ...(rebilled ? { billingInfo: billingWrite(values.billing) } : {}),
    additionalCopies: values.additionalCopies,
  };
}

/** The form's field for a field of the wire; what is said about one row stays with that row. */
export function fieldOf(wire: string): FieldPath<RequisitionValues> | null {
  const [root = '', place] = wire.split('.');
  if (root === 'diagnoses' && place !== undefined) return `diagnoses.${Number(place)}`;
  if (root === 'additionalTestsDxCodes' && place !== undefined) {
    return `additional.${Number(place)}`;
  }
  switch (root) {
    case 'billingInfo':
      return 'billing';
    case 'patientId':
      return 'patient';
    case 'physicianId':
      return 'physician';
    case 'additionalTestsDxCodes':
      return 'additional';
    case 'collectionDate':
    case 'fasting':
    case 'priority':
    case 'billTo':
    case 'comments':
    case 'tests':
    case 'diagnoses':
    case 'medications':
    case 'additionalCopies':
      return root;
    default:
      return null;
  }
}

const LABELS: Readonly<Record<string, string>> = {
  patient: 'Patient',
  physician: 'Ordering Physician',
  sameAsPrimary: 'Same as Primary Physician',
  collectionDate: 'Collection Date',
  collectionTime: 'Collection Time',
  fasting: 'Fasting',
  priority: 'Priority',
  billTo: 'Bill To',
  comments: 'Comments',
  tests: 'Tests',
  diagnoses: 'Diagnoses',
  additional: 'Additional Test Dx Codes',
  medications: 'Medications',
  billing: 'Billing Information',
  additionalCopies: 'Additional Copies',
};

export const labelOf = (field: string): string => LABELS[field] ?? field;

const ENTRY_KEYS: Readonly<Record<string, EntryKey>> = {
  tests: (entry) => (entry as ChosenTest).test.id,
  diagnoses: (entry) => {
    const { id, testId } = entry as OrderedDiagnosis;
    return `${id} ${testId}`;
  },
  additional: (entry) => (entry as Diagnosis).id,
  medications: (name) => name,
  additionalCopies: (entry) => {
    const { type, destination } = entry as AdditionalCopy;
    return `${type} ${destination}`;
  },
};

/**
 * The lists that two people may add to at once. Insurance is not among them: its order says who
 * pays first. Nor is what is a patient's own, where this person chose another patient.
 */
export function entryKey(
  field: string,
  base: Partial<RequisitionValues>,
  mine: RequisitionValues,
): EntryKey | null {
  const ofPatient = field === 'diagnoses' || field === 'medications';
  if (ofPatient && base.patient?.id !== mine.patient?.id) return null;
  return ENTRY_KEYS[field] ?? null;
}

/** What a signature leaves open. */
const OPEN_PARTS: readonly string[] = ['billTo', 'billing', 'comments', 'additionalCopies'];

/** Whether a requisition as it is now takes a change of this field. */
export function takes(requisition: Requisition, field: string): boolean {
  const { locked, contentLocked } = gatesOf(requisition, true);
  return OPEN_PARTS.includes(field) ? !locked : !contentLocked;
}

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
