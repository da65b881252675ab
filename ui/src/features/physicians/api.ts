import { queryOptions } from '@tanstack/react-query';

import { firstPage, loadPage } from '../../api';
import { limits, type Wire } from '../../contract';

export const PHYSICIAN_LIST_PATH = '/api/v2/physicians/remote-operations';

export type PhysicianRow = Wire<'PhysiciansRow'>;

/** Formats a name as 'Last, First' (O 2.4). */
export const formatPhysician = (physician: { firstName: string; lastName: string }): string =>
  `${physician.lastName}, ${physician.firstName}`;

async function searchPhysicians(
  search: string,
  patientClientId: number | null,
  signal: AbortSignal,
): Promise<PhysicianRow[]> {
  const request = {
    ...firstPage,
    pageSize: limits.PICKER_PAGE_SIZE,
    sort: [{ column: 'lastName', descending: false }],
  };
  const filters = { search, patientClientId };
  return (await loadPage<PhysicianRow>(PHYSICIAN_LIST_PATH, request, filters, signal)).data;
}

/** Physicians by name or NPI; with a client only those associated with it. */
export const physiciansQuery = (search: string, patientClientId: number | null) =>
  queryOptions({
    queryKey: ['physicians', patientClientId, search],
    queryFn: ({ signal }) => searchPhysicians(search, patientClientId, signal),
    meta: { quiet: true },
  });
