/** The fields of the patient form: what people call them, what they are on the wire, how it is said what they hold. */
import {
  ofEachRow,
  sayEntries,
  sayText,
  sayValue,
  tableOptions,
  type FieldTable,
} from '../../components/forms/fieldTable';
import { choices, EthnicityLabels } from '../../contract';
import { formatDate } from '../../lib/dates';
import { applyMask, masks } from '../../lib/mask';
import { addressLabels } from '../addresses/fieldLabels';
import type { Insurance } from '../billing/rules';
import type { DiagnosisRow } from '../catalog/api';
import type { ClientRow, RoomRow, UnitRow } from '../clients/api';
import type { PhysicianRow } from '../physicians/api';
import type { PatientWrite } from './api';
import type { Party } from './parties';

/** What the form holds: chosen records as they are, everything else as text. */
export interface PatientValues {
  client: ClientRow | null;
  unit: UnitRow | null;
  room: RoomRow | null;
  bed: string;
  medicalRecordId: string;
  physician: PhysicianRow | null;
  lastName: string;
  firstName: string;
  middleName: string;
  birthDate: string;
  socialSecurityNumber: string;
  gender: string;
  sexualOrientationId: string;
  genderIdentityId: string;
  race: string;
  ethnicity: string;
  sameAsClientAddress: boolean;
  address: string;
  zipCodeName: string;
  zipCodePlus4: string;
  phone: string;
  mobile: string;
  email: string;
  insuranceInformation: Insurance[];
  diagnoses: DiagnosisRow[];
  medications: string[];
  responsibleParties: Party[];
}

export type PatientField = keyof PatientValues;

interface Person {
  lastName: string;
  firstName: string;
}

const nameOf = (record: { name: string } | null): string => record?.name ?? '';
const personName = (person: Person | null): string =>
  person === null ? '' : `${person.lastName}, ${person.firstName}`;

const sayPlace = sayValue(nameOf);
const sayDigits = (mask: string) => sayValue((digits: string) => applyMask(digits, mask));
const sayChoice = (list: readonly { id: string; name: string }[]) =>
  sayValue((chosen: string) => nameOf(list.find(({ id }) => id === chosen) ?? null));

/** In the order of the form (O 2.1). A field without a row is a type error. */
export const fields = {
  client: { label: 'Client', wire: 'clientId', words: sayPlace },
  unit: { label: 'Unit', wire: 'unitId', words: sayPlace },
  room: { label: 'Room', wire: 'roomId', words: sayPlace },
  bed: { label: 'Bed', wire: 'bed', words: sayText },
  medicalRecordId: { label: 'Medical Record Id', wire: 'medicalRecordId', words: sayText },
  physician: {
    label: 'Primary Physician',
    wire: 'primaryPhysicianId',
    words: sayValue(personName),
  },
  lastName: { label: 'Last Name', wire: 'lastName', words: sayText },
  firstName: { label: 'First Name', wire: 'firstName', words: sayText },
  middleName: { label: 'Middle Name', wire: 'middleName', words: sayText },
  birthDate: {
    label: 'Birth Date',
    wire: 'birthDate',
    words: sayValue((date: string) => formatDate(date) || date),
  },
  socialSecurityNumber: {
    label: 'Social Security Number',
    wire: 'socialSecurityNumber',
    words: sayDigits(masks.ssn),
  },
  gender: { label: 'Gender', wire: 'gender', words: sayText },
  sexualOrientationId: {
    label: 'Sexual Orientation',
    wire: 'sexualOrientationId',
    words: sayChoice(choices.SEXUAL_ORIENTATIONS),
  },
  genderIdentityId: {
    label: 'Gender Identity',
    wire: 'genderIdentityId',
    words: sayChoice(choices.GENDER_IDENTITIES),
  },
  race: { label: 'Race', wire: 'race', words: sayText },
  ethnicity: {
    label: 'Ethnic Group',
    wire: 'ethnicity',
    words: sayValue((number: string) => EthnicityLabels[number] ?? ''),
  },
  sameAsClientAddress: {
    label: 'Same as Client',
    wire: 'sameAsClientAddress',
    words: sayValue((same: boolean) => (same ? 'on' : 'off')),
  },
  address: { label: addressLabels.address, wire: 'address', words: sayText },
  zipCodeName: { label: addressLabels.zipCodeName, wire: 'zipCodeName', words: sayText },
  zipCodePlus4: { label: addressLabels.zipCodePlus4, wire: 'zipCodePlus4', words: sayText },
  phone: { label: 'Phone', wire: 'phone', words: sayDigits(masks.phone) },
  mobile: { label: 'Mobile', wire: 'mobile', words: sayDigits(masks.phone) },
  email: { label: 'Email', wire: 'email', words: sayText },
  insuranceInformation: {
    label: 'Insurance Information',
    wire: 'insuranceInformation',
    refused: 'part',
    words: sayEntries<Insurance>(
      ({ payer, insuranceId }) => [payer?.name, insuranceId].filter(Boolean).join(' '),
      null,
    ),
  },
  diagnoses: {
    label: 'Diagnoses',
    wire: 'diagnoses',
    refused: 'part',
    words: sayEntries<DiagnosisRow>(({ code }) => code, null),
  },
  medications: {
    label: 'Medications',
    wire: 'medications',
    refused: 'part',
    words: sayEntries<string>((name) => name, null),
  },
  responsibleParties: {
    label: 'Responsible Party',
    wire: 'responsibleParties',
    refused: 'part',
    words: sayEntries<Party>(personName, null),
  },
} as const satisfies FieldTable<PatientValues, keyof PatientWrite | null>;

/** What a person calls each field (O 2.1). */
export const labels = ofEachRow(fields, ({ label }) => label) as Readonly<
  Record<PatientField, string>
>;

/** What the form's machinery asks about its fields. */
export const fieldOptions = tableOptions<PatientValues>(fields);
