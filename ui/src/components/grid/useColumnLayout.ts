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
const MOST_SHRUNK = 0.8;

const total = (widths: readonly number[]) => widths.reduce((sum, width) => sum + width, 0);

/**
 * Widths that fill `available`. Where there is too little, texts give way a little and numbers and
 * dates (`rigid`) do not; where that is not enough, all keep their widths and the grid scrolls.
 */
export function fitted(
  widths: readonly number[],
  rigid: readonly boolean[],
  available: number,
): number[] {
  const sum = total(widths);
  const narrow = sum > available;
  const kept = narrow ? total(widths.filter((_, i) => rigid[i])) : 0;
  const factor = (available - kept) / (sum - kept);
  if (sum === 0 || factor < MOST_SHRUNK) return [...widths];
  const found = widths.map((width, i) => (narrow && rigid[i] ? width : Math.floor(width * factor)));
  // What rounding left over goes to the last column.
  const left = Math.floor(available - total(found));
  return found.map((width, i) => (i === found.length - 1 ? width + left : width));
}

export interface ColumnLayout<Row> {
  /** The columns to draw, in the person's order. */
  columns: readonly GridColumn<Row>[];
  /** All columns in that order, for the column chooser. */
  all: readonly GridColumn<Row>[];
  isHidden: (id: string) => boolean;
  /** Widths in pixels that fill `available`, in the order of `columns`. */
  widthsFor: (available: number) => number[];
  resize: (id: string, width: number) => void;
  move: (id: string, step: number) => void;
  moveTo: (id: string, before: string) => void;
  toggle: (id: string) => void;
  reset: () => void;
}

/** Column order, widths and visibility of one grid, kept in the preferences. */
export function useColumnLayout<Row>(
  name: string,
  columns: readonly GridColumn<Row>[],
): ColumnLayout<Row> {
  const [stored, store] = usePreference<StoredLayout>(`grid.${name}.columns`);

  const all = useMemo(() => {
    const order = stored?.order ?? [];
    const place = (id: string) => {
      const at = order.indexOf(id);
      // A column that is new to this person stands where the screen put it.
      return at === -1 ? columns.findIndex((column) => column.id === id) : at;
    };
    return [...columns].sort((a, b) => place(a.id) - place(b.id));
  }, [columns, stored]);

  const hidden = stored?.hidden ?? [];
  const isHidden = (id: string) => hidden.includes(id);
  const visible = all.filter((column) => !isHidden(column.id));
  const widthOf = (column: GridColumn<Row>) => stored?.widths[column.id] ?? column.width;

  const save = (change: Partial<StoredLayout>) =>
    store({
      order: all.map((column) => column.id),
      widths: stored?.widths ?? {},
      hidden,
      ...change,
    });

  const reorder = (id: string, to: number) => {
    const order = all.map((column) => column.id).filter((other) => other !== id);
    order.splice(Math.max(0, to), 0, id);
    save({ order });
  };

  return {
    columns: visible,
    all,
    isHidden,
    widthsFor: (available) => {
      const widths = visible.map(widthOf);
      const resized = Object.keys(stored?.widths ?? {}).length > 0;
      if (resized && total(widths) >= available) return widths;
      const rigid = visible.map((column) => column.numeric === true);
      return fitted(widths, rigid, available);
    },
    resize: (id, width) => {
      const clamped = Math.min(MAX_WIDTH_PX, Math.max(MIN_WIDTH_PX, Math.round(width)));
      save({ widths: { ...stored?.widths, [id]: clamped } });
    },
    move: (id, step) => reorder(id, all.findIndex((column) => column.id === id) + step),
    moveTo: (id, before) =>
      reorder(
        id,
        all.findIndex((column) => column.id === before),
      ),
    toggle: (id) => {
      const next = isHidden(id) ? hidden.filter((other) => other !== id) : [...hidden, id];
      if (next.length < all.length) save({ hidden: next });
    },
    reset: () => store(null),
  };
}
