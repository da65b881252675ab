import { z } from 'zod';

import { buildDigitsRule, buildRequiredRule } from '../../components/forms/textRules';
import { isIsoDate, parseTypedDate } from '../../lib/dates';
import { isEmail } from '../../lib/email';
import { extractDigits, PHONE_DIGITS } from '../../lib/mask';
import type { RouteParameters } from '../../lib/matrix';
import { sortRows } from '../../lib/ordering';
import { choices, Ethnicity, Gender, messages } from '../../contract';
import { buildAddressRules, type FindZipCode } from '../addresses/schema';
import { toInsurances, toInsuranceWrite } from '../billing/api';
import {
  noPerson,
  completeFromPatient,
  type Insurance,
  type InsuredPerson,
} from '../billing/rules';
import type { DiagnosisRow } from '../catalog/api';
import type { ClientRow, RoomRow, UnitRow } from '../clients/api';
import type { PhysicianRow } from '../physicians/api';
import type { EditedPatient, PatientWrite, Place } from './api';
import { validateBirthDate } from './birthDate';
import type { PatientField, PatientValues } from './fields';
import { toParties, toPartyWrites, type Party } from './parties';

/** The lists on the tabs, in order (O 2.1). */
export const lists = [
  'insuranceInformation',
  'diagnoses',
  'medications',
  'responsibleParties',
] as const;
export type PatientList = (typeof lists)[number];

/** The maximum lengths of texts in the database. */
export const lengths = {
  name: 100,
  bed: 20,
  medicalRecordId: 50,
  email: 320,
} as const;

const SSN_DIGITS = 9;

export const blank: PatientValues = {
  client: null,
  unit: null,
  room: null,
  bed: '',
  medicalRecordId: '',
  physician: null,
  lastName: '',
  firstName: '',
  middleName: '',
  birthDate: '',
  socialSecurityNumber: '',
  gender: '',
  sexualOrientationId: '',
  genderIdentityId: '',
  race: '',
  ethnicity: '',
  sameAsClientAddress: false,
  address: '',
  zipCodeName: '',
  zipCodePlus4: '',
  phone: '',
  mobile: '',
  email: '',
  insuranceInformation: [],
  diagnoses: [],
  medications: [],
  responsibleParties: [],
};

const buildRecordRule = <Row>() => z.custom<Row | null>();
const buildRowsRule = <Row>() => z.custom<Row[]>();

/**
 * The rules of O 5. `ssnInUse` asks the portal about a complete number. If the portal does not
 * respond, the number is accepted here and checked again on saving.
 */
export function buildPatientSchema(
  ssnInUse: (ssn: string) => Promise<boolean>,
  findZipCode: FindZipCode,
): z.ZodType<PatientValues, PatientValues> {
  const fields = z.object({
    client: buildRecordRule<ClientRow>(),
    unit: buildRecordRule<UnitRow>(),
    room: buildRecordRule<RoomRow>(),
    bed: z.string(),
    medicalRecordId: z.string(),
    physician: buildRecordRule<PhysicianRow>(),
    lastName: buildRequiredRule(messages.LAST_NAME_REQUIRED),
    firstName: buildRequiredRule(messages.FIRST_NAME_REQUIRED),
    middleName: z.string(),
    birthDate: z.string(),
    socialSecurityNumber: buildDigitsRule(SSN_DIGITS, messages.SSN_INVALID).refine(
      async (ssn) => ssn.length !== SSN_DIGITS || !(await ssnInUse(ssn)),
      { message: messages.SSN_IN_USE },
    ),
    gender: z.string().min(1, messages.GENDER_REQUIRED),
    sexualOrientationId: z.string(),
    genderIdentityId: z.string(),
    race: z.string(),
    ethnicity: z.string(),
    sameAsClientAddress: z.boolean(),
    ...buildAddressRules(findZipCode, { address: true, zipCodeName: true, zipCodePlus4: true }),
    phone: buildDigitsRule(PHONE_DIGITS, messages.PHONE_INVALID),
    mobile: buildDigitsRule(PHONE_DIGITS, messages.MOBILE_INVALID),
    email: z
      .string()
      .trim()
      .refine((text) => text === '' || isEmail(text), { message: messages.EMAIL_INVALID }),
    insuranceInformation: buildRowsRule<Insurance>(),
    diagnoses: buildRowsRule<DiagnosisRow>(),
    medications: buildRowsRule<string>(),
    responsibleParties: buildRowsRule<Party>(),
  });
  return fields.superRefine((values, context) => {
    const addError = (field: PatientField, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message });
    if (values.client === null) addError('client', messages.CLIENT_REQUIRED);
    else if (values.client.unitsCount > 0 && values.unit === null) {
      addError('unit', messages.UNIT_REQUIRED);
    }
    const birthDateError =
      values.birthDate === '' ? messages.BIRTH_DATE_REQUIRED : validateBirthDate(values.birthDate);
    if (birthDateError !== null) addError('birthDate', birthDateError);
  });
}

export const toValues = (patient: EditedPatient): PatientValues => ({
  client: patient.clientRow,
  unit: patient.unit,
  room: patient.room,
  bed: patient.bed ?? '',
  medicalRecordId: patient.medicalRecordId ?? '',
  physician: patient.primaryPhysician,
  lastName: patient.lastName,
  firstName: patient.firstName,
  middleName: patient.middleName ?? '',
  birthDate: patient.birthDate ?? '',
  socialSecurityNumber: extractDigits(patient.socialSecurityNumber ?? ''),
  gender: patient.gender,
  sexualOrientationId: patient.sexualOrientationId ?? '',
  genderIdentityId: patient.genderIdentityId ?? '',
  race: patient.race ?? '',
  ethnicity: patient.ethnicity === null ? '' : String(patient.ethnicity),
  sameAsClientAddress: patient.sameAsClientAddress,
  address: patient.address ?? '',
  zipCodeName: patient.zipCodeName ?? '',
  zipCodePlus4: patient.zipCodePlus4 ?? '',
  phone: extractDigits(patient.phone ?? ''),
  mobile: extractDigits(patient.mobile ?? ''),
  email: patient.email ?? '',
  insuranceInformation: toInsurances(patient.insuranceInformation),
  diagnoses: patient.diagnoses,
  medications: patient.medications.map(({ name }) => name),
  responsibleParties: toParties(patient.responsibleParties),
});

/** The fields that insurance rows copy from the patient. */
export const personFields = Object.keys(noPerson) as (keyof InsuredPerson)[];

/** Returns the values that insurance rows copy from the patient. */
export const toInsuredPerson = (
  values: Pick<PatientValues, keyof InsuredPerson>,
): InsuredPerson => ({
  lastName: values.lastName,
  firstName: values.firstName,
  middleName: values.middleName,
  birthDate: values.birthDate,
  gender: values.gender,
  phone: values.phone,
  address: values.address,
  zipCodeName: values.zipCodeName,
  zipCodePlus4: values.zipCodePlus4,
});

const emptyToNull = (text: string): string | null => text.trim() || null;

/** Builds the request body. An emptied field is null; without it, the old value would stay. */
export const toWrite = (values: PatientValues): PatientWrite => ({
  clientId: values.client?.id ?? null,
  unitId: values.unit?.id ?? null,
  roomId: values.room?.id ?? null,
  bed: emptyToNull(values.bed),
  medicalRecordId: emptyToNull(values.medicalRecordId),
  primaryPhysicianId: values.physician?.id ?? null,
  lastName: values.lastName.trim(),
  firstName: values.firstName.trim(),
  middleName: emptyToNull(values.middleName),
  birthDate: values.birthDate,
  socialSecurityNumber: emptyToNull(values.socialSecurityNumber),
  gender: values.gender,
  sexualOrientationId: emptyToNull(values.sexualOrientationId),
  genderIdentityId: emptyToNull(values.genderIdentityId),
  race: emptyToNull(values.race),
  ethnicity: values.ethnicity === '' ? null : Number(values.ethnicity),
  sameAsClientAddress: values.sameAsClientAddress,
  address: values.address.trim(),
  zipCodeName: values.zipCodeName,
  zipCodePlus4: values.zipCodePlus4,
  phone: emptyToNull(values.phone),
  mobile: emptyToNull(values.mobile),
  email: emptyToNull(values.email),
  insuranceInformation: sortRows(values.insuranceInformation).map((row) =>
    toInsuranceWrite(completeFromPatient(row, toInsuredPerson(values))),
  ),
  diagnoses: values.diagnoses.map(({ id }) => ({ id })),
  medications: values.medications.map((name) => ({ name })),
  responsibleParties: toPartyWrites(values.responsibleParties),
});

/** Returns `value` if it is one of the choices, else ''. */
const chooseFrom = (value: string | undefined, allowedValues: readonly string[]): string =>
  value !== undefined && allowedValues.includes(value) ? value : '';

/**
 * Fills a blank form from the route parameters (O 2.1) and drops invalid values. The text 'null'
 * means absent, even in parameters from history state.
 */
export function prefillForm(routeParameters: RouteParameters, place: Place | null): PatientValues {
  const parameters = Object.fromEntries(
    Object.entries(routeParameters).filter(([, value]) => value !== 'null'),
  );
  const dob = parameters['dob'] ?? '';
  return {
    ...blank,
    client: place?.client ?? null,
    unit: place?.unit ?? null,
    lastName: (parameters['lastName'] ?? '').toUpperCase().slice(0, lengths.name),
    firstName: (parameters['firstName'] ?? '').toUpperCase().slice(0, lengths.name),
    birthDate: isIsoDate(dob) ? dob : (parseTypedDate(dob) ?? ''),
    socialSecurityNumber: extractDigits(parameters['ssn'] ?? '').slice(0, SSN_DIGITS),
    race: chooseFrom(parameters['race'], choices.RACES),
    ethnicity: chooseFrom(parameters['ethnicity'], Object.values(Ethnicity).map(String)),
    genderIdentityId: chooseFrom(
      parameters['genderIdentity'],
      choices.GENDER_IDENTITIES.map(({ id }) => id),
    ),
    sexualOrientationId: chooseFrom(
      parameters['sexualOrientation'],
      choices.SEXUAL_ORIENTATIONS.map(({ id }) => id),
    ),
  };
}

export const genders = Object.values(Gender).map((value) => ({ value, label: value }));

const ENTRY_ORDER = ['client', 'unit', 'lastName', 'firstName', 'birthDate', 'gender'] as const;

/** Returns the field to start at: the first one that is still empty. */
export function findFirstEmptyField(values: PatientValues): PatientField {
  const units = values.client?.unitsCount ?? 0;
  const emptyField = ENTRY_ORDER.find((name) => !values[name] && (name !== 'unit' || units > 0));
  return emptyField ?? 'client';
}
