import { render, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { rangeColumn, ResultTable, testColumn, unitColumn } from './ResultTable';

const line = { isPanel: false, unit: 'mmol/L', referenceRange: '135 - 145', level: 1 };
const rows = [
  { ...line, name: 'CHEMISTRY', isPanel: true, unit: null, referenceRange: null, level: 0 },
  { ...line, name: 'SODIUM' },
  { ...line, name: 'ELECTROLYTES', isPanel: true },
];
const columns = [testColumn, unitColumn, rangeColumn];
const renderTable = (getLevel?: (row: (typeof rows)[number]) => number) =>
  render(
    <ResultTable
      rows={rows}
      getRowKey={({ name }) => name}
      columns={columns}
      getLevel={getLevel}
    />,
  );

const getIndent = (name: string) =>
  screen.getByRole('rowheader', { name }).style.paddingInlineStart;

describe('A result table', () => {
  it('has column headers and row headers', () => {
    renderTable();
    const header = screen.getByRole('row', { name: /^Test/ });
    expect(
      within(header)
        .getAllByRole('columnheader')
        .map((title) => title.textContent),
    ).toEqual(['Test', 'Unit', 'Reference Range']);
    const sodium = screen.getByRole('row', { name: /SODIUM/ });
    expect(within(sodium).getByRole('rowheader', { name: 'SODIUM' })).toBeVisible();
    expect(
      within(sodium)
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    ).toEqual(['mmol/L', '135 - 145']);
  });

  it('shows a panel across all columns', () => {
    renderTable();
    expect(screen.getByText('CHEMISTRY')).toHaveAttribute('colspan', '3');
  });

  it('indents the rows below a panel, including panels', () => {
    renderTable(({ level }) => level);
    expect(getIndent('SODIUM')).toBe('28px');
    expect(screen.getByText('ELECTROLYTES').style.paddingInlineStart).toBe('28px');
    expect(screen.getByText('CHEMISTRY').style.paddingInlineStart).toBe('10px');
  });

  it('does not indent rows without a tree', () => {
    renderTable();
    expect(getIndent('SODIUM')).toBe('');
  });
});
