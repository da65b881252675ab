/**
 * What the billing editor decides (O 4, O 5, R 5, P 5): which of its controls work, what rows take
 * from the patient, what is missing for a claim. Plain functions: no clock, no request.
 */
import { isIsoDate } from '../../lib/dates';
import { canMove, onlySelected, renumbered, without, type Ordered } from '../../lib/ordering';
import { BillTo } from '../../contract';
import type { BillType, Payer } from './api';

/** Whoever an insurance row names, and where that person lives; texts, empty when unknown. */
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

/** An insurance row in the editor. `key` tells rows apart before they have an id. */
export interface Insurance extends Ordered, InsuredPerson {
  id: number | null;
  billType: BillType | null;
  payer: Payer | null;
  insuranceId: string;
  groupNumber: string;
  relationship: string;
  differentThanPatient: boolean;
}

/** What is typed above the grid for a new row or the selected one. */
export type Entry = Pick<
  Insurance,
  'billType' | 'payer' | 'insuranceId' | 'groupNumber' | 'relationship'
>;

export const SELF = 'SELF';

export const blankEntry: Entry = {
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

export const entryOf = (row: Entry): Entry => ({
  billType: row.billType,
  payer: row.payer,
  insuranceId: row.insuranceId,
  groupNumber: row.groupNumber,
  relationship: row.relationship,
});

const sameEntry = (a: Entry, b: Entry): boolean =>
  a.billType?.id === b.billType?.id &&
  a.payer?.id === b.payer?.id &&
  a.insuranceId.trim() === b.insuranceId.trim() &&
  a.groupNumber.trim() === b.groupNumber.trim() &&
  a.relationship === b.relationship;

/** An insurance needs an id, a payer and a bill type. */
export const isComplete = (entry: Entry): boolean =>
  entry.insuranceId.trim() !== '' && entry.payer !== null && entry.billType !== null;

/** Another bill type has other payers: the chosen one goes. */
export const withBillType = (entry: Entry, billType: BillType | null): Entry =>
  entry.billType?.id === billType?.id ? entry : { ...entry, billType, payer: null };

/**
 * Whether something is typed that would be lost: a new insurance that was not added, or a change
 * to the selected row that was not saved into it.
 */
export function unfinished(entry: Entry, editing: Insurance | null): 'new' | 'changed' | null {
  if (editing !== null) return sameEntry(entry, editing) ? null : 'changed';
  const started = entry.payer !== null || entry.insuranceId.trim() || entry.groupNumber.trim();
  return started ? 'new' : null;
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

/** Which buttons work: those that order and replace rows only where insurance is billed. */
export function controls(
  rows: readonly Insurance[],
  selected: ReadonlySet<string>,
  entry: Entry,
  billTo: BillTo,
): Controls {
  const insurance = billTo === BillTo.INSURANCE;
  return {
    add: isComplete(entry),
    save: onlySelected(rows, selected) !== null,
    remove: insurance && rows.some(({ key }) => selected.has(key)),
    up: insurance && canMove(rows, selected, 'up'),
    down: insurance && canMove(rows, selected, 'down'),
    refresh: insurance,
    undo: insurance,
  };
}

/** The patient's own data, as far as they are well formed. */
const copied = (patient: InsuredPerson): InsuredPerson => ({
  lastName: patient.lastName.trim().toUpperCase(),
  firstName: patient.firstName.trim().toUpperCase(),
  middleName: patient.middleName.trim().toUpperCase(),
  birthDate: isIsoDate(patient.birthDate) ? patient.birthDate : '',
  gender: patient.gender,
  phone: patient.phone,
  address: patient.address.trim().toUpperCase(),
  zipCodeName: patient.zipCodeName,
  zipCodePlus4: patient.zipCodePlus4,
});

/** `row` as one's own insurance: the patient's data, living where the patient lives. */
const asSelf = <Row extends InsuredPerson>(row: Row, patient: InsuredPerson) => ({
  ...row,
  ...copied(patient),
  relationship: SELF,
  differentThanPatient: false,
});

/**
 * `row` with another relationship. SELF takes the patient's data. Whoever is no longer SELF gets
 * back what was typed before SELF; with nothing typed it keeps the patient's home, but not the
 * patient's name, birth date, gender and phone.
 */
export function withRelationship<
  Row extends InsuredPerson & Pick<Insurance, 'relationship' | 'differentThanPatient'>,
>(row: Row, relationship: string, patient: InsuredPerson, held: Held | null = null): Row {
  if (relationship === row.relationship) return row;
  if (relationship === SELF) return asSelf(row, patient);
  if (row.relationship !== SELF) return { ...row, relationship };
  const { address, zipCodeName, zipCodePlus4 } = row;
  const home = held?.address ? {} : { address, zipCodeName, zipCodePlus4 };
  return { ...row, ...noPerson, ...held, ...home, relationship };
}

/** What a row's person was before the patient's data took its place. */
export type Held = InsuredPerson & Pick<Insurance, 'relationship'>;

const hasData = (person: InsuredPerson): boolean =>
  Object.keys(noPerson).some((name) => person[name as keyof InsuredPerson] !== '');

const HOME = ['address', 'zipCodeName', 'zipCodePlus4'] as const;

/**
 * What a row holds of a person of its own, to come back when the patient's data has taken its
 * place: all of it where the row is different from the patient; else, for somebody who is not the
 * patient, all but a home that is merely the patient's. Null when that is nothing.
 */
export function heldOf(row: HeldSource, patient: InsuredPerson): Held | null {
  if (row.differentThanPatient) return hasData(row) ? heldPart(row) : null;
  if (row.relationship === SELF) return null;
  const own = copied(patient);
  const part = heldPart(row);
  for (const name of HOME) if (part[name] === own[name]) part[name] = '';
  return hasData(part) ? part : null;
}

type HeldSource = Held & Pick<Insurance, 'differentThanPatient'>;

const heldPart = (row: Held): Held => ({
  ...(Object.fromEntries(
    Object.keys(noPerson).map((name) => [name, row[name as keyof InsuredPerson]]),
  ) as unknown as InsuredPerson),
  relationship: row.relationship,
});

/**
 * 'Different than patient' off copies the patient's data and sets SELF. On clears the fields,
 * unless they held data before: then those come back.
 */
export function withDifference<
  Row extends InsuredPerson & Pick<Insurance, 'relationship' | 'differentThanPatient'>,
>(row: Row, different: boolean, patient: InsuredPerson, held: Held | null): Row {
  if (!different) return asSelf(row, patient);
  const person = held ?? { ...noPerson, relationship: '' };
  return { ...row, ...person, differentThanPatient: true };
}

/**
 * Completes a row as it is saved: SELF takes the patient's names, birth date, gender and address; any row
 * takes the patient's zip code unless it is different from the patient.
 */
export function completeFromPatient(row: Insurance, patient: InsuredPerson): Insurance {
  const own = copied(patient);
  const { zipCodeName, zipCodePlus4, phone, ...self } = own;
  const person = row.relationship === SELF ? { ...row, ...self } : row;
  return row.differentThanPatient ? person : { ...person, zipCodeName, zipCodePlus4 };
}

/** What a claim can not do without (O 5). */
export const CLAIM_FIELDS = [
  'lastName',
  'firstName',
  'address',
  'birthDate',
  'gender',
  'zipCodeName',
  'relationship',
] as const;

/** What a completed row lacks for a claim. */
export const missingFields = (row: Pick<Insurance, (typeof CLAIM_FIELDS)[number]>) =>
  CLAIM_FIELDS.filter((name) => row[name].trim() === '');

export const isMissingInformation = (row: Insurance, patient: InsuredPerson): boolean =>
  missingFields(completeFromPatient(row, patient)).length > 0;

const capitals = (entry: Entry): Entry => ({
  ...entry,
  insuranceId: entry.insuranceId.trim().toUpperCase(),
  groupNumber: entry.groupNumber.trim().toUpperCase(),
});

/** The rows with a new one behind them; it begins with the patient's data. */
export function added(
  rows: readonly Insurance[],
  entry: Entry,
  key: string,
  patient: InsuredPerson,
): Insurance[] {
  const own: Insurance = asSelf(
    { ...noPerson, ...capitals(entry), id: null, key, order: rows.length + 1 } as Insurance,
    patient,
  );
  return [...rows, withRelationship(own, entry.relationship, patient)];
}

/** The row of `key` overwritten with the entry. */
export const saved = (
  rows: readonly Insurance[],
  key: string,
  entry: Entry,
  patient: InsuredPerson,
): Insurance[] =>
  rows.map((row) =>
    row.key === key
      ? { ...withRelationship(row, entry.relationship, patient), ...capitals(entry) }
      : row,
  );

/** The rows that are left, renumbered. */
export const removed = (rows: readonly Insurance[], keys: ReadonlySet<string>): Insurance[] =>
  renumbered(without(rows, keys));
