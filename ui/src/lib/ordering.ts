/** Rows that stand in an order from 1, moved one at a time (O 4). Plain functions. */

export interface Ordered {
  key: string;
  order: number;
}

export const inOrder = <Row extends Ordered>(rows: readonly Row[]): Row[] =>
  [...rows].sort((a, b) => a.order - b.order);

/** Orders 1 to n, as the rows stand. */
export const renumbered = <Row extends Ordered>(rows: readonly Row[]): Row[] =>
  inOrder(rows).map((row, index) => ({ ...row, order: index + 1 }));

export const without = <Row extends Ordered>(
  rows: readonly Row[],
  keys: ReadonlySet<string>,
): Row[] => rows.filter((row) => !keys.has(row.key));

/** The only selected row that is there, or null. */
export function onlySelected<Row extends Ordered>(
  rows: readonly Row[],
  selected: ReadonlySet<string>,
): Row | null {
  const [row, ...others] = rows.filter(({ key }) => selected.has(key));
  return row !== undefined && others.length === 0 ? row : null;
}

export type Direction = 'up' | 'down';

/** The row that one would change places with; null where it can not move. */
function neighbour<Row extends Ordered>(
  rows: readonly Row[],
  selected: ReadonlySet<string>,
  direction: Direction,
): Row | null {
  const row = onlySelected(rows, selected);
  if (row === null) return null;
  const sorted = inOrder(rows);
  const place = sorted.findIndex(({ key }) => key === row.key);
  return sorted[place + (direction === 'up' ? -1 : 1)] ?? null;
}

/** Exactly one row is selected, and it is not the first (up) or the last (down) of several. */
export const canMove = (
  rows: readonly Ordered[],
  selected: ReadonlySet<string>,
  direction: Direction,
): boolean => neighbour(rows, selected, direction) !== null;

/** The selected row swaps its order with its neighbour; unchanged where it can not move. */
export function moved<Row extends Ordered>(
  rows: readonly Row[],
  selected: ReadonlySet<string>,
  direction: Direction,
): Row[] {
  const row = onlySelected(rows, selected);
  const other = neighbour(rows, selected, direction);
  if (row === null || other === null) return [...rows];
  const swapped = rows.map((one) => {
    if (one.key === row.key) return { ...one, order: other.order };
    return one.key === other.key ? { ...one, order: row.order } : one;
  });
  return inOrder(swapped);
}
