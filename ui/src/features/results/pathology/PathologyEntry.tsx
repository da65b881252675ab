import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { toLoadState } from '../../../components/records/Loaded';
import { RecordScreen } from '../../../components/records/RecordScreen';
import { useRouteParameters } from '../../../components/routeParameters';
import { paths } from '../../../lib/paths';
import { loadPathologyEntry, pathologyEntryQuery, storePathologyEntry } from './api';
import { PathologyEntryForm } from './PathologyEntryForm';

/** Entry and release of an order's pathology reports, one test at a time. */
export function PathologyEntry({ orderId, tabs }: { orderId: number; tabs: ReactNode }) {
  const queries = useQueryClient();
  const requestedTest = Number(useRouteParameters()['test']);
  const entry = useQuery(pathologyEntryQuery(orderId));
  return (
    <RecordScreen title="Result Entry" loadState={toLoadState(entry)} start={paths.resultEntry}>
      {(order) => {
        const test =
          order.tests.find(({ orderTestId }) => orderTestId === requestedTest) ?? order.tests[0];
        return test === undefined ? null : (
          <PathologyEntryForm
            key={test.orderTestId}
            tabs={tabs}
            entry={order}
            orderTestId={test.orderTestId}
            onChanged={(newEntry) => storePathologyEntry(queries, newEntry)}
            reload={() => loadPathologyEntry(orderId)}
          />
        );
      }}
    </RecordScreen>
  );
}
