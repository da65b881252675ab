import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { FormDialog } from '../../../components/dialogs/FormDialog';
import { toasts } from '../../../components/toasts';
import { useWrite } from '../../../components/useWrite';
import { ExportFormat, limits, messages } from '../../../contract';
import { refreshExports } from '../../exports/api';
import { ExportList } from '../../exports/components/ExportList';
import { FormatField } from '../../exports/components/FormatField';
import { requestAuditExport, type AuditFilters } from '../api';
import styles from './audit.module.css';

interface AuditExportDialogProps {
  /** The search of the rows on the screen. */
  filters: AuditFilters;
  onClose: () => void;
}

/** Exports all rows that the search finds, and shows the user's exports with their progress. */
export function AuditExportDialog({ filters, onClose }: AuditExportDialogProps) {
  const queries = useQueryClient();
  const [format, setFormat] = useState<ExportFormat>(ExportFormat.CSV);
  const exportWrite = useWrite({
    send: (chosenFormat: ExportFormat, key) => requestAuditExport(filters, chosenFormat, key),
    onDone: () => {
      toasts.success(messages.EXPORT_REQUESTED);
      refreshExports(queries);
    },
  });
  return (
    <FormDialog
      isOpen
      title="Export Audit Log"
      width={limits.DIALOG_SESSIONS_WIDTH_PX}
      onClose={onClose}
      onSubmit={() => exportWrite.run(format)}
      submitLabel="Export"
      closeLabel="Close"
      busy={exportWrite.isRunning}
    >
      <div className={styles['export']}>
        <p className="quiet">{messages.AUDIT_EXPORT_ABOUT}</p>
        <FormatField value={format} onChange={setFormat} />
        <section aria-label="My exports">
          <h3>My exports</h3>
          <ExportList />
        </section>
      </div>
    </FormDialog>
  );
}
