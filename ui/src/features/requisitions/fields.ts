/** The fields of the requisition form: all that is particular to one of them is its row here. */
import { z } from 'zod';

import {
  sayEntries,
  sayProse,
  sayText,
  sayValue,
  type FieldRow,
} from '../../components/forms/fieldTable';
import { Fasting, limits, messages, Priority, say } from '../../contract';
import { formatDate, isIsoDate, today } from '../../lib/dates';
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
import { billedOf, offeredOf } from './billing';
import { defaultBillTo } from './billTo';
import { richOfComments } from './comments';

export interface RequisitionField<
  Value,
  Wire extends string | null = string | null,
> extends FieldRow<Value, Wire> {
  /** What locks it: a signature of the content as well, or only the requisition's own state. */
  lock: 'content' | 'record';
  /** Whether it comes with the patient, and goes with them. */
  ofPatient?: true;
  schema: z.ZodType<Value, Value>;
  /** What a new requisition begins with. */
  blank: (patient: RequisitionPatient | null) => Value;
  read: (requisition: Requisition) => Value;
  /**
   * What is sent of it; `earlier` is the requisition as it was read. Null where `writeOf` sends it
   * with what other fields hold, or where it is not sent.
   */
  write: ((value: Value, earlier: Requisition | null) => Partial<RequisitionWrite>) | null;
}

const field = <Value, const Wire extends keyof RequisitionWrite | null>(
  row: RequisitionField<Value, Wire>,
) => row;

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;
const MIDNIGHT = '00:00';

const nameOf = (person: { lastName: string; firstName: string } | null): string =>
  person === null ? '' : `${person.lastName}, ${person.firstName}`;

const fastingOf = (value: string): string =>
  Object.entries(Fasting).find(([, number]) => String(number) === value)?.[0] ?? value;

function plain(html: string): string {
  const apart = html.replaceAll(/<(?:br|\/p|\/li)[^>]*>/g, ' ');
  return new DOMParser().parseFromString(apart, 'text/html').body.textContent.trim();
}

const testOf = ({ test, isConfidential, children }: RequisitionTest): ChosenTest => ({
  test,
  isConfidential,
  children: children.map(testOf),
});

/** The lists that a new requisition takes over from its patient (DECISIONS, Ordering). */
export const listsOf = (patient: RequisitionPatient | null) => ({
  diagnoses: (patient?.diagnoses ?? []).map((diagnosis) => ({ ...diagnosis, testId: null })),
  medications: patient?.medications?.map(({ name }) => name) ?? [],
  billing: offeredOf(patient?.insuranceInformation ?? []),
});

export const fields = {
  patient: field<RequisitionPatient | null, 'patientId'>({
    label: 'Patient',
    wire: 'patientId',
    lock: 'content',
    words: sayValue(nameOf),
    schema: z
      .custom<RequisitionPatient | null>()
      .refine((patient) => patient !== null, messages.REQUISITION_PATIENT_REQUIRED),
    blank: (patient) => patient,
    read: ({ patient }) => patient,
    write: (patient) => ({ patientId: patient?.id ?? null }),
  }),
  physician: field({
    label: 'Ordering Physician',
    wire: 'physicianId',
    lock: 'content',
    words: sayValue(nameOf),
    schema: z.custom<PhysicianRow | null>(),
    blank: () => null,
    read: ({ physician }) => physician,
    write: (physician) => ({ physicianId: physician?.id ?? null }),
  }),
  sameAsPrimary: field({
    label: 'Same as Primary Physician',
    wire: null,
    lock: 'content',
    words: sayValue((same: boolean) => (same ? 'on' : 'off')),
    schema: z.boolean(),
    blank: () => false,
    read: ({ patient: { primaryPhysician: primary }, physicianId }) =>
      primary !== null && primary.id === physicianId,
    write: null,
  }),
  collectionDate: field({
    label: 'Collection Date',
    wire: 'collectionDate',
    lock: 'content',
    words: sayValue((date: string) => formatDate(date) || date),
    schema: z
      .string()
      .min(1, messages.REQUISITION_COLLECTION_DATE_REQUIRED)
      .refine((date) => date === '' || isIsoDate(date), messages.DATE_INVALID),
    blank: today,
    read: ({ collectionDate }) => collectionDate.slice(0, 10),
    write: null,
  }),
  /** HH:MM, as much of it as is typed, or '' when the time is unknown. */
  collectionTime: field({
    label: 'Collection Time',
    wire: null,
    lock: 'content',
    words: sayText,
    schema: z.string().refine((time) => time === '' || TIME.test(time), messages.TIME_INVALID),
    blank: () => '',
    read: ({ collectionDate }) => {
      const time = collectionDate.slice(11, 16);
      return time === MIDNIGHT ? '' : time;
    },
    write: null,
  }),
  fasting: field({
    label: 'Fasting',
    wire: 'fasting',
    lock: 'content',
    words: sayValue(fastingOf),
    schema: z.string().min(1, messages.REQUISITION_FASTING_REQUIRED),
    blank: () => String(Fasting.UNKNOWN),
    read: ({ fasting }) => String(fasting),
    write: (fasting) => ({ fasting: Number(fasting) }),
  }),
  priority: field({
    label: 'Priority',
    wire: 'priority',
    lock: 'content',
    words: sayText,
    schema: z.string().min(1, messages.REQUISITION_PRIORITY_REQUIRED),
    blank: () => Priority.ROUTINE,
    read: ({ priority }) => priority,
    write: (priority) => ({ priority }),
  }),
  billTo: field({
    label: 'Bill To',
    wire: 'billTo',
    lock: 'record',
    words: sayText,
    schema: z.string(),
    blank: defaultBillTo,
    read: ({ billTo }) => billTo,
    write: (billTo) => ({ billTo }),
  }),
  /** HTML of the tags of a comment. */
  comments: field({
    label: 'Comments',
    wire: 'comments',
    lock: 'record',
    words: sayProse(plain),
    schema: z.string().superRefine((comments, context) => {
      const [max, count] = [limits.COMMENTS_MAX_LENGTH, comments.length];
      if (count > max) {
        context.addIssue({
          code: 'custom',
          message: say(messages.COMMENTS_TOO_LONG, { max, count }),
        });
      }
    }),
    blank: () => '',
    read: ({ comments }) => richOfComments(comments),
    // Words that nobody touched are not sent: whatever formatting they came with stays.
    write: (comments, earlier) =>
      comments === richOfComments(earlier?.comments ?? null) ? {} : { comments: comments || null },
  }),
  tests: field({
    label: 'Tests',
    wire: 'tests',
    lock: 'content',
    words: sayEntries<ChosenTest>(
      ({ test }) => test.code,
      ({ test }) => test.id,
    ),
    schema: z
      .custom<ChosenTest[]>()
      .refine((tests) => tests.length > 0, messages.REQUISITION_TEST_REQUIRED),
    blank: () => [],
    read: ({ tests }) => tests.map(testOf),
    write: (tests) => ({
      tests: tests.map(({ test, isConfidential }) => ({ test: { id: test.id }, isConfidential })),
    }),
  }),
  diagnoses: field({
    label: 'Diagnoses',
    wire: 'diagnoses',
    lock: 'content',
    ofPatient: true,
    refused: 'row',
    words: sayEntries<OrderedDiagnosis>(
      ({ code }) => code,
      ({ id, testId }) => `${id} ${testId}`,
    ),
    schema: z.custom<OrderedDiagnosis[]>(),
    blank: (patient) => listsOf(patient).diagnoses,
    read: ({ diagnoses }) => diagnoses,
    write: (diagnoses) => ({ diagnoses: diagnoses.map(({ id, testId }) => ({ id, testId })) }),
  }),
  additional: field({
    label: 'Additional Test Dx Codes',
    wire: 'additionalTestsDxCodes',
    lock: 'content',
    refused: 'row',
    words: sayEntries<Diagnosis>(
      ({ code }) => code,
      ({ id }) => id,
    ),
    schema: z.custom<Diagnosis[]>(),
    blank: () => [],
    read: ({ additionalTestsDxCodes }) => additionalTestsDxCodes,
    write: (additional) => ({ additionalTestsDxCodes: additional.map(({ id }) => ({ id })) }),
  }),
  medications: field({
    label: 'Medications',
    wire: 'medications',
    lock: 'content',
    ofPatient: true,
    words: sayEntries<string>(
      (name) => name,
      (name) => name,
    ),
    schema: z.array(z.string()),
    blank: (patient) => listsOf(patient).medications,
    read: ({ medications }) => medications.map(({ name }) => name),
    write: (medications) => ({ medications: medications.map((name) => ({ name })) }),
  }),
  /** Insurance rows to bill to, in order, which says who pays first; their `id` is the patient's row. */
  billing: field({
    label: 'Billing Information',
    wire: 'billingInfo',
    lock: 'record',
    words: sayEntries<Insurance>(({ insuranceId }) => insuranceId, null),
    schema: z.custom<Insurance[]>(),
    blank: (patient) => listsOf(patient).billing,
    read: ({ billingInformation }) => billedOf(billingInformation),
    write: null,
  }),
  additionalCopies: field({
    label: 'Additional Copies',
    wire: 'additionalCopies',
    lock: 'record',
    words: sayEntries<AdditionalCopy>(
      ({ destination }) => destination,
      ({ type, destination }) => `${type} ${destination}`,
    ),
    schema: z.custom<AdditionalCopy[]>(),
    blank: () => [],
    read: ({ additionalCopies }) => additionalCopies,
    write: (additionalCopies) => ({ additionalCopies }),
  }),
};

export type FieldName = keyof typeof fields;

/** What the form holds; the wire's shape is made when it is saved. */
export type RequisitionValues = {
  [Name in FieldName]: (typeof fields)[Name] extends RequisitionField<infer Value> ? Value : never;
};
