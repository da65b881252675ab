import { formatDate } from '../../components';
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
  switch (field) {
    case 'patient':
      return nameOf(mine.patient);
    case 'physician':
      return nameOf(mine.physician);
    case 'sameAsPrimary':
      return mine.sameAsPrimary ? 'on' : 'off';
    case 'collectionDate':
      return formatDate(mine.collectionDate) || mine.collectionDate;
    case 'collectionTime':
      return mine.collectionTime || 'none';
    case 'fasting':
      return fastingOf(mine.fasting);
    case 'priority':
      return mine.priority;
    case 'billTo':
      return mine.billTo;
    case 'comments':
      return plain(mine.comments) || 'removed';
    default:
      return 'changed';
  }
}
