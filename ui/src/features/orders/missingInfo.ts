/** The missing-information form of an order (R 2.4, R 4): its fields, and what it sends. */
import { z } from 'zod';

import {
  buildListFormat,
  buildProseFormat,
  buildTableOptions,
  buildValueFormat,
  type FieldTable,
} from '../../components/forms/fieldTable';
import { messages, say, type Wire } from '../../contract';
import { formatDate } from '../../lib/dates';
import { isEqual } from '../../lib/equality';
import { extractDigits } from '../../lib/mask';
import { toInsurances, toInsuranceWrite } from '../billing/api';
import {
  completeFromPatient,
  isMissingInformation,
  type Insurance,
  type InsuredPerson,
} from '../billing/rules';
import { validateBirthDate } from '../patients/birthDate';
import { toParties, toPartyWrites, type Party } from '../patients/parties';
import { formatPhysician, type PhysicianRow } from '../physicians/api';
import type { OrderedDiagnosis } from '../requisitions/api';
import { parseBillTo } from '../requisitions/billTo';
import { BillTo } from '../../contract';

export type OrderBilling = Wire<'OrderBillingRead'>;
export type OrderBillingWrite = Wire<'OrderBillingWrite'>;

export interface MissingInfoValues {
  /** ISO date, '' when empty, or the unfinished text as typed. */
  birthDate: string;
  physician: PhysicianRow | null;
  diagnoses: OrderedDiagnosis[];
  insurance: Insurance[];
  parties: Party[];
  comment: string;
}

export const fields: FieldTable<MissingInfoValues, keyof OrderBillingWrite> = {
  birthDate: { label: 'Date of Birth', wire: 'birthDate', format: buildValueFormat(formatDate) },
  physician: {
    label: 'Ordering Physician',
    wire: 'physicianId',
    format: buildValueFormat((physician) => (physician ? formatPhysician(physician) : '')),
  },
  diagnoses: {
    label: 'Diagnoses',
    wire: 'diagnoses',
    errorLevel: 'item',
    format: buildListFormat<OrderedDiagnosis>(
      ({ code }) => code,
      ({ id, testId }) => `${id} ${testId}`,
    ),
  },
  insurance: {
    label: 'Insurance Information',
    wire: 'insuranceInformation',
    errorLevel: 'part',
    format: buildListFormat<Insurance>(
      ({ payer, insuranceId }) => [payer?.name, insuranceId].filter(Boolean).join(' '),
      ({ key }) => key,
    ),
  },
  parties: {
    label: 'Responsible Parties',
    wire: 'responsibleParties',
    errorLevel: 'part',
    format: buildListFormat<Party>(
      ({ lastName, firstName }) => `${lastName}, ${firstName}`,
      ({ key }) => key,
    ),
  },
  comment: { label: 'Comment', wire: 'comments', format: buildProseFormat((text: string) => text) },
};

/** The options of `useRecordForm` that come from the fields. */
export const missingInfoOptions = buildTableOptions<MissingInfoValues>(fields);

/** Returns the error in a birth date that can be filled in, or null. */
function judgeBirthDate(birthDate: string, record: OrderBilling): string | null {
  if (birthDate === '') return messages.DATE_OF_BIRTH_REQUIRED;
  const error = validateBirthDate(birthDate);
  if (error !== null) return error;
  return birthDate > record.collectionDate.slice(0, 10)
    ? messages.MISSING_INFO_COLLECTED_BEFORE
    : null;
}

/** Builds the validation of the form; a locked birth date is not validated. */
export const buildMissingInfoSchema = (
  record: OrderBilling,
): z.ZodType<MissingInfoValues, MissingInfoValues> =>
  z.object({
    birthDate: z.string().superRefine((birthDate, context) => {
      const message = record.canChangeBirthDate.allowed ? judgeBirthDate(birthDate, record) : null;
      if (message !== null) context.addIssue({ code: 'custom', message });
    }),
    physician: z.custom<PhysicianRow | null>(
      (value) => value !== null,
      messages.PHYSICIAN_REQUIRED,
    ),
    diagnoses: z.custom<OrderedDiagnosis[]>(),
    insurance: z.custom<Insurance[]>(),
    parties: z.custom<Party[]>(),
    comment: z.string(),
  });

export const blankMissingInfo: MissingInfoValues = {
  birthDate: '',
  physician: null,
  diagnoses: [],
  insurance: [],
  parties: [],
  comment: '',
};

export const toMissingInfoValues = (record: OrderBilling): MissingInfoValues => ({
  birthDate: record.birthDate ?? '',
  physician: record.physician,
  diagnoses: record.diagnoses,
  insurance: toInsurances(record.insuranceInformation),
  parties: toParties(record.responsibleParties),
  comment: record.comment ?? '',
});

/** Returns the patient's data that insurance rows copy. */
export const toInsuredPatient = (
  { birthDate }: MissingInfoValues,
  record: OrderBilling,
): InsuredPerson => ({
  lastName: record.lastName,
  firstName: record.firstName,
  middleName: record.middleName ?? '',
  birthDate,
  gender: record.gender,
  phone: extractDigits(record.phone ?? ''),
  address: record.address ?? '',
  zipCodeName: record.zipCodeName ?? '',
  zipCodePlus4: record.zipCodePlus4 ?? '',
});

const isInsuranceMissing = (values: MissingInfoValues, record: OrderBilling): boolean =>
  parseBillTo(record.billTo) === BillTo.INSURANCE &&
  (values.insurance.length === 0 || hasIncompleteInsurance(values, record));

/** Whether an insurance row lacks what a claim needs. */
export const hasIncompleteInsurance = (values: MissingInfoValues, record: OrderBilling): boolean =>
  values.insurance.some((row) => isMissingInformation(row, toInsuredPatient(values, record)));

/** Whether the order bills no complete insurance, even if its patient has some. */
const lacksInsurance = (record: OrderBilling): boolean =>
  record.missing.includes('insuranceInformation');

/** Says which parts of the form lack something. */
export function describeMissing(values: MissingInfoValues, record: OrderBilling): string {
  const parts = [
    ...(values.physician === null ? [messages.MISSING_PHYSICIAN] : []),
    ...(values.diagnoses.length === 0 ? [messages.MISSING_DIAGNOSES] : []),
    ...(isInsuranceMissing(values, record) ? [messages.MISSING_INSURANCE] : []),
  ];
  if (parts.length > 0) return say(messages.MISSING_INFO_LIST, { parts: parts.join(', ') });
  return lacksInsurance(record) ? messages.MISSING_INFO_UNBILLED : messages.MISSING_INFO_NONE;
}

/** The form's comment, or '' if it has no paragraph (R 5). */
const toComments = (comment: string): string => (comment.includes('<p') ? comment : '');

/**
 * Builds the request. Lists that did not change are left out, unless the order still lacks
 * insurance: saving then bills the rows as they are now.
 */
export function buildOrderBillingWrite(
  values: MissingInfoValues,
  record: OrderBilling,
  username: string,
): OrderBillingWrite {
  const before = toMissingInfoValues(record);
  const isChanged = (name: keyof MissingInfoValues) => !isEqual(values[name], before[name]);
  const patient = toInsuredPatient(values, record);
  const sendsInsurance =
    record.canChangeBilling.allowed && (isChanged('insurance') || lacksInsurance(record));
  return {
    orderId: record.orderId,
    patientId: record.patientId,
    patientVersion: record.patientVersion,
    ...(record.canChangeBilling.allowed &&
      values.birthDate !== '' && { birthDate: values.birthDate }),
    gender: record.gender,
    physicianId: values.physician?.id ?? null,
    ...(isChanged('diagnoses') && {
      diagnoses: values.diagnoses.map(({ id, testId }) => ({ id, testId })),
    }),
    ...(sendsInsurance && {
      insuranceInformation: values.insurance.map((row) =>
        toInsuranceWrite(completeFromPatient(row, patient)),
      ),
    }),
    ...(isChanged('parties') && { responsibleParties: toPartyWrites(values.parties) }),
    username,
    ...(isChanged('comment') && { comments: toComments(values.comment) }),
  };
}
