import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { toLoadState } from '../../../components/records/Loaded';
import { RecordScreen } from '../../../components/records/RecordScreen';
import { paths } from '../../../lib/paths';
import { loadToxicologyEntry, storeToxicologyEntry, toxicologyEntryQuery } from './api';
import { ToxicologyEntryForm } from './ToxicologyEntryForm';

/** Entry and release of an order's toxicology results. */
export function ToxicologyEntry({ orderId, tabs }: { orderId: number; tabs: ReactNode }) {
  const queries = useQueryClient();
  const entry = useQuery(toxicologyEntryQuery(orderId));
  return (
    <RecordScreen title="Result Entry" loadState={toLoadState(entry)} start={paths.resultEntry}>
      {(order) => (
        <ToxicologyEntryForm
          key={order.orderId}
          tabs={tabs}
          entry={order}
          onChanged={(newEntry) => storeToxicologyEntry(queries, newEntry)}
          reload={() => loadToxicologyEntry(order.orderId)}
        />
      )}
    </RecordScreen>
  );
}
