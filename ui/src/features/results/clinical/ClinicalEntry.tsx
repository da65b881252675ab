import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { toLoadState } from '../../../components/records/Loaded';
import { RecordScreen } from '../../../components/records/RecordScreen';
import { paths } from '../../../lib/paths';
import { loadResultEntry, resultEntryQuery, storeResultEntry } from './api';
import { ClinicalEntryForm } from './ClinicalEntryForm';

/** Entry and release of an order's clinical results. */
export function ClinicalEntry({ orderId, tabs }: { orderId: number; tabs: ReactNode }) {
  const queries = useQueryClient();
  const entry = useQuery(resultEntryQuery(orderId));
  return (
    <RecordScreen title="Result Entry" loadState={toLoadState(entry)} start={paths.resultEntry}>
      {(order) => (
        <ClinicalEntryForm
          key={order.orderId}
          tabs={tabs}
          entry={order}
          onChanged={(newEntry) => storeResultEntry(queries, newEntry)}
          reload={() => loadResultEntry(order.orderId)}
        />
      )}
    </RecordScreen>
  );
}
