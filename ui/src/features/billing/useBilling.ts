import { useState } from 'react';

import { findOnlySelected } from '../../lib/ordering';
import { BillTo } from '../../contract';
import { blankLine, toLine, findUnfinished, type InsuranceLine, type Insurance } from './rules';

/** The state of the billing editor, apart from its rows. */
export interface Billing {
  billTo: BillTo;
  setBillTo: (billTo: BillTo) => void;
  line: InsuranceLine;
  changeLine: (change: (line: InsuranceLine) => InsuranceLine) => void;
  selected: ReadonlySet<string>;
  /** Selects rows; a single one is copied to the fields. */
  select: (rows: readonly Insurance[], selectedKeys: ReadonlySet<string>) => void;
  /** Clears selection and fields, after rows were added, removed, saved or replaced. */
  reset: () => void;
  /** Returns what would be lost by saving the record now. */
  findUnfinished: (rows: readonly Insurance[]) => 'new' | 'changed' | null;
}

/** The state of one billing editor; owned by the component that saves the rows (P 5). */
export function useBilling(initial: BillTo = BillTo.PATIENT): Billing {
  const [billTo, setBillTo] = useState<BillTo>(initial);
  const [line, setLine] = useState<InsuranceLine>(blankLine);
  const [selectedKeys, setSelectedKeys] = useState<ReadonlySet<string>>(new Set());
  return {
    billTo,
    setBillTo,
    line,
    changeLine: setLine,
    selected: selectedKeys,
    select: (rows, next) => {
      const row = findOnlySelected(rows, next);
      if (row !== null) setLine(toLine(row));
      // Deselecting a row clears its values; values typed for a new row stay.
      else if (findOnlySelected(rows, selectedKeys) !== null) setLine(blankLine);
      setSelectedKeys(next);
    },
    reset: () => {
      setSelectedKeys(new Set());
      setLine(blankLine);
    },
    findUnfinished: (rows) => findUnfinished(line, findOnlySelected(rows, selectedKeys)),
  };
}
