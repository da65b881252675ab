import type { Wire } from '../../contract';
import { extractDigits } from '../../lib/mask';
import { sortRows, type OrderedRow } from '../../lib/ordering';
import type { AddressValues } from '../addresses/components/AddressFields';

/** A responsible party as loaded (O 3). */
export type PartyRecord = Wire<'ResponsibleParty'>;

/** A responsible party as sent; its position in the list is its order. */
export type PartyWrite = Wire<'ResponsiblePartyWrite'>;

/** The values of a responsible party; phone and fax numbers are digits. */
export interface PartyValues extends AddressValues {
  lastName: string;
  firstName: string;
  phone: string;
  mobile: string;
  fax: string;
}

/** A responsible party in the form; `key` identifies rows before they have an id. */
export interface Party extends PartyValues, OrderedRow {
  id: number | null;
  country: string | null;
}

export const blankParty: PartyValues = {
  lastName: '',
  firstName: '',
  phone: '',
  mobile: '',
  fax: '',
  address: '',
  zipCodeName: '',
  zipCodePlus4: '',
};

export const toParties = (records: readonly PartyRecord[]): Party[] =>
  records.map((record) => ({
    key: String(record.id),
    id: record.id,
    order: record.order,
    lastName: record.lastName,
    firstName: record.firstName,
    phone: extractDigits(record.phone),
    mobile: extractDigits(record.mobile ?? ''),
    fax: extractDigits(record.fax ?? ''),
    address: record.address,
    zipCodeName: record.zipCode,
    zipCodePlus4: record.zipCodeExtra,
    country: record.country,
  }));

const emptyToNull = (text: string): string | null => text.trim() || null;

export const toPartyWrites = (parties: readonly Party[]): PartyWrite[] =>
  sortRows(parties).map((party) => ({
    ...(party.id === null ? {} : { id: party.id }),
    lastName: party.lastName,
    firstName: party.firstName,
    address: party.address,
    country: party.country,
    zipCode: party.zipCodeName,
    zipCodeExtra: party.zipCodePlus4,
    phone: party.phone,
    mobile: emptyToNull(party.mobile),
    fax: emptyToNull(party.fax),
  }));

/** Trims names and address and converts them to upper case (O 5). */
const normalizeParty = (values: PartyValues): PartyValues => ({
  ...values,
  lastName: values.lastName.trim().toUpperCase(),
  firstName: values.firstName.trim().toUpperCase(),
  address: values.address.trim().toUpperCase(),
});

/** Adds a party with the highest order plus one, or 1 (O 4). */
export const addParty = (parties: readonly Party[], values: PartyValues, key: string): Party[] => {
  const order = Math.max(0, ...parties.map((party) => party.order)) + 1;
  return [...parties, { ...normalizeParty(values), key, id: null, country: null, order }];
};

export const updateParty = (parties: readonly Party[], key: string, values: PartyValues): Party[] =>
  parties.map((party) => (party.key === key ? { ...party, ...normalizeParty(values) } : party));
