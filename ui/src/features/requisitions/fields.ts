/** The fields of the requisition form, one row each with everything specific to the field. */
import { z } from 'zod';

import {
  buildListFormat,
  buildProseFormat,
  textFormat,
  buildValueFormat,
  type FieldRow,
} from '../../components/forms/fieldTable';
import type { Option } from '../../components/fields/SelectField';
import { Fasting, FastingLabels, limits, messages, Priority, say } from '../../contract';
import { isTime, readTime } from '../../lib/dateTimes';
import { formatDate, isIsoDate, getToday } from '../../lib/dates';
import { htmlToText } from '../../lib/html';
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
import { buildBilledRows, buildOfferedRows } from './billing';
import { getDefaultBillTo } from './billTo';
import { commentsToHtml } from './comments';
import { isSameSnapshot } from './patientSnapshot';

/**
 * Parts of a requisition with their own locks: content and clinical parts are signed, physicians
 * change clinical parts and extras.
 */
export type LockedPart = 'content' | 'clinical' | 'billing' | 'extras';

/** An input of the form's header: a choice, or a line of text. */
type HeaderInput = { options: readonly Option[] } | { maxLength: number };

/** Some fields of the request. */
type WritePart = Partial<RequisitionWrite>;

export interface RequisitionField<
  Value,
  Wire extends string | null = string | null,
> extends FieldRow<Value, Wire> {
  /** The part that the field belongs to, which is locked as a whole (`getLocks`). */
  lock: LockedPart;
  /** Whether the value comes from the patient, and is removed with them. */
  belongsToPatient?: true;
  /** The input that shows the field in the header; omit it if a component shows the field. */
  input?: Value extends string ? HeaderInput : never;
  schema: z.ZodType<Value, Value>;
  /** The value in a new requisition. */
  blank: (patient: RequisitionPatient | null) => Value;
  read: (requisition: Requisition) => Value;
  /**
   * Builds the part of the request; `earlier` is the requisition as read. Null if the field is not
   * sent, or if `buildWrite` sends it together with other fields.
   */
  write: ((value: Value, earlier: Requisition | null) => WritePart) | null;
}

const defineField = <Value, const Wire extends keyof RequisitionWrite | null>(
  row: RequisitionField<Value, Wire>,
) => row;

const formatName = (person: { lastName: string; firstName: string } | null): string =>
  person === null ? '' : `${person.lastName}, ${person.firstName}`;

const formatFasting = (value: string): string => FastingLabels[value] ?? value;

/** Whether the patient is the same person, with data that differs from the requisition's. */
const isUpdated = (patient: RequisitionPatient, earlier: Requisition): boolean =>
  patient.id === earlier.patientId && !isSameSnapshot(patient, earlier.patient);

const toChosenTest = ({ test, isConfidential, children }: RequisitionTest): ChosenTest => ({
  test,
  isConfidential,
  children: children.map(toChosenTest),
});

/** Returns the lists that a new requisition copies from its patient (DECISIONS, Ordering). */
export const getPatientLists = (patient: RequisitionPatient | null) => ({
  diagnoses: (patient?.diagnoses ?? []).map((diagnosis) => ({ ...diagnosis, testId: null })),
  medications: patient?.medications?.map(({ name }) => name) ?? [],
  billing: buildOfferedRows(patient?.insuranceInformation ?? []),
});

export const fields = {
  patient: defineField<RequisitionPatient | null, 'patientId'>({
    label: 'Patient',
    wire: 'patientId',
    lock: 'content',
    format: buildValueFormat(formatName),
    schema: z
      .custom<RequisitionPatient | null>()
      .refine((patient) => patient !== null, messages.REQUISITION_PATIENT_REQUIRED),
    blank: (patient) => patient,
    read: ({ patient }) => patient,
    write: (patient, earlier): WritePart => ({
      patientId: patient?.id ?? null,
      ...(patient !== null && earlier !== null && isUpdated(patient, earlier)
        ? { refreshPatient: true }
        : {}),
    }),
  }),
  physician: defineField({
    label: 'Ordering Physician',
    wire: 'physicianId',
    lock: 'content',
    format: buildValueFormat(formatName),
    schema: z.custom<PhysicianRow | null>(),
    blank: () => null,
    read: ({ physician }) => physician,
    write: (physician): WritePart => ({ physicianId: physician?.id ?? null }),
  }),
  sameAsPrimary: defineField({
    label: 'Same as Primary Physician',
    wire: null,
    lock: 'content',
    format: buildValueFormat((isSame: boolean) => (isSame ? 'on' : 'off')),
    schema: z.boolean(),
    blank: () => false,
    read: ({ patient: { primaryPhysician: primary }, physicianId }) =>
      primary !== null && primary.id === physicianId,
    write: null,
  }),
  collectionDate: defineField({
    label: 'Collection Date',
    wire: 'collectionDate',
    lock: 'content',
    format: buildValueFormat((date: string) => formatDate(date) || date),
    schema: z
      .string()
      .min(1, messages.REQUISITION_COLLECTION_DATE_REQUIRED)
      .refine((date) => date === '' || isIsoDate(date), messages.DATE_INVALID),
    blank: getToday,
    read: ({ collectionDate }) => collectionDate.slice(0, 10),
    write: null,
  }),
  /** HH:MM, possibly incomplete, or '' for an unknown time. */
  collectionTime: defineField({
    label: 'Collection Time',
    wire: null,
    lock: 'content',
    format: textFormat,
    schema: z.string().refine((time) => time === '' || isTime(time), messages.TIME_INVALID),
    blank: () => '',
    read: ({ collectionDate }) => readTime(collectionDate),
    write: null,
  }),
  fasting: defineField({
    label: 'Fasting',
    wire: 'fasting',
    lock: 'content',
    format: buildValueFormat(formatFasting),
    input: {
      options: Object.values(Fasting).map((value) => ({
        value: String(value),
        label: formatFasting(String(value)),
      })),
    },
    schema: z.string().min(1, messages.REQUISITION_FASTING_REQUIRED),
    blank: () => String(Fasting.UNKNOWN),
    read: ({ fasting }) => String(fasting),
    write: (fasting): WritePart => ({ fasting: Number(fasting) }),
  }),
  priority: defineField({
    label: 'Priority',
    wire: 'priority',
    lock: 'content',
    format: textFormat,
    input: { options: Object.values(Priority).map((value) => ({ value, label: value })) },
    schema: z.string().min(1, messages.REQUISITION_PRIORITY_REQUIRED),
    blank: () => Priority.ROUTINE,
    read: ({ priority }) => priority,
    write: (priority): WritePart => ({ priority }),
  }),
  billTo: defineField({
    label: 'Bill To',
    wire: 'billTo',
    lock: 'billing',
    format: textFormat,
    schema: z.string(),
    blank: getDefaultBillTo,
    read: ({ billTo }) => billTo,
    write: (billTo): WritePart => ({ billTo }),
  }),
  /** HTML with the tags of a comment. */
  comments: defineField({
    label: 'Comments',
    wire: 'comments',
    lock: 'extras',
    format: buildProseFormat(htmlToText),
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
    read: ({ comments }) => commentsToHtml(comments),
    // An unchanged comment is not sent, so that it keeps its formatting.
    write: (comments, earlier): WritePart =>
      comments === commentsToHtml(earlier?.comments ?? null) ? {} : { comments: comments || null },
  }),
  tests: defineField({
    label: 'Tests',
    wire: 'tests',
    lock: 'content',
    format: buildListFormat<ChosenTest>(
      ({ test }) => test.code,
      ({ test }) => test.id,
    ),
    schema: z
      .custom<ChosenTest[]>()
      .refine((tests) => tests.length > 0, messages.REQUISITION_TEST_REQUIRED),
    blank: () => [],
    read: ({ tests }) => tests.map(toChosenTest),
    write: (tests): WritePart => ({
      tests: tests.map(({ test, isConfidential }) => ({ test: { id: test.id }, isConfidential })),
    }),
  }),
  diagnoses: defineField({
    label: 'Diagnoses',
    wire: 'diagnoses',
    lock: 'clinical',
    belongsToPatient: true,
    errorLevel: 'item',
    format: buildListFormat<OrderedDiagnosis>(
      ({ code }) => code,
      ({ id, testId }) => `${id} ${testId}`,
    ),
    schema: z.custom<OrderedDiagnosis[]>(),
    blank: (patient) => getPatientLists(patient).diagnoses,
    read: ({ diagnoses }) => diagnoses,
    write: (diagnoses): WritePart => ({
      diagnoses: diagnoses.map(({ id, testId }) => ({ id, testId })),
    }),
  }),
  additional: defineField({
    label: 'Additional Test Dx Codes',
    wire: 'additionalTestsDxCodes',
    lock: 'clinical',
    errorLevel: 'item',
    format: buildListFormat<Diagnosis>(
      ({ code }) => code,
      ({ id }) => id,
    ),
    schema: z.custom<Diagnosis[]>(),
    blank: () => [],
    read: ({ additionalTestsDxCodes }) => additionalTestsDxCodes,
    write: (additional): WritePart => ({
      additionalTestsDxCodes: additional.map(({ id }) => ({ id })),
    }),
  }),
  medications: defineField({
    label: 'Medications',
    wire: 'medications',
    lock: 'clinical',
    belongsToPatient: true,
    format: buildListFormat<string>(
      (name) => name,
      (name) => name,
    ),
    schema: z.array(z.string()),
    blank: (patient) => getPatientLists(patient).medications,
    read: ({ medications }) => medications.map(({ name }) => name),
    write: (medications): WritePart => ({ medications: medications.map((name) => ({ name })) }),
  }),
  /**
   * The insurance rows to bill, in the order of payment. Their `id` is that of the patient's row.
   */
  billing: defineField({
    label: 'Billing Information',
    wire: 'billingInfo',
    lock: 'billing',
    format: buildListFormat<Insurance>(({ insuranceId }) => insuranceId, null),
    schema: z.custom<Insurance[]>(),
    blank: (patient) => getPatientLists(patient).billing,
    read: ({ billingInformation }) => buildBilledRows(billingInformation),
    write: null,
  }),
  additionalCopies: defineField({
    label: 'Additional Copies',
    wire: 'additionalCopies',
    lock: 'extras',
    format: buildListFormat<AdditionalCopy>(
      ({ destination }) => destination,
      ({ type, destination }) => `${type} ${destination}`,
    ),
    schema: z.custom<AdditionalCopy[]>(),
    blank: () => [],
    read: ({ additionalCopies }) => additionalCopies,
    write: (additionalCopies): WritePart => ({ additionalCopies }),
  }),
};

export type FieldName = keyof typeof fields;

/** The values of the form; saving converts them to the wire format. */
export type RequisitionValues = {
  [Name in FieldName]: (typeof fields)[Name] extends RequisitionField<infer Value> ? Value : never;
};

type TextFieldName = {
  [Name in FieldName]: RequisitionValues[Name] extends string ? Name : never;
}[FieldName];

/** The inputs of the header, in the order of the fields. */
export const headerInputs = Object.entries(fields).flatMap(([name, { input }]) =>
  input === undefined ? [] : [{ name: name as TextFieldName, input }],
);
