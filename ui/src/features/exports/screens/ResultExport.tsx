import { Button } from '@blueprintjs/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';

import { ApiError, describeError } from '../../../api';
import { ActButton } from '../../../components/ActButton';
import { ExportIcon } from '../../../components/icons';
import { PageToolbar } from '../../../components/PageToolbar';
import { Panel } from '../../../components/Panel';
import { toasts } from '../../../components/toasts';
import { useDebounced } from '../../../components/useDebounced';
import { useRememberedState } from '../../../components/useRememberedState';
import { useWrite } from '../../../components/useWrite';
import { ExportFormat, messages, OrderStatus } from '../../../contract';
import { getToday } from '../../../lib/dates';
import { getDaysAgo } from '../../../lib/period';
import { previewQuery, refreshExports, requestExport, type ExportFilters } from '../api';
import styles from '../components/exports.module.css';
import { ExportFields } from '../components/ExportFields';
import { ExportList } from '../components/ExportList';
import { ExportCount, ExportPreview } from '../components/ExportPreview';
import { validateDays } from '../filters';

const FIRST_DAYS = 14;
/** Long enough to type a date, and short compared with the time of a preview. */
const PREVIEW_DELAY_MS = 300;

const buildDefaults = (): ExportFilters => ({
  startDate: getDaysAgo(FIRST_DAYS),
  endDate: getToday(),
  clients: [],
  tests: [],
  status: String(OrderStatus.ALL),
});

/** Result Export: released results as a file, made by a job (P 2, DECISIONS 'Results'). */
export default function ResultExport() {
  const queries = useQueryClient();
  const [filters, setFilters] = useRememberedState('result-export-filters', buildDefaults);
  const [format, setFormat] = useRememberedState<ExportFormat>(
    'result-export-format',
    () => ExportFormat.XLSX,
  );
  const { invalid } = validateDays(filters);
  const shownFilters = useDebounced(filters, PREVIEW_DELAY_MS);
  const isShownValid = !validateDays(shownFilters).invalid;
  const preview = useQuery({ ...previewQuery(shownFilters), enabled: isShownValid });
  const exportWrite = useWrite({
    send: (body: { filters: ExportFilters; format: ExportFormat }, key) =>
      requestExport(body.filters, body.format, key),
    onDone: () => {
      toasts.success(messages.EXPORT_REQUESTED);
      refreshExports(queries);
    },
    explain: (error) => {
      if (!(error instanceof ApiError) || error.detail === '') return false;
      toasts.error(error.detail);
      return true;
    },
  });
  const isEmpty = preview.data?.rows === 0 && !preview.isPlaceholderData;
  // The rows of the earlier days would seem to be those of the rejected days.
  const shownPreview = invalid ? undefined : preview.data;
  return (
    <>
      <PageToolbar title="Result Export" />
      <div className={styles['screen']}>
        <form
          aria-label="What to export"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (!invalid && !isEmpty && !exportWrite.isRunning)
              exportWrite.run({ filters, format });
          }}
        >
          <Panel title="What to export">
            <ExportFields
              filters={filters}
              format={format}
              onChange={(change) => setFilters({ ...filters, ...change })}
              onFormat={setFormat}
            />
            <div className={styles['buttons']}>
              <Button variant="outlined" onClick={() => setFilters(buildDefaults())}>
                Clear
              </Button>
              <ActButton
                type="submit"
                intent="primary"
                icon={<ExportIcon />}
                disabled={invalid || isEmpty}
                reason={isEmpty ? messages.EXPORT_NOTHING_TO_EXPORT : undefined}
                isRunning={exportWrite.isRunning}
              >
                Export
              </ActButton>
            </div>
            <div className="quiet">{messages.EXPORT_CONFIDENTIAL}</div>
          </Panel>
        </form>
        <div className={styles['side']}>
          <Panel title="My exports">
            <ExportList />
          </Panel>
          <Panel title="Preview">
            <div role="status" aria-busy={preview.isFetching}>
              {shownPreview === undefined ? null : <ExportCount preview={shownPreview} />}
              {preview.isError && !invalid ? describeError(preview.error) : null}
              {preview.isPending && isShownValid && !invalid ? 'Loading…' : null}
            </div>
            {shownPreview === undefined ? null : (
              <div data-stale={preview.isPlaceholderData} className={styles['preview']}>
                <ExportPreview preview={shownPreview} />
              </div>
            )}
          </Panel>
        </div>
      </div>
    </>
  );
}
