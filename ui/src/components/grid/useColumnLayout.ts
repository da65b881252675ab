import { useMemo } from 'react';

import { usePreference } from '../../device';
import type { GridColumn } from './types';

interface StoredLayout {
  order: string[];
  widths: Record<string, number>;
  hidden: string[];
}

const MIN_WIDTH_PX = 56;
const MAX_WIDTH_PX = 900;
const MIN_SHRINK_FACTOR = 0.8;

const sumWidths = (widths: readonly number[]) => widths.reduce((sum, width) => sum + width, 0);

/**
 * Computes widths that fill `available`. If space is short, texts shrink a little while numbers and
 * dates (`rigid`) do not. If that is not enough, all keep their widths and the grid scrolls.
 */
export function fitWidths(
  widths: readonly number[],
  rigid: readonly boolean[],
  available: number,
): number[] {
  const total = sumWidths(widths);
  const isNarrow = total > available;
  const rigidTotal = isNarrow ? sumWidths(widths.filter((_, i) => rigid[i])) : 0;
  const factor = (available - rigidTotal) / (total - rigidTotal);
  if (total === 0 || factor < MIN_SHRINK_FACTOR) return [...widths];
  const scaled = widths.map((width, i) =>
    isNarrow && rigid[i] ? width : Math.floor(width * factor),
  );
  // The last column gets the rest left by rounding.
  const rest = Math.floor(available - sumWidths(scaled));
  return scaled.map((width, i) => (i === scaled.length - 1 ? width + rest : width));
}

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

/** Column order, widths and visibility of one grid, saved in the preferences. */
export function useColumnLayout<Row>(
  name: string,
  columns: readonly GridColumn<Row>[],
): ColumnLayout<Row> {
  const [storedLayout, storeLayout] = usePreference<StoredLayout>(`grid.${name}.columns`);

  const allColumns = useMemo(() => {
    const order = storedLayout?.order ?? [];
    const getPosition = (id: string) => {
      const position = order.indexOf(id);
      // A column new to this user keeps the position that the screen gave it.
      return position === -1 ? columns.findIndex((column) => column.id === id) : position;
    };
    return [...columns].sort((a, b) => getPosition(a.id) - getPosition(b.id));
  }, [columns, storedLayout]);

  const hidden = storedLayout?.hidden ?? [];
  const isHidden = (id: string) => hidden.includes(id);
  const visible = allColumns.filter((column) => !isHidden(column.id));
  const getWidth = (column: GridColumn<Row>) => storedLayout?.widths[column.id] ?? column.width;

  const save = (change: Partial<StoredLayout>) =>
    storeLayout({
      order: allColumns.map((column) => column.id),
      widths: storedLayout?.widths ?? {},
      hidden,
      ...change,
    });

  const reorder = (id: string, position: number) => {
    const order = allColumns.map((column) => column.id).filter((columnId) => columnId !== id);
    order.splice(Math.max(0, position), 0, id);
    save({ order });
  };

  return {
    columns: visible,
    allColumns,
    isHidden,
    computeWidths: (available) => {
      const widths = visible.map(getWidth);
      const isResized = Object.keys(storedLayout?.widths ?? {}).length > 0;
      if (isResized && sumWidths(widths) >= available) return widths;
      const rigid = visible.map((column) => column.numeric === true);
      return fitWidths(widths, rigid, available);
    },
    resize: (id, width) => {
      const clamped = Math.min(MAX_WIDTH_PX, Math.max(MIN_WIDTH_PX, Math.round(width)));
      save({ widths: { ...storedLayout?.widths, [id]: clamped } });
    },
    move: (id, step) => reorder(id, allColumns.findIndex((column) => column.id === id) + step),
    moveTo: (id, beforeId) =>
      reorder(
        id,
        allColumns.findIndex((column) => column.id === beforeId),
      ),
    toggle: (id) => {
      const next = isHidden(id) ? hidden.filter((columnId) => columnId !== id) : [...hidden, id];
      if (next.length < allColumns.length) save({ hidden: next });
    },
    reset: () => storeLayout(null),
  };
}
