import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { ApiError } from '../../../api';
import { FormDialog } from '../../../components/dialogs/FormDialog';
import { toasts } from '../../../components/toasts';
import { useWrite } from '../../../components/useWrite';
import { ExportFormat, limits, messages } from '../../../contract';
import { refreshExports } from '../../exports/api';
import { ExportList } from '../../exports/components/ExportList';
import { FormatField } from '../../exports/components/FormatField';
import { requestOrderExport, type OrderExport } from '../api';
import styles from './orderSearch.module.css';

interface ExportDialogProps {
  /** The search as it is on the screen. */
  search: Omit<OrderExport, 'format' | 'summary'>;
  /** The conditions in words. */
  summary: string;
  /** Shows errors at their conditions. Returns whether there were any. */
  onRejected: (error: ApiError) => boolean;
  onClose: () => void;
}

const WIDTH_PX = 640;

/** The portal stores a limited number of characters of the conditions in words. */
const cutSummary = (summary: string): string =>
  summary.length > limits.EXPORT_SUMMARY_MAX
    ? `${summary.slice(0, limits.EXPORT_SUMMARY_MAX - 1)}…`
    : summary;

/** Exports all orders that a search finds, and shows the user's exports with their progress. */
export function ExportDialog({ search, summary, onRejected, onClose }: ExportDialogProps) {
  const queries = useQueryClient();
  const [format, setFormat] = useState<ExportFormat>(ExportFormat.XLSX);
  const exportWrite = useWrite({
    send: requestOrderExport,
    onDone: () => {
      toasts.success(messages.EXPORT_REQUESTED);
      refreshExports(queries);
    },
    explain: (error) => {
      if (!(error instanceof ApiError)) return false;
      if (onRejected(error)) return true;
      if (error.detail === '') return false;
      toasts.error(error.detail);
      return true;
    },
  });
  return (
    <FormDialog
      isOpen
      title="Export Orders"
      width={WIDTH_PX}
      onClose={onClose}
      onSubmit={() => exportWrite.run({ ...search, summary: cutSummary(summary), format })}
      submitLabel="Export"
      closeLabel="Close"
      busy={exportWrite.isRunning}
    >
      <div className={styles['export']}>
        <div>
          <p className={styles['exported']}>{summary}</p>
          <p className="quiet">{messages.SEARCH_EXPORT_ABOUT}</p>
        </div>
        <FormatField value={format} onChange={setFormat} />
        <p className="quiet">{messages.SEARCH_EXPORT_CONFIDENTIAL}</p>
        <section aria-label="My exports">
          <h3>My exports</h3>
          <ExportList />
        </section>
      </div>
    </FormDialog>
  );
}
