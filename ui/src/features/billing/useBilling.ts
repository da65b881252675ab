import { useState } from 'react';

import { onlySelected } from '../../lib/ordering';
import { BillTo } from '../../contract';
import { blankEntry, entryOf, unfinished, type Entry, type Insurance } from './rules';

/** What the billing editor holds besides its rows. */
export interface Billing {
  billTo: BillTo;
  setBillTo: (billTo: BillTo) => void;
  entry: Entry;
  setEntry: (entry: Entry) => void;
  selected: ReadonlySet<string>;
  /** Choosing exactly one row brings it into the entry fields. */
  select: (rows: readonly Insurance[], selected: ReadonlySet<string>) => void;
  /** Nothing selected, nothing typed: after rows were added, removed, saved or replaced. */
  reset: () => void;
  /** What is typed and would be lost by saving the record now. */
  unfinished: (rows: readonly Insurance[]) => 'new' | 'changed' | null;
}

/** The state of one billing editor; whoever saves the rows owns it (P 5). */
export function useBilling(initial: BillTo = BillTo.PATIENT): Billing {
  const [billTo, setBillTo] = useState<BillTo>(initial);
  const [entry, setEntry] = useState<Entry>(blankEntry);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  return {
    billTo,
    setBillTo,
    entry,
    setEntry,
    selected,
    select: (rows, next) => {
      const row = onlySelected(rows, next);
      if (row !== null) setEntry(entryOf(row));
      // What belonged to a row leaves with it; what is typed for a new one stays.
      else if (onlySelected(rows, selected) !== null) setEntry(blankEntry);
      setSelected(next);
    },
    reset: () => {
      setSelected(new Set());
      setEntry(blankEntry);
    },
    unfinished: (rows) => unfinished(entry, onlySelected(rows, selected)),
  };
}
