/** The fields of the patient form: labels, names on the wire, and how values are shown in texts. */
import {
  mapRows,
  buildListFormat,
  textFormat,
  buildValueFormat,
  buildTableOptions,
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

/** The values of the form: chosen records as they are, everything else as text. */
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

const getName = (record: { name: string } | null): string => record?.name ?? '';
const formatPerson = (person: Person | null): string =>
  person === null ? '' : `${person.lastName}, ${person.firstName}`;

const placeFormat = buildValueFormat(getName);
const buildDigitsFormat = (mask: string) =>
  buildValueFormat((digits: string) => applyMask(digits, mask));
const buildChoiceFormat = (list: readonly { id: string; name: string }[]) =>
  buildValueFormat((chosenId: string) => getName(list.find(({ id }) => id === chosenId) ?? null));

/** The fields in the order of the form (O 2.1). A field without a row is a type error. */
export const fields = {
  client: { label: 'Client', wire: 'clientId', format: placeFormat },
  unit: { label: 'Unit', wire: 'unitId', format: placeFormat },
  room: { label: 'Room', wire: 'roomId', format: placeFormat },
  bed: { label: 'Bed', wire: 'bed', format: textFormat },
  medicalRecordId: { label: 'Medical Record Id', wire: 'medicalRecordId', format: textFormat },
  physician: {
    label: 'Primary Physician',
    wire: 'primaryPhysicianId',
    format: buildValueFormat(formatPerson),
  },
  lastName: { label: 'Last Name', wire: 'lastName', format: textFormat },
  firstName: { label: 'First Name', wire: 'firstName', format: textFormat },
  middleName: { label: 'Middle Name', wire: 'middleName', format: textFormat },
  birthDate: {
    label: 'Birth Date',
    wire: 'birthDate',
    format: buildValueFormat((date: string) => formatDate(date) || date),
  },
  socialSecurityNumber: {
    label: 'Social Security Number',
    wire: 'socialSecurityNumber',
    format: buildDigitsFormat(masks.ssn),
  },
  gender: { label: 'Gender', wire: 'gender', format: textFormat },
  sexualOrientationId: {
    label: 'Sexual Orientation',
    wire: 'sexualOrientationId',
    format: buildChoiceFormat(choices.SEXUAL_ORIENTATIONS),
  },
  genderIdentityId: {
    label: 'Gender Identity',
    wire: 'genderIdentityId',
    format: buildChoiceFormat(choices.GENDER_IDENTITIES),
  },
  race: { label: 'Race', wire: 'race', format: textFormat },
  ethnicity: {
    label: 'Ethnic Group',
    wire: 'ethnicity',
    format: buildValueFormat((number: string) => EthnicityLabels[number] ?? ''),
  },
  sameAsClientAddress: {
    label: 'Same as Client',
    wire: 'sameAsClientAddress',
    format: buildValueFormat((isSame: boolean) => (isSame ? 'on' : 'off')),
  },
  address: { label: addressLabels.address, wire: 'address', format: textFormat },
  zipCodeName: { label: addressLabels.zipCodeName, wire: 'zipCodeName', format: textFormat },
  zipCodePlus4: { label: addressLabels.zipCodePlus4, wire: 'zipCodePlus4', format: textFormat },
  phone: { label: 'Phone', wire: 'phone', format: buildDigitsFormat(masks.phone) },
  mobile: { label: 'Mobile', wire: 'mobile', format: buildDigitsFormat(masks.phone) },
  email: { label: 'Email', wire: 'email', format: textFormat },
  insuranceInformation: {
    label: 'Insurance Information',
    wire: 'insuranceInformation',
    errorLevel: 'part',
    format: buildListFormat<Insurance>(
      ({ payer, insuranceId }) => [payer?.name, insuranceId].filter(Boolean).join(' '),
      ({ key }) => key,
    ),
  },
  diagnoses: {
    label: 'Diagnoses',
    wire: 'diagnoses',
    errorLevel: 'part',
    format: buildListFormat<DiagnosisRow>(
      ({ code }) => code,
      ({ id }) => id,
    ),
  },
  medications: {
    label: 'Medications',
    wire: 'medications',
    errorLevel: 'part',
    format: buildListFormat<string>(
      (name) => name,
      (name) => name,
    ),
  },
  responsibleParties: {
    label: 'Responsible Party',
    wire: 'responsibleParties',
    errorLevel: 'part',
    format: buildListFormat<Party>(formatPerson, ({ key }) => key),
  },
} as const satisfies FieldTable<PatientValues, keyof PatientWrite | null>;

/** The label of each field (O 2.1). */
export const labels = mapRows(fields, ({ label }) => label) as Readonly<
  Record<PatientField, string>
>;

/** The options of `useRecordForm` that come from the fields. */
export const fieldOptions = buildTableOptions<PatientValues>(fields);
