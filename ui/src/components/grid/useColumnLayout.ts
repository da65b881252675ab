import { useMemo } from 'react';

import { usePreference } from '../../device';
import type { GridColumn } from './types';

interface StoredLayout {
  order: string[];
  widths: Record<string, number>;
  hidden: string[];
  /** Columns that the user has shown, although they are optional or do not fit. */
  shown?: string[];
}

const MIN_WIDTH_PX = 56;
const MAX_WIDTH_PX = 900;
const MIN_SHRINK_FACTOR = 0.8;
const MAX_RIGID_GROWTH = 1.125;

const sumWidths = (widths: readonly number[]) => widths.reduce((sum, width) => sum + width, 0);

/** The width below which a column does not shrink. */
const getFloor = (width: number, isRigid: boolean, minWidth = 0): number =>
  isRigid ? width : Math.max(minWidth, width * MIN_SHRINK_FACTOR);

/** Shrinks the widths above their floors by one factor, until all fit into `available`. */
function shrinkWidths(widths: readonly number[], floors: readonly number[], available: number) {
  const atFloor = new Set<number>();
  for (;;) {
    const fixedWidth = sumWidths(floors.filter((_, i) => atFloor.has(i)));
    const factor = (available - fixedWidth) / sumWidths(widths.filter((_, i) => !atFloor.has(i)));
    const isTooNarrow = (i: number) => (widths[i] ?? 0) * factor < (floors[i] ?? 0);
    const narrowColumns = widths.map((_, i) => i).filter((i) => !atFloor.has(i) && isTooNarrow(i));
    if (narrowColumns.length === 0) {
      return widths.map((width, i) => (atFloor.has(i) ? (floors[i] ?? width) : width * factor));
    }
    for (const i of narrowColumns) atFloor.add(i);
  }
}

/**
 * Computes widths that fill `available`. If space is short, texts shrink a little, but not below
 * their `minWidths`, while numbers and dates (`rigid`) do not. If that is not enough, all keep their
 * widths and the grid scrolls. With much space, texts grow, so that numbers and dates stay near
 * their neighbors.
 * @param growth how much faster than other texts each grows
 */
export function fitWidths(
  widths: readonly number[],
  rigid: readonly boolean[],
  available: number,
  growth: readonly number[] = [],
  minWidths: readonly (number | undefined)[] = [],
): number[] {
  const total = sumWidths(widths);
  if (total === 0) return [];
  const floors = widths.map((width, i) => getFloor(width, rigid[i] ?? false, minWidths[i]));
  if (sumWidths(floors) > available) return [...widths];
  const growWidths = () => {
    const textWidth = sumWidths(widths.filter((_, i) => !rigid[i]));
    // Without texts, the others take all space.
    const maxFactor = textWidth === 0 ? Infinity : MAX_RIGID_GROWTH;
    const rigidFactor = Math.min(available / total, maxFactor);
    const shares = widths.map((width, i) => (rigid[i] ? 0 : width * (growth[i] ?? 1)));
    const freeWidth = available - textWidth - (total - textWidth) * rigidFactor;
    return widths.map((width, i) =>
      rigid[i] ? width * rigidFactor : width + (freeWidth * (shares[i] ?? 0)) / sumWidths(shares),
    );
  };
  const fittedWidths = available < total ? shrinkWidths(widths, floors, available) : growWidths();
  const roundedWidths = fittedWidths.map(Math.floor);
  // The last column gets the rest left by rounding.
  const rest = Math.floor(available - sumWidths(roundedWidths));
  return roundedWidths.map((width, i) => (i === roundedWidths.length - 1 ? width + rest : width));
}

/**
 * Returns the columns without a drop order, and those of the others that fit into `available`: the
 * lower its order, the sooner a column gets space.
 */
export function dropColumns<Column>(
  columns: readonly Column[],
  getMinWidth: (column: Column) => number,
  getDropOrder: (column: Column) => number,
  available: number,
): readonly Column[] {
  const droppedColumns = new Set<Column>();
  let width = 0;
  for (const column of [...columns].sort((a, b) => getDropOrder(a) - getDropOrder(b))) {
    const minWidth = getMinWidth(column);
    if (getDropOrder(column) > 0 && width + minWidth > available) droppedColumns.add(column);
    else width += minWidth;
  }
  return columns.filter((column) => !droppedColumns.has(column));
}

const isRigid = <Row>({ rigid }: GridColumn<Row>): boolean => rigid === true;

const isNot = (id: string) => (other: string) => other !== id;

export interface ColumnLayout<Row> {
  /** The visible columns in the user's order. */
  columns: readonly GridColumn<Row>[];
  /** All columns in that order, for the column chooser. */
  allColumns: readonly GridColumn<Row>[];
  isHidden: (id: string) => boolean;
  /** Computes widths in pixels that fill `available`, in the order of `columns`. */
  computeWidths: (available: number) => number[];
  resize: (id: string, width: number) => void;
  move: (id: string, step: number) => void;
  moveTo: (id: string, beforeId: string) => void;
  toggle: (id: string) => void;
  reset: () => void;
}

interface Space {
  /** The width for the columns; 0 until it is known. */
  available: number;
  /** Columns that must stay: the rows are filtered or sorted by them. */
  used: ReadonlySet<string>;
  /** Called with the user's order of the columns, on a screen that chooses and stores them. */
  onReorder?: ((ids: string[]) => void) | undefined;
}

/** Column order, widths and visibility of one grid, saved in the preferences. */
export function useColumnLayout<Row>(
  name: string,
  columns: readonly GridColumn<Row>[],
  { available, used, onReorder }: Space,
): ColumnLayout<Row> {
  const [preference, storeLayout] = usePreference<StoredLayout>(`grid.${name}.columns`);
  const isOrdered = onReorder !== undefined;
  const storedLayout = useMemo(
    () => (preference && isOrdered ? { ...preference, order: [], hidden: [] } : preference),
    [preference, isOrdered],
  );

  const allColumns = useMemo(() => {
    const order = storedLayout?.order ?? [];
    const getPosition = (id: string) => {
      const position = order.indexOf(id);
      // A column new to this user keeps the position that the screen gave it.
      return position === -1 ? columns.findIndex((column) => column.id === id) : position;
    };
    return [...columns].sort((a, b) => getPosition(a.id) - getPosition(b.id));
  }, [columns, storedLayout]);

  const hiddenIds = storedLayout?.hidden ?? [];
  const shownIds = storedLayout?.shown ?? [];
  const getWidth = (column: GridColumn<Row>) => storedLayout?.widths[column.id] ?? column.width;
  const mustStay = ({ id }: GridColumn<Row>) => shownIds.includes(id) || used.has(id);
  const chosenColumns = allColumns.filter(
    (column) => !hiddenIds.includes(column.id) && (!column.optional || mustStay(column)),
  );
  const visibleColumns = dropColumns(
    chosenColumns,
    (column) => getFloor(getWidth(column), isRigid(column), column.minWidth),
    (column) => (mustStay(column) ? 0 : (column.dropOrder ?? 0)),
    available > 0 ? available : Infinity,
  );
  const isHidden = (id: string) => !visibleColumns.some((column) => column.id === id);

  const save = (change: Partial<StoredLayout>) =>
    storeLayout({
      order: allColumns.map((column) => column.id),
      widths: storedLayout?.widths ?? {},
      hidden: hiddenIds,
      shown: shownIds,
      ...change,
    });

  const reorder = (id: string, position: number) => {
    const order = allColumns.map((column) => column.id).filter((columnId) => columnId !== id);
    order.splice(Math.max(0, position), 0, id);
    if (onReorder) onReorder(order);
    else save({ order });
  };

  return {
    columns: visibleColumns,
    allColumns,
    isHidden,
    computeWidths: (available) => {
      const widths = visibleColumns.map(getWidth);
      const isResized = Object.keys(storedLayout?.widths ?? {}).length > 0;
      if (isResized && sumWidths(widths) >= available) return widths;
      const rigid = visibleColumns.map(isRigid);
      const growth = visibleColumns.map((column) => column.growth ?? 1);
      const minWidths = visibleColumns.map((column) => column.minWidth);
      return fitWidths(widths, rigid, available, growth, minWidths);
    },
    resize: (id, width) => {
      const clampedWidth = Math.min(MAX_WIDTH_PX, Math.max(MIN_WIDTH_PX, Math.round(width)));
      save({ widths: { ...storedLayout?.widths, [id]: clampedWidth } });
    },
    move: (id, step) => reorder(id, allColumns.findIndex((column) => column.id === id) + step),
    moveTo: (id, beforeId) =>
      reorder(
        id,
        allColumns.findIndex((column) => column.id === beforeId),
      ),
    toggle: (id) => {
      const others = { hidden: hiddenIds.filter(isNot(id)), shown: shownIds.filter(isNot(id)) };
      if (isHidden(id)) save({ ...others, shown: [...others.shown, id] });
      else if (visibleColumns.length > 1) save({ ...others, hidden: [...others.hidden, id] });
    },
    reset: () => storeLayout(null),
  };
}
