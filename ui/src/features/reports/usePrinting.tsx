import { useEffect, useRef, useState, type JSX } from 'react';

import { FormDialog } from '../../components/dialogs/FormDialog';
import { RadioField } from '../../components/fields/SelectField';
import type { Grid } from '../../components/grid/useGrid';
import { toasts } from '../../components/toasts';
import { limits, messages, say } from '../../contract';
import { formatNumber } from '../../lib/quantities';
import { useReports, type Report } from './useReports';

interface Printing {
  /** Prints a report of the selected rows, or first asks whether to include all rows found. */
  print: (action: string, report: Report) => void;
  dialog: JSX.Element | null;
}

interface Question {
  /** The name of the action: 'Print Log'. */
  action: string;
  report: Report;
  /** The selected rows as they were on screen. */
  ids: readonly number[];
}

/** Whether all rows of the page are selected, and the search found more, but not too many. */
const mayMeanAll = <Row,>({ rows, selectedRows, total, totalIsCapped }: Grid<Row>): boolean =>
  rows.length > 1 &&
  selectedRows.length === rows.length &&
  total > rows.length &&
  !totalIsCapped &&
  total <= limits.BULK_IDS_MAX;

/**
 * Prints reports of a grid's rows. A selection never covers more than one page. If a whole page is
 * selected, the user is asked whether the report should have all rows that the search found.
 */
export function usePrinting<Row>(grid: Grid<Row>): Printing {
  const open = useReports();
  const [question, setQuestion] = useState<Question | null>(null);
  return {
    print: (action, report) => {
      const ids = grid.selectedRows.map(grid.getRowId);
      if (mayMeanAll(grid)) setQuestion({ action, report, ids });
      else void open(report, ids);
    },
    dialog: question && (
      <RangeDialog
        action={question.action}
        selectedCount={question.ids.length}
        foundCount={grid.total}
        loadIds={(range, signal) =>
          range === FOUND ? grid.loadAllIds(signal) : Promise.resolve(question.ids)
        }
        onClose={() => setQuestion(null)}
        onChosen={(ids) => {
          setQuestion(null);
          void open(question.report, ids);
        }}
      />
    ),
  };
}

interface RangeDialogProps {
  action: string;
  selectedCount: number;
  foundCount: number;
  loadIds: (range: string, signal: AbortSignal) => Promise<readonly number[]>;
  onClose: () => void;
  onChosen: (ids: readonly number[]) => void;
}

const WIDTH_PX = 420;
const SELECTED = 'selected';
const FOUND = 'found';

function RangeDialog({ action, selectedCount, foundCount, ...props }: RangeDialogProps) {
  const [range, setRange] = useState(SELECTED);
  const [isLoading, setIsLoading] = useState(false);
  const { loadIds, onClose, onChosen } = props;
  const closing = useRef<AbortController>(null);
  useEffect(() => {
    const controller = new AbortController();
    closing.current = controller;
    return () => controller.abort();
  }, []);
  const submit = async () => {
    const signal = closing.current?.signal ?? AbortSignal.abort();
    setIsLoading(true);
    try {
      const ids = await loadIds(range, signal);
      if (!signal.aborted) onChosen(ids);
    } catch (error) {
      if (signal.aborted) return;
      setIsLoading(false);
      toasts.failure(error);
    }
  };
  return (
    <FormDialog
      isOpen
      title={action}
      width={WIDTH_PX}
      submitLabel="Print"
      busy={isLoading}
      onClose={onClose}
      onSubmit={() => void submit()}
    >
      <RadioField
        label="What to print"
        value={range}
        options={[
          { value: SELECTED, label: say(messages.REPORT_OF_SELECTED, { count: selectedCount }) },
          {
            value: FOUND,
            label: say(messages.REPORT_OF_FOUND, { count: formatNumber(foundCount) }),
          },
        ]}
        onChange={setRange}
      />
    </FormDialog>
  );
}
