import { firstPage, loadPage } from '../../api';
import { limits } from '../../contract';

export interface PhysicianRow {
  id: number;
  npi: string;
  firstName: string;
  lastName: string;
}

/** 'Last, First' (O 2.4). */
export const physicianName = (physician: { firstName: string; lastName: string }): string =>
  `${physician.lastName}, ${physician.firstName}`;

export async function searchPhysicians(
  search: string,
  patientClientId: number | null,
  signal: AbortSignal,
): Promise<PhysicianRow[]> {
  const request = {
    ...firstPage,
    pageSize: limits.PICKER_PAGE_SIZE,
    sort: [{ column: 'lastName', descending: false }],
  };
  const path = '/api/v2/physicians/remote-operations';
  return (await loadPage<PhysicianRow>(path, request, { search, patientClientId }, signal)).data;
}
