import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { Loaded, toLoadState } from '../../../components/records/Loaded';
import { RecordScreen } from '../../../components/records/RecordScreen';
import { useRouteParameters } from '../../../components/routeParameters';
import { paths } from '../../../lib/paths';
import {
  loadMicrobiologyEntry,
  microbiologyEntryQuery,
  microbiologyListsQuery,
  storeMicrobiologyEntry,
} from './api';
import { CultureForm } from './CultureForm';

/** Entry and release of an order's cultures, one test at a time. */
export function MicrobiologyEntry({ orderId, tabs }: { orderId: number; tabs: ReactNode }) {
  const queries = useQueryClient();
  const requestedTest = Number(useRouteParameters()['test']);
  const entry = useQuery(microbiologyEntryQuery(orderId));
  const lists = useQuery(microbiologyListsQuery());
  return (
    <RecordScreen title="Result Entry" loadState={toLoadState(entry)} start={paths.resultEntry}>
      {(order) => {
        const test =
          order.tests.find(({ orderTestId }) => orderTestId === requestedTest) ?? order.tests[0];
        return test === undefined ? null : (
          <Loaded loadState={toLoadState(lists)}>
            {(loadedLists) => (
              <CultureForm
                key={test.orderTestId}
                tabs={tabs}
                lists={loadedLists}
                entry={order}
                orderTestId={test.orderTestId}
                onChanged={(newEntry) => storeMicrobiologyEntry(queries, newEntry)}
                reload={() => loadMicrobiologyEntry(orderId)}
              />
            )}
          </Loaded>
        );
      }}
    </RecordScreen>
  );
}
