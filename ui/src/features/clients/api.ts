import { queryOptions } from '@tanstack/react-query';

import { api, firstPage, loadPage } from '../../api';
import { limits, type Wire } from '../../contract';

export type ClientRow = Wire<'ClientsRow'>;

export type UnitRow = Wire<'UnitsRow'>;

export type RoomRow = Wire<'RoomsOfClientRow'>;

const pickerPage = { ...firstPage, pageSize: limits.PICKER_PAGE_SIZE };
const byName = { ...pickerPage, sort: [{ column: 'name', descending: false }] };

async function searchClients(search: string, signal: AbortSignal): Promise<ClientRow[]> {
  const path = '/api/v2/clients/remote-operations';
  return (await loadPage<ClientRow>(path, byName, { search }, signal)).data;
}

/** The clients whose name matches. */
export const clientsQuery = (search: string) =>
  queryOptions({
    queryKey: ['clients', 'picker', search],
    queryFn: ({ signal }) => searchClients(search, signal),
    meta: { quiet: true },
  });

/** The clients with these ids that the user may see. */
export const clientsByIdQuery = (ids: readonly number[]) =>
  queryOptions({
    queryKey: ['clients', 'by-ids', ids],
    queryFn: ({ signal }) =>
      api.get<ClientRow[]>('/api/v2/clients/by-ids', { query: { ids }, signal }),
    meta: { quiet: true },
  });

async function searchUnits(
  clientId: number,
  search: string,
  signal: AbortSignal,
): Promise<UnitRow[]> {
  const path = `/api/v2/clients/${clientId}/units/remote-operations`;
  return (await loadPage<UnitRow>(path, byName, { search }, signal)).data;
}

/** The units of a client; none without a client. */
export const unitsQuery = (search: string, clientId: number | null) =>
  queryOptions({
    queryKey: ['units', clientId, search],
    queryFn: ({ signal }) => (clientId === null ? [] : searchUnits(clientId, search, signal)),
    meta: { quiet: true },
  });

/** Searches the rooms of a client, or of one of its units. */
async function searchRooms(
  clientId: number,
  unitId: number | null,
  search: string,
  signal: AbortSignal,
): Promise<RoomRow[]> {
  const path =
    unitId === null
      ? `/api/v2/clients/${clientId}/rooms/remote-operations`
      : `/api/v2/clients/units/${unitId}/rooms/remote-operations`;
  const request = { ...byName, pageSize: limits.ROOM_PAGE_SIZE };
  return (await loadPage<RoomRow>(path, request, { search }, signal)).data;
}

export const roomsQuery = (search: string, clientId: number | null, unitId: number | null) =>
  queryOptions({
    queryKey: ['rooms', clientId, unitId, search],
    queryFn: ({ signal }) =>
      clientId === null ? [] : searchRooms(clientId, unitId, search, signal),
    meta: { quiet: true },
  });
