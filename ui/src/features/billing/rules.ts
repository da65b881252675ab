/**
 * The decisions of the billing editor (O 4, O 5, R 5, P 5): which actions are enabled, which data
 * rows copy from the patient, and what is missing for a claim. Plain functions: no clock, no
 * request.
 */
import { isIsoDate } from '../../lib/dates';
import { PHONE_DIGITS } from '../../lib/mask';
import {
  canMove,
  findOnlySelected,
  renumberRows,
  removeRows,
  type OrderedRow,
} from '../../lib/ordering';
import { BillTo } from '../../contract';
import type { BillType, Payer } from './api';

/** The person named by an insurance row and their address; texts, empty if unknown. */
export interface InsuredPerson {
  lastName: string;
  firstName: string;
  middleName: string;
  /** ISO date. */
  birthDate: string;
  gender: string;
  /** Ten digits. */
  phone: string;
  address: string;
  zipCodeName: string;
  zipCodePlus4: string;
}

/** An insurance row in the editor. `key` identifies rows before they have an id. */
export interface Insurance extends OrderedRow, InsuredPerson {
  id: number | null;
  billType: BillType | null;
  payer: Payer | null;
  insuranceId: string;
  groupNumber: string;
  relationship: string;
  differentThanPatient: boolean;
}

/** The fields above the grid, for a new row or the selected one. */
export type InsuranceLine = Pick<
  Insurance,
  'billType' | 'payer' | 'insuranceId' | 'groupNumber' | 'relationship'
>;

export const SELF = 'SELF';

export const blankLine: InsuranceLine = {
  billType: null,
  payer: null,
  insuranceId: '',
  groupNumber: '',
  relationship: SELF,
};

export const noPerson: InsuredPerson = {
  lastName: '',
  firstName: '',
  middleName: '',
  birthDate: '',
  gender: '',
  phone: '',
  address: '',
  zipCodeName: '',
  zipCodePlus4: '',
};

export const toLine = (row: InsuranceLine): InsuranceLine => ({
  billType: row.billType,
  payer: row.payer,
  insuranceId: row.insuranceId,
  groupNumber: row.groupNumber,
  relationship: row.relationship,
});

const isSameLine = (a: InsuranceLine, b: InsuranceLine): boolean =>
  a.billType?.id === b.billType?.id &&
  a.payer?.id === b.payer?.id &&
  a.insuranceId.trim() === b.insuranceId.trim() &&
  a.groupNumber.trim() === b.groupNumber.trim() &&
  a.relationship === b.relationship;

/** Whether an insurance has the required id, payer and bill type. */
export const isComplete = (line: InsuranceLine): boolean =>
  line.insuranceId.trim() !== '' && line.payer !== null && line.billType !== null;

/** Changes the bill type. The payers depend on it, so the chosen one is cleared. */
export const changeBillType = (line: InsuranceLine, billType: BillType | null): InsuranceLine =>
  line.billType?.id === billType?.id ? line : { ...line, billType, payer: null };

/**
 * Returns what would be lost by saving the record now: a new insurance that was not added, or a
 * change to the selected row that was not saved into it.
 */
export function findUnfinished(
  line: InsuranceLine,
  selectedRow: Insurance | null,
): 'new' | 'changed' | null {
  if (selectedRow !== null) return isSameLine(line, selectedRow) ? null : 'changed';
  const isStarted = line.payer !== null || line.insuranceId.trim() || line.groupNumber.trim();
  return isStarted ? 'new' : null;
}

export interface Controls {
  add: boolean;
  save: boolean;
  remove: boolean;
  up: boolean;
  down: boolean;
  refresh: boolean;
  undo: boolean;
}

/**
 * Returns the enabled actions. The actions that order or replace rows require that insurance is
 * billed.
 */
export function getControls(
  rows: readonly Insurance[],
  selectedKeys: ReadonlySet<string>,
  line: InsuranceLine,
  billTo: BillTo,
): Controls {
  const isInsurance = billTo === BillTo.INSURANCE;
  return {
    add: isComplete(line),
    save: findOnlySelected(rows, selectedKeys) !== null,
    remove: isInsurance && rows.some(({ key }) => selectedKeys.has(key)),
    up: isInsurance && canMove(rows, selectedKeys, 'up'),
    down: isInsurance && canMove(rows, selectedKeys, 'down'),
    refresh: isInsurance,
    undo: isInsurance,
  };
}

/** Returns the valid part of the patient's own data. */
const copyPatient = (patient: InsuredPerson): InsuredPerson => ({
  lastName: patient.lastName.trim().toUpperCase(),
  firstName: patient.firstName.trim().toUpperCase(),
  middleName: patient.middleName.trim().toUpperCase(),
  birthDate: isIsoDate(patient.birthDate) ? patient.birthDate : '',
  gender: patient.gender,
  phone: patient.phone.length === PHONE_DIGITS ? patient.phone : '',
  address: patient.address.trim().toUpperCase(),
  zipCodeName: patient.zipCodeName,
  zipCodePlus4: patient.zipCodePlus4,
});

/** Makes `row` the patient's own insurance: with the patient's data and address. */
const toSelf = <Row extends InsuredPerson>(row: Row, patient: InsuredPerson) => ({
  ...row,
  ...copyPatient(patient),
  relationship: SELF,
  differentThanPatient: false,
});

/**
 * Changes the relationship. SELF copies the patient's data. A row that is no longer SELF gets back
 * its earlier data. If it had none, it keeps the patient's address but not their name, birth date,
 * gender and phone.
 */
export function changeRelationship<
  Row extends InsuredPerson & Pick<Insurance, 'relationship' | 'differentThanPatient'>,
>(row: Row, relationship: string, patient: InsuredPerson, ownData: OwnData | null = null): Row {
  if (relationship === row.relationship) return row;
  if (relationship === SELF) return toSelf(row, patient);
  if (row.relationship !== SELF) return { ...row, relationship };
  const { address, zipCodeName, zipCodePlus4 } = row;
  const patientAddress = ownData?.address ? {} : { address, zipCodeName, zipCodePlus4 };
  return { ...row, ...noPerson, ...ownData, ...patientAddress, relationship };
}

/** The data of a row's own person, from before the patient's data replaced it. */
export type OwnData = InsuredPerson & Pick<Insurance, 'relationship'>;

const hasData = (person: InsuredPerson): boolean =>
  Object.keys(noPerson).some((name) => person[name as keyof InsuredPerson] !== '');

const ADDRESS_FIELDS = ['address', 'zipCodeName', 'zipCodePlus4'] as const;

/**
 * Returns the row's own data, to restore it after the patient's data has replaced it; null if there
 * is none. All data of a row marked 'Different than patient' is its own. In other rows, the parts
 * of the address that equal the patient's are not. A SELF row has no data of its own.
 */
export function getOwnData(row: OwnDataSource, patient: InsuredPerson): OwnData | null {
  if (row.differentThanPatient) return hasData(row) ? pickOwnData(row) : null;
  if (row.relationship === SELF) return null;
  const patientData = copyPatient(patient);
  const ownData = pickOwnData(row);
  for (const name of ADDRESS_FIELDS) if (ownData[name] === patientData[name]) ownData[name] = '';
  return hasData(ownData) ? ownData : null;
}

type OwnDataSource = OwnData & Pick<Insurance, 'differentThanPatient'>;

const pickOwnData = (row: OwnData): OwnData => ({
  ...(Object.fromEntries(
    Object.keys(noPerson).map((name) => [name, row[name as keyof InsuredPerson]]),
  ) as unknown as InsuredPerson),
  relationship: row.relationship,
});

/**
 * Switches 'Different than patient'. Off copies the patient's data and sets SELF. On restores the
 * row's earlier data, or clears the fields if there is none.
 */
export function changeDifference<
  Row extends InsuredPerson & Pick<Insurance, 'relationship' | 'differentThanPatient'>,
>(row: Row, isDifferent: boolean, patient: InsuredPerson, ownData: OwnData | null): Row {
  if (!isDifferent) return toSelf(row, patient);
  const person = ownData ?? { ...noPerson, relationship: '' };
  return { ...row, ...person, differentThanPatient: true };
}

/**
 * Completes a row for saving. SELF copies the patient's names, birth date, gender and address.
 * Every row copies the zip code, unless it is marked 'Different than patient'.
 */
export function completeFromPatient(row: Insurance, patient: InsuredPerson): Insurance {
  const patientData = copyPatient(patient);
  const { zipCodeName, zipCodePlus4, phone, ...selfData } = patientData;
  const person = row.relationship === SELF ? { ...row, ...selfData } : row;
  return row.differentThanPatient ? person : { ...person, zipCodeName, zipCodePlus4 };
}

/** The fields that a claim requires (O 5). */
export const CLAIM_FIELDS = [
  'lastName',
  'firstName',
  'address',
  'birthDate',
  'gender',
  'zipCodeName',
  'relationship',
] as const;

/** Returns the fields that a completed row lacks for a claim. */
export const findMissingFields = (row: Pick<Insurance, (typeof CLAIM_FIELDS)[number]>) =>
  CLAIM_FIELDS.filter((name) => row[name].trim() === '');

/** Names a row to assistive technology: 'insurance 1, AETNA'. */
export const formatInsuranceName = ({ order, payer }: Pick<Insurance, 'order' | 'payer'>): string =>
  `insurance ${order}, ${payer?.name ?? ''}`;

export const isMissingInformation = (row: Insurance, patient: InsuredPerson): boolean =>
  findMissingFields(completeFromPatient(row, patient)).length > 0;

const normalizeLine = (line: InsuranceLine): InsuranceLine => ({
  ...line,
  insuranceId: line.insuranceId.trim().toUpperCase(),
  groupNumber: line.groupNumber.trim().toUpperCase(),
});

/** Adds a new row at the end; it starts with the patient's data. */
export function addInsurance(
  rows: readonly Insurance[],
  line: InsuranceLine,
  key: string,
  patient: InsuredPerson,
): Insurance[] {
  const selfRow: Insurance = toSelf(
    { ...noPerson, ...normalizeLine(line), id: null, key, order: rows.length + 1 } as Insurance,
    patient,
  );
  return [...rows, changeRelationship(selfRow, line.relationship, patient)];
}

/** Sets payer, bill type and numbers of a row; the relationship stays. */
export const setLine = (row: Insurance, line: InsuranceLine): Insurance => ({
  ...row,
  ...normalizeLine({ ...line, relationship: row.relationship }),
});

/** Overwrites the row of `key` with the line. */
export const updateInsurance = (
  rows: readonly Insurance[],
  key: string,
  line: InsuranceLine,
  patient: InsuredPerson,
): Insurance[] =>
  rows.map((row) =>
    row.key === key
      ? { ...changeRelationship(row, line.relationship, patient), ...normalizeLine(line) }
      : row,
  );

/** Removes rows and renumbers the others. */
export const removeInsurances = (
  rows: readonly Insurance[],
  keys: ReadonlySet<string>,
): Insurance[] => renumberRows(removeRows(rows, keys));
