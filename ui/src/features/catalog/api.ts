import { api, firstPage, loadPage } from '../../api';
import { limits } from '../../contract';

/** A test or panel that can be ordered. */
export interface TestRow {
  id: number;
  code: string;
  name: string;
  alternateNames: string | null;
  type: 'TEST' | 'PANEL';
}

export interface TestTree extends TestRow {
  parentId: number | null;
  children: TestTree[];
}

export interface DiagnosisRow {
  id: number;
  code: string;
  description: string;
}

export interface MedicationRow {
  id: number;
  name: string;
}

const TESTS = '/api/v2/tests/remote-operations';
const byCode = {
  ...firstPage,
  pageSize: limits.PICKER_PAGE_SIZE,
  sort: [{ column: 'code', descending: false }],
};

/** Tests whose code, name or alternate names match. */
export async function searchTests(
  search: string,
  clientId: number | null,
  signal: AbortSignal,
): Promise<TestRow[]> {
  return (await loadPage<TestRow>(TESTS, byCode, { search, clientId }, signal)).data;
}

/** The tests of exactly this code: none, one, or several that the lab coded alike. */
export async function findTestsByCode(code: string, clientId: number | null): Promise<TestRow[]> {
  return (await loadPage<TestRow>(TESTS, byCode, { code, clientId })).data;
}

/** Tests with the members of panels. */
export const loadTestTrees = (ids: readonly number[]): Promise<TestTree[]> =>
  api.get('/api/v2/tests/with-children', { query: { testId: ids } });

/** Billable diagnoses that are valid on a day. */
export async function searchDiagnoses(
  search: string,
  date: string | null,
  signal: AbortSignal,
): Promise<DiagnosisRow[]> {
  const path = '/api/v2/diagnoses/remote-operations';
  return (await loadPage<DiagnosisRow>(path, byCode, { search, date }, signal)).data;
}

/** Names of medications that the lab offers; any other may be written. */
export async function searchMedications(
  search: string,
  signal: AbortSignal,
): Promise<MedicationRow[]> {
  const path = '/api/v2/medications/remote-operations';
  const byName = { ...byCode, sort: [{ column: 'name', descending: false }] };
  return (await loadPage<MedicationRow>(path, byName, { search }, signal)).data;
}
