import { describe, expect, it } from 'vitest';

import { messages } from '../../contract';
import {
  addNode,
  changeColumn,
  changeOperator,
  copyNode,
  createGroup,
  createRule,
  describeQuery,
  findBlanks,
  fromWire,
  listRules,
  mapErrors,
  replaceNode,
  toWire,
  type RuleNode,
} from './conditions';
import { buildColumns } from '../../test/orderSearch';

const columns = buildColumns();
const getColumn = (name: string) => {
  const column = columns.get(name);
  if (!column) throw new Error(name);
  return column;
};
const buildRule = (name: string, values: Partial<RuleNode> = {}): RuleNode => ({
  ...createRule(getColumn(name)),
  ...values,
});

describe('A tree of conditions', () => {
  it('can be sent and read again without loss', () => {
    const root = createGroup([
      buildRule('lastName', { value: 'LOPEZ' }),
      {
        ...createGroup([
          buildRule('client', { value: [{ id: 3, name: 'NORTH SHORE' }] }),
          buildRule('resultNumber', { operator: '>', value: '120', test: { id: 7, name: 'GLU' } }),
          buildRule('susceptibility', { value: ['R'], antibiotic: 'CIP' }),
        ]),
        combinator: 'or',
        not: true,
      },
    ]);
    expect(toWire(root)).toEqual({
      combinator: 'and',
      not: false,
      rules: [
        { field: 'lastName', operator: 'contains', value: 'LOPEZ' },
        {
          combinator: 'or',
          not: true,
          rules: [
            { field: 'client', operator: 'in', value: [3] },
            { field: 'resultNumber', operator: '>', value: '120', test: 7 },
            { field: 'susceptibility', operator: 'in', value: ['R'], antibiotic: 'CIP' },
          ],
        },
      ],
    });
    const storedQuery = toWire(root, true);
    expect(toWire(fromWire(storedQuery, columns), true)).toEqual(storedQuery);
    expect(describeQuery(fromWire(storedQuery, columns), columns)).toBe(
      'Last name contains LOPEZ and not (Client is NORTH SHORE or ' +
        'Result of a test (GLU) is more than 120 or ' +
        'Antibiotic, interpretation (Ciprofloxacin) is R)',
    );
  });

  it('adds, copies and removes its members', () => {
    const inner = createGroup([buildRule('lastName')]);
    const root = addNode(createGroup([inner]), inner.key, buildRule('status'));
    expect(listRules(root).map(({ field }) => field)).toEqual(['lastName', 'status']);
    const copiedQuery = replaceNode(root, inner.key, (node) => [node, copyNode(node)]);
    expect(listRules(copiedQuery).map(({ field }) => field)).toEqual([
      ...['lastName', 'status'],
      ...['lastName', 'status'],
    ]);
    expect(new Set(listRules(copiedQuery).map(({ key }) => key)).size).toBe(4);
    expect(listRules(replaceNode(copiedQuery, inner.key, () => null))).toHaveLength(2);
  });

  it('keeps a value only where it still fits', () => {
    const text = buildRule('lastName', { operator: 'beginsWith', value: 'LO' });
    expect(changeColumn(text, getColumn('unit'), columns)).toMatchObject({
      field: 'unit',
      operator: 'beginsWith',
      value: 'LO',
    });
    expect(changeColumn(text, getColumn('status'), columns)).toMatchObject({
      operator: 'in',
      value: [],
    });
    expect(changeOperator(text, '=', columns).value).toBe('LO');
    const day = buildRule('collectionDate', { operator: '=', value: '2026-03-01' });
    expect(changeOperator(day, 'between', columns).value).toEqual(['', '']);
    expect(changeOperator(day, 'inLastDays', columns).value).toBe('30');
  });

  it('finds what is not filled in', () => {
    const name = buildRule('lastName');
    const result = buildRule('resultNumber', { value: '5' });
    const empty = buildRule('unit', { operator: 'null', value: '' });
    const missingColumnRule = { ...buildRule('unit', { value: 'EAST' }), field: 'gone' };
    const errors = findBlanks(
      createGroup([name, createGroup([result, empty]), missingColumnRule]),
      columns,
    );
    expect(errors).toEqual({
      [name.key]: { part: 'value', message: messages.SEARCH_VALUE_REQUIRED },
      [result.key]: { part: 'test', message: messages.SEARCH_TEST_REQUIRED },
      [missingColumnRule.key]: { part: 'field', message: messages.SEARCH_COLUMN_UNKNOWN },
    });
  });

  it("assigns the portal's errors to their conditions", () => {
    const nameRule = buildRule('lastName');
    const inner = createGroup([buildRule('status'), nameRule]);
    const root = createGroup([buildRule('unit'), inner]);
    const mappedErrors = mapErrors(root, [
      { field: 'query.rules.1.rules.1.value', message: 'Enter a number' },
      { field: 'query.rules.1', message: 'Too deep' },
      { field: 'query', message: 'Too many' },
      { field: 'sort', message: 'Elsewhere' },
    ]);
    expect(mappedErrors).toEqual({
      [nameRule.key]: { part: 'value', message: 'Enter a number' },
      [inner.key]: { part: null, message: 'Too deep' },
      [root.key]: { part: null, message: 'Too many' },
    });
  });

  it('is described in plain words', () => {
    const describeRule = (name: string, values: Partial<RuleNode>) =>
      describeQuery(createGroup([buildRule(name, values)]), columns);
    expect(describeRule('collectionDate', { operator: 'inLastDays', value: '7' })).toBe(
      'Collection date is in the last 7 days',
    );
    expect(
      describeRule('collectionDate', { operator: 'between', value: ['2026-01-01', '2026-01-31'] }),
    ).toBe('Collection date is between 01/01/2026 and 01/31/2026');
    expect(describeRule('status', { value: ['FINAL', 'PARTIAL'] })).toBe(
      'Status is any of FINAL, PARTIAL',
    );
    expect(describeRule('signed', { value: false })).toBe('Signed is no');
    expect(describeRule('unit', { operator: 'null', value: '' })).toBe('Unit is empty');
    expect(describeQuery(createGroup([createGroup()]), columns)).toBe('');
  });
});
