import { firstPage, loadPage } from '../../api';
import { limits } from '../../contract';

export interface ClientRow {
  id: number;
  code: string;
  name: string;
  webAccess: boolean;
  unitsCount: number;
  address: string | null;
  zipCode: { id: number; code: string; city: string; state: string } | null;
  zipCodePlus4: string | null;
  phone: string | null;
  fax: string | null;
  defaultBillTo: string | null;
}

export interface UnitRow {
  id: number;
  name: string;
}

export interface RoomRow {
  id: number;
  name: string;
  unitId: number | null;
}

const pickerPage = { ...firstPage, pageSize: limits.PICKER_PAGE_SIZE };
const byName = { ...pickerPage, sort: [{ column: 'name', descending: false }] };

export async function searchClients(search: string, signal: AbortSignal): Promise<ClientRow[]> {
  const path = '/api/v2/clients/remote-operations';
  return (await loadPage<ClientRow>(path, byName, { search }, signal)).data;
}

export async function searchUnits(
  clientId: number,
  search: string,
  signal: AbortSignal,
): Promise<UnitRow[]> {
  const path = `/api/v2/clients/${clientId}/units/remote-operations`;
  return (await loadPage<UnitRow>(path, byName, { search }, signal)).data;
}

/** The rooms of a client, or of one of its units. */
export async function searchRooms(
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
