import { useCallback, useState } from 'react';

/** The cell that the arrow keys are on; row -1 is the header. */
export interface ActiveCell {
  row: number;
  column: number;
}

interface GridKeysOptions {
  gridId: string;
  rowCount: number;
  columnCount: number;
  rowsPerPage: number;
  /** Scrolls a row into view that is not rendered yet. */
  reveal: (cell: ActiveCell) => void;
  onOpen: (row: number) => void;
  onToggle: (row: number) => void;
  onToggleAll: () => void;
}

export const buildCellId = (gridId: string, { row, column }: ActiveCell): string =>
  row < 0 ? `${gridId}-head-${column}` : `${gridId}-${row}-${column}`;

const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));

/** Whether a field uses arrows, Home, End, and letters itself, as the filters do. */
const ownsKeys = (field: EventTarget): boolean =>
  field instanceof HTMLSelectElement ||
  (field instanceof HTMLInputElement && field.type !== 'checkbox');

/**
 * Keyboard use of a grid (WAI-ARIA grid): one tab stop, arrows move, Enter opens, Space selects.
 */
export function useGridKeys(options: GridKeysOptions) {
  const { gridId, rowCount, columnCount, reveal } = options;
  const [active, setActive] = useState<ActiveCell>({ row: -1, column: 0 });

  const focus = useCallback(
    (target: ActiveCell) => {
      setActive(target);
      reveal(target);
      // The table renders a revealed row in the next frame.
      requestAnimationFrame(() =>
        requestAnimationFrame(() => document.getElementById(buildCellId(gridId, target))?.focus()),
      );
      document.getElementById(buildCellId(gridId, target))?.focus();
    },
    [gridId, reveal],
  );

  const onKeyDown = (event: React.KeyboardEvent) => {
    if (ownsKeys(event.target)) return;
    const { row, column } = active;
    let target: ActiveCell | null = null;
    switch (event.key) {
      case 'ArrowDown':
        target = { row: row + 1, column };
        break;
      case 'ArrowUp':
        target = { row: row - 1, column };
        break;
      case 'ArrowRight':
        if (!event.altKey) target = { row, column: column + 1 };
        break;
      case 'ArrowLeft':
        if (!event.altKey) target = { row, column: column - 1 };
        break;
      case 'Home':
        target = { row: event.ctrlKey ? 0 : row, column: 0 };
        break;
      case 'End':
        target = { row: event.ctrlKey ? rowCount - 1 : row, column: columnCount - 1 };
        break;
      case 'PageDown':
        target = { row: row + options.rowsPerPage, column };
        break;
      case 'PageUp':
        target = { row: Math.max(0, row - options.rowsPerPage), column };
        break;
      case 'Enter':
        if (row >= 0) {
          event.preventDefault();
          options.onOpen(row);
        }
        break;
      case ' ':
        if (row >= 0) {
          event.preventDefault();
          options.onToggle(row);
        }
        break;
      case 'a':
        if (event.ctrlKey || event.metaKey) {
          event.preventDefault();
          options.onToggleAll();
        }
        break;
    }
    if (target === null) return;
    event.preventDefault();
    focus({
      row: clamp(target.row, -1, rowCount - 1),
      column: clamp(target.column, 0, columnCount - 1),
    });
  };

  /** Focuses the active cell, and scrolls to it. */
  const focusActive = () => focus(active);

  return { active, setActive, focusActive, onKeyDown };
}
