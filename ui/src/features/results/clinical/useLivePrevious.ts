import { useCallback, useEffect, useRef, useState } from 'react';

import { useLiveChanges } from '../../../api';
import { useReloadSoon } from '../../../components/useReloadSoon';
import type { EntryRow, ResultEntry } from './api';

/** Replaces only the earlier result with which a row is compared. */
const updatePrevious = (row: EntryRow, freshRow: EntryRow | undefined): EntryRow =>
  freshRow === undefined
    ? row
    : {
        ...row,
        previousResult: freshRow.previousResult,
        previousDate: freshRow.previousDate,
        previousDays: freshRow.previousDays,
        previousDifference: freshRow.previousDifference,
      };

/**
 * Returns the order with the patient's current earlier results. They follow the patient's other
 * orders, whose results may be released, corrected, or withheld while values are typed here. The
 * order keeps its version, so that results which somebody else entered in it are still a conflict.
 */
export function useLivePrevious(order: ResultEntry, load: () => Promise<ResultEntry>): ResultEntry {
  const [latest, setLatest] = useState<{ order: ResultEntry; loadedOrder: ResultEntry } | null>(
    null,
  );
  const shown = useRef({ order, load });
  useEffect(() => {
    shown.current = { order, load };
  });
  const reload = useCallback(() => {
    const { current } = shown;
    current.load().then(
      (loadedOrder) => setLatest({ order: current.order, loadedOrder }),
      // After a failure, the next change loads again.
      () => undefined,
    );
  }, []);
  const reloadSoon = useReloadSoon(reload);
  useLiveChanges('order', (change) => {
    if (change === null || (change.id !== order.orderId && change.patientId === order.patient.id))
      reloadSoon();
  });
  // An order that was saved or loaded since has current earlier results itself.
  if (latest?.order !== order) return order;
  const freshRows = new Map(latest.loadedOrder.rows.map((row) => [row.orderTestId, row]));
  return {
    ...order,
    rows: order.rows.map((row) => updatePrevious(row, freshRows.get(row.orderTestId))),
  };
}
