import { z } from 'zod';

import { isIsoDate, parseTyped } from '../../lib/dates';
import { isEmail } from '../../lib/email';
import { digitsOf } from '../../lib/mask';
import type { RouteParameters } from '../../lib/matrix';
import { inOrder } from '../../lib/ordering';
import { choices, Ethnicity, Gender, messages } from '../../contract';
import { addressRules, type FindPlace } from '../addresses/schema';
import { insuranceOf, insuranceWrite } from '../billing/api';
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
import { birthDateError } from './birthDate';
import type { PatientField, PatientValues } from './fields';
import { partiesOf, partyWrites, type Party } from './parties';

/** The lists of the tab panel, in its order (O 2.1). */
export const lists = [
  'insuranceInformation',
  'diagnoses',
  'medications',
  'responsibleParties',
] as const;
export type PatientList = (typeof lists)[number];

/** As long as the portal keeps these texts. */
export const lengths = {
  name: 100,
  bed: 20,
  medicalRecordId: 50,
  email: 320,
} as const;

const SSN_DIGITS = 9;
const PHONE_DIGITS = 10;

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

const record = <Row>() => z.custom<Row | null>();
const rows = <Row>() => z.custom<Row[]>();
const required = (message: string) => z.string().trim().min(1, message);
const digits = (count: number, message: string) =>
  z.string().refine((text) => text === '' || text.length === count, { message });

/**
 * The rules of O 5. `ssnInUse` asks the portal about nine digits; a portal that does not answer
 * is no reason to refuse, it looks again when saving.
 */
export function patientSchema(
  ssnInUse: (ssn: string) => Promise<boolean>,
  findPlace: FindPlace,
): z.ZodType<PatientValues, PatientValues> {
  const fields = z.object({
    client: record<ClientRow>(),
    unit: record<UnitRow>(),
    room: record<RoomRow>(),
    bed: z.string(),
    medicalRecordId: z.string(),
    physician: record<PhysicianRow>(),
    lastName: required(messages.LAST_NAME_REQUIRED),
    firstName: required(messages.FIRST_NAME_REQUIRED),
    middleName: z.string(),
    birthDate: z.string(),
    socialSecurityNumber: digits(SSN_DIGITS, messages.SSN_INVALID).refine(
      async (ssn) => ssn.length !== SSN_DIGITS || !(await ssnInUse(ssn)),
      { message: messages.SSN_IN_USE },
    ),
    gender: z.string().min(1, messages.GENDER_REQUIRED),
    sexualOrientationId: z.string(),
    genderIdentityId: z.string(),
    race: z.string(),
    ethnicity: z.string(),
    sameAsClientAddress: z.boolean(),
    ...addressRules(findPlace, { address: true, zipCodeName: true, zipCodePlus4: true }),
    phone: digits(PHONE_DIGITS, messages.PHONE_INVALID),
    mobile: digits(PHONE_DIGITS, messages.PHONE_INVALID),
    email: z
      .string()
      .trim()
      .refine((text) => text === '' || isEmail(text), { message: messages.EMAIL_INVALID }),
    insuranceInformation: rows<Insurance>(),
    diagnoses: rows<DiagnosisRow>(),
    medications: rows<string>(),
    responsibleParties: rows<Party>(),
  });
  return fields.superRefine((values, context) => {
    const refuse = (field: PatientField, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message });
    if (values.client === null) refuse('client', messages.CLIENT_REQUIRED);
    else if (values.client.unitsCount > 0 && values.unit === null) {
      refuse('unit', messages.UNIT_REQUIRED);
    }
    const wrongDate =
      values.birthDate === '' ? messages.BIRTH_DATE_REQUIRED : birthDateError(values.birthDate);
    if (wrongDate !== null) refuse('birthDate', wrongDate);
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
  birthDate: patient.birthDate,
  socialSecurityNumber: digitsOf(patient.socialSecurityNumber ?? ''),
  gender: patient.gender,
  sexualOrientationId: patient.sexualOrientationId ?? '',
  genderIdentityId: patient.genderIdentityId ?? '',
  race: patient.race ?? '',
  ethnicity: patient.ethnicity === null ? '' : String(patient.ethnicity),
  sameAsClientAddress: patient.sameAsClientAddress,
  address: patient.address ?? '',
  zipCodeName: patient.zipCodeName ?? '',
  zipCodePlus4: patient.zipCodePlus4 ?? '',
  phone: digitsOf(patient.phone ?? ''),
  mobile: digitsOf(patient.mobile ?? ''),
  email: patient.email ?? '',
  insuranceInformation: insuranceOf(patient.insuranceInformation),
  diagnoses: patient.diagnoses,
  medications: patient.medications.map(({ name }) => name),
  responsibleParties: partiesOf(patient.responsibleParties),
});

/** The fields that insurance rows take from the patient. */
export const personFields = Object.keys(noPerson) as (keyof InsuredPerson)[];

/** What insurance rows take from the patient. */
export const personOf = (values: Pick<PatientValues, keyof InsuredPerson>): InsuredPerson => ({
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

const orNull = (text: string): string | null => text.trim() || null;

/** An emptied field goes as null: absent would leave it as it was. */
export const toWrite = (values: PatientValues): PatientWrite => ({
  clientId: values.client?.id ?? null,
  unitId: values.unit?.id ?? null,
  roomId: values.room?.id ?? null,
  bed: orNull(values.bed),
  medicalRecordId: orNull(values.medicalRecordId),
  primaryPhysicianId: values.physician?.id ?? null,
  lastName: values.lastName.trim(),
  firstName: values.firstName.trim(),
  middleName: orNull(values.middleName),
  birthDate: values.birthDate,
  socialSecurityNumber: orNull(values.socialSecurityNumber),
  gender: values.gender,
  sexualOrientationId: orNull(values.sexualOrientationId),
  genderIdentityId: orNull(values.genderIdentityId),
  race: orNull(values.race),
  ethnicity: values.ethnicity === '' ? null : Number(values.ethnicity),
  sameAsClientAddress: values.sameAsClientAddress,
  address: values.address.trim(),
  zipCodeName: values.zipCodeName,
  zipCodePlus4: values.zipCodePlus4,
  phone: orNull(values.phone),
  mobile: orNull(values.mobile),
  email: orNull(values.email),
  insuranceInformation: inOrder(values.insuranceInformation).map((row) =>
    insuranceWrite(completeFromPatient(row, personOf(values))),
  ),
  diagnoses: values.diagnoses.map(({ id }) => ({ id })),
  medications: values.medications.map((name) => ({ name })),
  responsibleParties: partyWrites(values.responsibleParties),
});

/** `value` when it is one of the choices, else nothing chosen. */
const oneOf = (value: string | undefined, allowed: readonly string[]): string =>
  value !== undefined && allowed.includes(value) ? value : '';

/**
 * A blank form filled with what the route hands over (O 2.1); what makes no sense is dropped. The
 * text 'null' means absent, also in parameters that did not come by the address.
 */
export function prefilled(given: RouteParameters, place: Place | null): PatientValues {
  const parameters = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== 'null'),
  );
  const dob = parameters['dob'] ?? '';
  return {
    ...blank,
    client: place?.client ?? null,
    unit: place?.unit ?? null,
    lastName: (parameters['lastName'] ?? '').toUpperCase().slice(0, lengths.name),
    firstName: (parameters['firstName'] ?? '').toUpperCase().slice(0, lengths.name),
    birthDate: isIsoDate(dob) ? dob : (parseTyped(dob) ?? ''),
    socialSecurityNumber: digitsOf(parameters['ssn'] ?? '').slice(0, SSN_DIGITS),
    race: oneOf(parameters['race'], choices.RACES),
    ethnicity: oneOf(parameters['ethnicity'], Object.values(Ethnicity).map(String)),
    genderIdentityId: oneOf(
      parameters['genderIdentity'],
      choices.GENDER_IDENTITIES.map(({ id }) => id),
    ),
    sexualOrientationId: oneOf(
      parameters['sexualOrientation'],
      choices.SEXUAL_ORIENTATIONS.map(({ id }) => id),
    ),
  };
}

export const genders = Object.values(Gender).map((value) => ({ value, label: value }));

const inSequence = ['client', 'unit', 'lastName', 'firstName', 'birthDate', 'gender'] as const;

/** Where a person begins: at the first field, or past what is filled in already. */
export function firstToFill(values: PatientValues): PatientField {
  const units = values.client?.unitsCount ?? 0;
  const empty = inSequence.find((name) => !values[name] && (name !== 'unit' || units > 0));
  return empty ?? 'client';
}
