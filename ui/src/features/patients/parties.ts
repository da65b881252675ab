import type { Wire } from '../../contract';
import { digitsOf } from '../../lib/mask';
import { inOrder, type Ordered } from '../../lib/ordering';
import type { AddressValues } from '../addresses/components/AddressFields';

/** A responsible party as read (O 3). */
export type PartyRecord = Wire<'ResponsibleParty'>;

/** A responsible party as sent; its place in the list is its order. */
export type PartyWrite = Wire<'ResponsiblePartyWrite'>;

/** What is typed about a responsible party; phones and the fax as digits. */
export interface PartyValues extends AddressValues {
  lastName: string;
  firstName: string;
  phone: string;
  mobile: string;
  fax: string;
}

/** A responsible party in the form; `key` tells rows apart before they have an id. */
export interface Party extends PartyValues, Ordered {
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

export const partiesOf = (records: readonly PartyRecord[]): Party[] =>
  records.map((record) => ({
    key: String(record.id),
    id: record.id,
    order: record.order,
    lastName: record.lastName,
    firstName: record.firstName,
    phone: digitsOf(record.phone),
    mobile: digitsOf(record.mobile ?? ''),
    fax: digitsOf(record.fax ?? ''),
    address: record.address,
    zipCodeName: record.zipCode,
    zipCodePlus4: record.zipCodeExtra,
    country: record.country,
  }));

const orNull = (text: string): string | null => text.trim() || null;

export const partyWrites = (parties: readonly Party[]): PartyWrite[] =>
  inOrder(parties).map((party) => ({
    ...(party.id === null ? {} : { id: party.id }),
    lastName: party.lastName,
    firstName: party.firstName,
    address: party.address,
    country: party.country,
    zipCode: party.zipCodeName,
    zipCodeExtra: party.zipCodePlus4,
    phone: party.phone,
    mobile: orNull(party.mobile),
    fax: orNull(party.fax),
  }));

/** Names and addresses in capitals, without blanks around them (O 5). */
const tidy = (values: PartyValues): PartyValues => ({
  ...values,
  lastName: values.lastName.trim().toUpperCase(),
  firstName: values.firstName.trim().toUpperCase(),
  address: values.address.trim().toUpperCase(),
});

/** The parties with a new one, of the highest order and one, or 1 (O 4). */
export const partyAdded = (
  parties: readonly Party[],
  values: PartyValues,
  key: string,
): Party[] => {
  const order = Math.max(0, ...parties.map((party) => party.order)) + 1;
  return [...parties, { ...tidy(values), key, id: null, country: null, order }];
};

export const partySaved = (parties: readonly Party[], key: string, values: PartyValues): Party[] =>
  parties.map((party) => (party.key === key ? { ...party, ...tidy(values) } : party));
