import { useMemo, useState } from 'react';

import { buildQuery } from '../../../api';
import { DataGrid } from '../../../components/grid/DataGrid';
import { useGrid, type SavedGrid } from '../../../components/grid/useGrid';
import { ExportIcon, PrintIcon } from '../../../components/icons';
import { PageToolbar } from '../../../components/PageToolbar';
import { useIdParameter, useRouteParameters } from '../../../components/routeParameters';
import { toasts } from '../../../components/toasts';
import { useHistoryMemory } from '../../../components/useHistoryMemory';
import { useSearch, type SavedSearch } from '../../../components/useSearch';
import { messages } from '../../../contract';
import { useDevice } from '../../../device';
import { getLastDays } from '../../../lib/period';
import {
  buildDefaults,
  fillDays,
  isSearchable,
  LIST_PATH,
  toQuery,
  type AuditFilters,
  type AuditRow,
} from '../api';
import { auditColumns } from '../components/auditColumns';
import { AuditEventDialog } from '../components/AuditEventDialog';
import { AuditExportDialog } from '../components/AuditExportDialog';
import { AuditFilterPanel } from '../components/AuditFilterPanel';

const NEWEST_FIRST = [{ column: 'at', descending: true }];
const REPORT_DAYS = 365;

/**
 * Reads the filters of a patient's link, which asks who saw the patient's records in the last year.
 */
function useRequestedFilters(): AuditFilters | null {
  const patient = useIdParameter('patientId');
  const { patientCode = '' } = useRouteParameters();
  if (patient === null) return null;
  const defaults = buildDefaults();
  return {
    ...defaults,
    ...getLastDays(REPORT_DAYS, defaults),
    patient: { id: patient, name: patientCode },
  };
}

/** The audit log, for Superusers: who saw or changed which records. */
export default function AuditLog() {
  const device = useDevice();
  const search = useSearch(
    buildDefaults,
    fillDays,
    isSearchable,
    useHistoryMemory<SavedSearch<AuditFilters>>('audit-search'),
    useRequestedFilters(),
  );
  const { applied } = search;
  const [openRow, setOpenRow] = useState<AuditRow | null>(null);
  const [isExporting, setIsExporting] = useState(false);
  const grid = useGrid<AuditRow>({
    name: 'audit-log',
    path: LIST_PATH,
    filters: useMemo(() => applied && toQuery(applied), [applied]),
    defaultSort: NEWEST_FIRST,
    getRowId: (row) => row.id,
    run: search.run,
    memory: useHistoryMemory<SavedGrid>('audit-grid'),
  });
  const patient = applied?.patient ?? null;
  const openReport = () => {
    if (applied === null || patient === null) return;
    const { startDate, endDate } = applied;
    const path = `${LIST_PATH}/access-report/${patient.id}${buildQuery({ startDate, endDate })}`;
    void device.openDocument({ path, name: 'access-report.pdf' }).catch(toasts.failure);
  };
  return (
    <>
      <PageToolbar
        title="Audit Log"
        actions={[
          {
            label: 'Access Report',
            icon: <PrintIcon />,
            disabled: patient === null,
            reason: patient === null ? messages.ACCESS_REPORT_NEEDS_PATIENT : undefined,
            onClick: openReport,
          },
          {
            label: 'Export',
            icon: <ExportIcon />,
            disabled: applied === null,
            onClick: () => setIsExporting(true),
          },
        ]}
      />
      <AuditFilterPanel {...search} />
      <div className="grid-place">
        <DataGrid
          label="Audit log"
          grid={grid}
          columns={auditColumns}
          onOpen={setOpenRow}
          emptyText={messages.AUDIT_NONE}
        />
      </div>
      {openRow === null ? null : (
        <AuditEventDialog row={openRow} onClose={() => setOpenRow(null)} />
      )}
      {isExporting && applied !== null ? (
        <AuditExportDialog filters={applied} onClose={() => setIsExporting(false)} />
      ) : null}
    </>
  );
}
