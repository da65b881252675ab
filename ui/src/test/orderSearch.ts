import type { Wire } from '../contract';

type SearchColumn = Wire<'SearchColumnRead'>;

const TEXT = ['contains', 'doesNotContain', 'beginsWith', '=', '!='];
const EMPTINESS = ['null', 'notNull'];
const NUMBER = ['=', '!=', '<', '<=', '>', '>=', 'between'];
const DAY = ['between', 'inLastDays', '=', '!=', '<', '<=', '>', '>='];

const buildColumn = (
  name: string,
  label: string,
  kind: string,
  operators: string[],
  values: Partial<SearchColumn> = {},
): SearchColumn => ({
  name,
  label,
  group: 'Order',
  kind,
  operators,
  choices: [],
  source: null,
  needsTest: false,
  needsAntibiotic: false,
  antibiotics: [],
  isShown: true,
  isUsual: false,
  sort: null,
  ...values,
});

/** A few columns of the advanced search, one of each kind. */
export const searchColumns: SearchColumn[] = [
  buildColumn('code', 'Order Id', 'text', TEXT, { isUsual: true, sort: 'indexed' }),
  buildColumn('status', 'Status', 'choice', ['in', 'notIn'], {
    choices: ['PENDING', 'PARTIAL', 'FINAL'].map((value) => ({ value, label: value })),
  }),
  buildColumn('collectionDate', 'Collection date', 'moment', DAY, {
    isUsual: true,
    sort: 'indexed',
  }),
  buildColumn('lastName', 'Last name', 'text', TEXT, {
    group: 'Patient',
    isUsual: true,
    sort: 'window',
  }),
  buildColumn('client', 'Client', 'reference', ['in', 'notIn'], {
    group: 'Place',
    source: 'clients',
  }),
  buildColumn('unit', 'Unit', 'text', [...TEXT, ...EMPTINESS], { group: 'Place' }),
  buildColumn('resultNumber', 'Result of a test', 'number', NUMBER, {
    group: 'Results',
    needsTest: true,
    isShown: false,
  }),
  buildColumn('susceptibility', 'Antibiotic, interpretation', 'choice', ['in', 'notIn'], {
    group: 'Cultures',
    choices: ['S', 'I', 'R'].map((value) => ({ value, label: value })),
    needsAntibiotic: true,
    antibiotics: [
      { value: 'AMP', label: 'Ampicillin' },
      { value: 'CIP', label: 'Ciprofloxacin' },
    ],
  }),
  buildColumn('signed', 'Signed', 'boolean', ['='], { group: 'Follow-up' }),
];

export const buildColumns = (): ReadonlyMap<string, SearchColumn> =>
  new Map(searchColumns.map((column) => [column.name, column]));
