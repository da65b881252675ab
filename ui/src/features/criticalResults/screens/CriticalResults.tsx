import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';

import { PageToolbar } from '../../../components/PageToolbar';
import { SegmentField } from '../../../components/filters/SegmentField';
import { DataGrid } from '../../../components/grid/DataGrid';
import { useGrid, type SavedGrid } from '../../../components/grid/useGrid';
import { useHistoryMemory } from '../../../components/useHistoryMemory';
import { useRememberedState } from '../../../components/useRememberedState';
import { useHasRole } from '../../../api';
import { CriticalStatus, messages, Role } from '../../../contract';
import { criticalCountsQuery, LIST_PATH, type CriticalRow } from '../api';
import { useChangedNotices } from '../useChangedNotices';
import { CriticalResultDialog } from '../components/CriticalResultDialog';
import {
  clientCriticalColumns,
  criticalColumns,
  progressMasks,
} from '../components/criticalColumns';
import styles from '../components/criticalResults.module.css';

/** The notices with the earliest deadlines come first. */
const BY_TIME_LIMIT = [{ column: 'dueAt', descending: false }];
const OPEN = String(CriticalStatus.OPEN);

/** Critical results: the people to notify, the deadline, and the calls so far. */
export default function CriticalResults() {
  const [status, setStatus] = useRememberedState('critical-results-status', () => OPEN);
  const [openId, setOpenId] = useState<number | null>(null);
  const filters = useMemo(() => ({ status }), [status]);
  const grid = useGrid<CriticalRow>({
    name: 'critical-results',
    path: LIST_PATH,
    filters,
    defaultSort: BY_TIME_LIMIT,
    getRowId: (row) => row.id,
    memory: useHistoryMemory<SavedGrid>('critical-results-grid'),
  });
  const isLab = useHasRole(Role.LABORATORY, Role.SUPERUSER);
  const counts = useQuery(criticalCountsQuery(progressMasks.map(({ value }) => value)));
  const changeCount = useChangedNotices(grid, filters, counts.refetch);
  return (
    <>
      <PageToolbar title="Critical Results" />
      <div className={styles['filters']}>
        <SegmentField
          label="Progress"
          value={status}
          options={progressMasks.map((mask) => ({ ...mask, count: counts.data?.get(mask.value) }))}
          onChange={setStatus}
        />
      </div>
      <div className="grid-place">
        <DataGrid
          label="Critical results"
          grid={{ ...grid, changeCount }}
          columns={isLab ? criticalColumns : clientCriticalColumns}
          onOpen={(row) => setOpenId(row.id)}
          emptyText={messages.CRITICAL_NONE}
        />
      </div>
      {openId === null ? null : (
        <CriticalResultDialog
          id={openId}
          onClose={() => {
            setOpenId(null);
            grid.refresh();
          }}
        />
      )}
    </>
  );
}
