import { api, collectVersions } from '../../api';
import { limits, type Wire } from '../../contract';
import { getDaysAgo } from '../../lib/period';
import type { TestRow } from '../catalog/api';
import type { OrderRow } from '../orders/api';
import {
  defineOrderSearch,
  statusMasks,
  type OrderOwnFilters,
} from '../orders/components/OrderFilters';
import type { SearchDefinition } from '../search/useRecordSearch';

export interface WorklistFilters extends OrderOwnFilters {
  /** Finds orders in which this test, or a member of this panel, is not released. */
  openTest: TestRow | null;
  /** Whether to find only orders in which every test is entered, and one is not released. */
  allEntered: boolean;
}

export const ALL_ENTERED = 'All entered';

const orderSearch = defineOrderSearch('worklist', statusMasks[0]?.value ?? '', () =>
  getDaysAgo(limits.WAITING_AT_LAB_DAYS),
);

/** The search of the worklist: the most urgent orders first, then those that wait longest. */
export const worklistSearch: SearchDefinition<OrderRow, WorklistFilters> = {
  ...orderSearch,
  ownDefaults: { ...orderSearch.ownDefaults, openTest: null, allEntered: false },
  toOwnQuery: (own) => ({
    ...orderSearch.toOwnQuery(own),
    openTests: own.openTest?.id ?? null,
    allEntered: own.allEntered || null,
  }),
  describeOwn: (own) => [
    ...orderSearch.describeOwn(own),
    ...(own.openTest
      ? [{ name: 'Test', value: own.openTest.code, change: { openTest: null } }]
      : []),
    ...(own.allEntered ? [{ name: ALL_ENTERED, value: 'Yes', change: { allEntered: false } }] : []),
  ],
  defaultSort: [
    { column: 'priority', descending: false },
    { column: 'orderDate', descending: false },
  ],
};

/** Releases the entered clinical and toxicology results of these orders, all or none. */
export const releaseOrders = (
  rows: readonly Pick<OrderRow, 'id' | 'version' | 'codeValue'>[],
  idempotencyKey: string,
): Promise<Wire<'ReleasedOrders'>> =>
  api.post('/api/v2/orders/release-results', {
    body: {
      ids: rows.map(({ id }) => id),
      versions: collectVersions(rows),
    } satisfies Wire<'ReleaseManyRequest'>,
    idempotencyKey,
  });
