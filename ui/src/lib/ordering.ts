/** Ordering of rows numbered from 1, moved one position at a time (O 4). Plain functions. */

export interface OrderedRow {
  key: string;
  order: number;
}

export const sortRows = <Row extends OrderedRow>(rows: readonly Row[]): Row[] =>
  [...rows].sort((a, b) => a.order - b.order);

/** Numbers the rows from 1 in their current order. */
export const renumberRows = <Row extends OrderedRow>(rows: readonly Row[]): Row[] =>
  sortRows(rows).map((row, index) => ({ ...row, order: index + 1 }));

export const removeRows = <Row extends OrderedRow>(
  rows: readonly Row[],
  keys: ReadonlySet<string>,
): Row[] => rows.filter((row) => !keys.has(row.key));

/** Returns the only selected row that exists, or null. */
export function findOnlySelected<Row extends OrderedRow>(
  rows: readonly Row[],
  selectedKeys: ReadonlySet<string>,
): Row | null {
  const [row, ...others] = rows.filter(({ key }) => selectedKeys.has(key));
  return row !== undefined && others.length === 0 ? row : null;
}

export type Direction = 'up' | 'down';

/** Returns the row to swap places with, or null when the selected row cannot move. */
function findNeighbor<Row extends OrderedRow>(
  rows: readonly Row[],
  selectedKeys: ReadonlySet<string>,
  direction: Direction,
): Row | null {
  const row = findOnlySelected(rows, selectedKeys);
  if (row === null) return null;
  const sortedRows = sortRows(rows);
  const index = sortedRows.findIndex(({ key }) => key === row.key);
  return sortedRows[index + (direction === 'up' ? -1 : 1)] ?? null;
}

/** Whether exactly one row is selected and it can move up or down. */
export const canMove = (
  rows: readonly OrderedRow[],
  selectedKeys: ReadonlySet<string>,
  direction: Direction,
): boolean => findNeighbor(rows, selectedKeys, direction) !== null;

/** Swaps the selected row with its neighbor. Returns the rows unchanged when it cannot move. */
export function moveRow<Row extends OrderedRow>(
  rows: readonly Row[],
  selectedKeys: ReadonlySet<string>,
  direction: Direction,
): Row[] {
  const row = findOnlySelected(rows, selectedKeys);
  const neighbor = findNeighbor(rows, selectedKeys, direction);
  if (row === null || neighbor === null) return [...rows];
  const swappedRows = rows.map((candidate) => {
    if (candidate.key === row.key) return { ...candidate, order: neighbor.order };
    return candidate.key === neighbor.key ? { ...candidate, order: row.order } : candidate;
  });
  return sortRows(swappedRows);
}
