import { formatDate } from '../../lib/dates';
import { Fasting } from '../../contract';
import type { RequisitionValues } from './form';

const ENTRIES: Readonly<Record<string, (values: RequisitionValues) => string[]>> = {
  tests: ({ tests }) => tests.map(({ test }) => test.code),
  diagnoses: ({ diagnoses }) => diagnoses.map(({ code }) => code),
  additional: ({ additional }) => additional.map(({ code }) => code),
  medications: ({ medications }) => medications,
  additionalCopies: ({ additionalCopies }) => additionalCopies.map((copy) => copy.destination),
  billing: ({ billing }) => billing.map(({ insuranceId }) => insuranceId),
};

const nameOf = (person: { lastName: string; firstName: string } | null): string =>
  person === null ? 'none' : `${person.lastName}, ${person.firstName}`;

const fastingOf = (value: string): string =>
  Object.entries(Fasting).find(([, number]) => String(number) === value)?.[0] ?? value;

function plain(html: string): string {
  const apart = html.replaceAll(/<(?:br|\/p|\/li)[^>]*>/g, ' ');
  return new DOMParser().parseFromString(apart, 'text/html').body.textContent.trim();
}

/** What a field holds; null where no words are known for it. */
function valueOf(field: string, values: RequisitionValues): string | null {
  switch (field) {
    case 'patient':
      return nameOf(values.patient);
    case 'physician':
      return nameOf(values.physician);
    case 'sameAsPrimary':
      return values.sameAsPrimary ? 'on' : 'off';
    case 'collectionDate':
      return formatDate(values.collectionDate) || values.collectionDate;
    case 'collectionTime':
      return values.collectionTime || 'none';
    case 'fasting':
      return fastingOf(values.fasting);
    case 'priority':
      return values.priority;
    case 'billTo':
      return values.billTo;
    default:
      return null;
  }
}

/**
 * What a person had entered in a field, in words: where it can not be saved any more it can still be
 * told to the lab or entered elsewhere. Of a list what the saved one has not, and lacks.
 */
export function wordsOf(field: string, mine: RequisitionValues, saved: RequisitionValues): string {
  const entriesOf = ENTRIES[field];
  if (entriesOf) {
    const [own, theirs] = [entriesOf(mine), entriesOf(saved)];
    const added = own.filter((entry) => !theirs.includes(entry));
    const removed = theirs.filter((entry) => !own.includes(entry));
    const parts = [
      added.length > 0 && `added ${added.join(', ')}`,
      removed.length > 0 && `removed ${removed.join(', ')}`,
    ].filter((part) => part !== false);
    return parts.join('; ') || 'changed';
  }
  if (field === 'comments') return plain(mine.comments) || 'removed';
  return valueOf(field, mine) ?? 'changed';
}

const BRIEF_LENGTH = 60;

const brief = (words: string): string =>
  words.length > BRIEF_LENGTH ? `${words.slice(0, BRIEF_LENGTH).trimEnd()}…` : words;

/** What a field holds in a few words, to be compared with what somebody else made of it. */
export function brieflyOf(field: string, values: RequisitionValues): string | null {
  const entries = ENTRIES[field]?.(values);
  if (entries) return brief(entries.join(', ')) || 'none';
  if (field === 'comments') {
    const words = plain(values.comments);
    return words === '' ? 'none' : `'${brief(words)}'`;
  }
  const words = valueOf(field, values);
  return words === null ? null : brief(words);
}
