/** The values of the user form, their rules (P 5), and what is sent. */
import { z } from 'zod';

import {
  buildListFormat,
  buildTableOptions,
  textFormat,
  type FieldTable,
} from '../../components/forms/fieldTable';
import { buildRequiredRule } from '../../components/forms/textRules';
import { messages, Role, type Wire } from '../../contract';
import type { PatientOfUser, User, UserWrite } from './api';

export type AssignedClient = Wire<'AssignedClient'>;
export type AssignedPhysician = Wire<'AssignedPhysician'>;
export type AssignedPatient = Wire<'AssignedPatient'>;

export interface UserValues {
  email: string;
  lastName: string;
  firstName: string;
  role: string;
  clients: AssignedClient[];
  physicians: AssignedPhysician[];
  patients: AssignedPatient[];
}

/** The records that users of a role are assigned to; each kind has a tab. */
export type AssignedKind = 'clients' | 'physicians' | 'patients';

const KIND_OF_ROLE: Readonly<Record<string, AssignedKind | undefined>> = {
  [Role.CLIENT_ADMIN]: 'clients',
  [Role.CLIENT_BASIC]: 'clients',
  [Role.PHYSICIAN]: 'physicians',
  [Role.PATIENT]: 'patients',
};

export const getAssignedKind = (role: string): AssignedKind | null => KIND_OF_ROLE[role] ?? null;

const REQUIRED: Readonly<Record<AssignedKind, string>> = {
  clients: messages.USER_CLIENT_REQUIRED,
  physicians: messages.USER_PHYSICIAN_REQUIRED,
  patients: messages.USER_PATIENT_REQUIRED,
};

const buildItemsRule = <Item>() => z.array(z.custom<Item>());

export const schema: z.ZodType<UserValues, UserValues> = z
  .object({
    email: buildRequiredRule(messages.EMAIL_REQUIRED).pipe(z.email(messages.EMAIL_INVALID)),
    lastName: buildRequiredRule(messages.LAST_NAME_REQUIRED),
    firstName: buildRequiredRule(messages.USER_FIRST_NAME_REQUIRED),
    role: buildRequiredRule(messages.USER_ROLE_REQUIRED),
    clients: buildItemsRule<AssignedClient>(),
    physicians: buildItemsRule<AssignedPhysician>(),
    patients: buildItemsRule<AssignedPatient>(),
  })
  .superRefine((values, context) => {
    const kind = getAssignedKind(values.role);
    if (kind !== null && values[kind].length === 0) {
      context.addIssue({ code: 'custom', path: [kind], message: REQUIRED[kind] });
    }
  });

const formatName = (person: { lastName?: string | null; firstName?: string | null }): string =>
  person.lastName ? `${person.lastName}, ${person.firstName ?? ''}` : 'another client’s';
const getId = ({ id }: { id: number }) => id;

/** The fields with their labels; a role shows one of the last three. */
export const fields: FieldTable<UserValues> = {
  email: { label: 'Email', wire: 'email', format: textFormat },
  lastName: { label: 'Last Name', wire: 'lastName', format: textFormat },
  firstName: { label: 'First Name', wire: 'firstName', format: textFormat },
  role: { label: 'Role', wire: 'role', format: textFormat },
  clients: {
    label: 'Clients',
    wire: 'data.clients',
    format: buildListFormat((row: AssignedClient) => row.name, getId),
  },
  physicians: {
    label: 'Physicians',
    wire: 'data.physicians',
    format: buildListFormat((row: AssignedPhysician) => formatName(row), getId),
  },
  patients: {
    label: 'Patients',
    wire: 'data.patients',
    format: buildListFormat((row: AssignedPatient) => formatName(row), getId),
  },
};

export const fieldOptions = {
  ...buildTableOptions(fields),
  findField: (wire: string): string | null => {
    const name = wire.startsWith('data.') ? (wire.split('.')[1] ?? '') : wire;
    return name in fields ? name : null;
  },
};

export const blankUser: UserValues = {
  email: '',
  lastName: '',
  firstName: '',
  role: '',
  clients: [],
  physicians: [],
  patients: [],
};

/** The values of a new user for a patient. */
export const buildPatientUser = (patient: PatientOfUser): UserValues => ({
  ...blankUser,
  email: patient.email ?? '',
  lastName: patient.lastName,
  firstName: patient.firstName,
  role: Role.PATIENT,
  patients: [{ ...patient, isLocked: false }],
});

export const toValues = (user: User): UserValues => ({
  email: user.email,
  lastName: user.lastName,
  firstName: user.firstName,
  role: user.role,
  clients: user.clients,
  physicians: user.physicians,
  patients: user.patients,
});

export const toWrite = (values: UserValues): UserWrite => ({
  email: values.email,
  lastName: values.lastName,
  firstName: values.firstName,
  role: values.role,
  data: {
    clients: values.clients.map(getId),
    physicians: values.physicians.map(getId),
    patients: values.patients.map(getId),
  },
  registration: { applicationId: 'portal', roles: [values.role] },
});
