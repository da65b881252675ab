import { useCallback, useEffect, useRef, useState } from 'react';

import { useLiveChanges } from '../../../api';
import { useReloadSoon } from '../../../components/useReloadSoon';
import type { EntryRow, ResultEntry } from './api';

/** Takes over what a row is compared with, and nothing that was entered. */
const takePrevious = (row: EntryRow, freshRow: EntryRow | undefined): EntryRow =>
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
 * Returns the order with the patient's present earlier results. They follow the patient's other
 * orders, whose results may be released, corrected, or withheld while values are typed here. The
 * order keeps its version, so that what somebody else has entered in it is still a conflict.
 */
export function useLivePrevious(order: ResultEntry, load: () => Promise<ResultEntry>): ResultEntry {
  const [latest, setLatest] = useState<{ of: ResultEntry; is: ResultEntry } | null>(null);
  const shown = useRef({ order, load });
  useEffect(() => {
    shown.current = { order, load };
  });
  const reload = useCallback(() => {
    const { current } = shown;
    current.load().then(
      (loadedOrder) => setLatest({ of: current.order, is: loadedOrder }),
      // The next change is another try.
      () => undefined,
    );
  }, []);
  const reloadSoon = useReloadSoon(reload);
  useLiveChanges('order', (change) => {
    if (change === null || (change.id !== order.orderId && change.patientId === order.patient.id))
      reloadSoon();
  });
  // An order that was saved or loaded since has its own.
  if (latest?.of !== order) return order;
  const freshRows = new Map(latest.is.rows.map((row) => [row.orderTestId, row]));
  return {
    ...order,
    rows: order.rows.map((row) => takePrevious(row, freshRows.get(row.orderTestId))),
  };
}
