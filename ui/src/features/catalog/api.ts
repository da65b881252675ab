import { queryOptions } from '@tanstack/react-query';

import { api, firstPage, loadPage, type Page } from '../../api';
import { findMeaning, isSameText } from '../../components/fields/certainty';
import { limits, type Wire } from '../../contract';
import { containsWords } from '../../lib/words';

/** A test or panel that can be ordered. */
export type TestRow = Wire<'TestShape'> &
  Partial<Pick<Wire<'TestsRow'>, 'specimen' | 'container' | 'onList' | 'isExact'>>;

export type TestTree = Wire<'TestTree'>;

export type DiagnosisRow = Wire<'DiagnosisShape'>;

type MedicationRow = Wire<'MedicationsRow'>;

const TESTS = '/api/v2/tests/remote-operations';
const byCode = {
  ...firstPage,
  pageSize: limits.PICKER_PAGE_SIZE,
  sort: [{ column: 'code', descending: false }],
};

/** The order of the search: exact code, preferred, start of code or name, word, and the rest. */
const bestFirst = {
  ...byCode,
  sort: [
    { column: 'relevance', descending: false },
    { column: 'code', descending: false },
  ],
};

/** The list that tests are offered from. */
export interface Offer {
  clientId: number | null;
  /** Whether to offer the whole catalog instead of the client's own list. */
  allTests: boolean;
  /** Whether to offer only tests whose result is one value: no panels, cultures, or reports. */
  hasSingleValue?: true;
}

/**
 * Loads a page (from 0) of the tests whose code, name or alternate names match, the best match
 * first. Of similar matches, `preferred` tests come first, in their order.
 */
const searchTests = (
  search: string,
  page: number,
  offer: Offer,
  preferredIds: readonly number[],
  signal?: AbortSignal,
): Promise<Page<TestRow>> =>
  loadPage<TestRow>(
    TESTS,
    { ...bestFirst, page },
    { search, preferred: preferredIds, ...offer },
    signal,
  );

/** The query of the test field. */
export const testsQuery = (
  search: string,
  page: number,
  offer: Offer,
  preferredIds: readonly number[] = [],
) =>
  queryOptions({
    queryKey: ['tests', offer.clientId, offer.allTests, search, page, preferredIds],
    queryFn: ({ signal }) => searchTests(search, page, offer, preferredIds, signal),
    meta: { quiet: true },
  });

/** The tests of the whole catalog that match, for filters. */
export const catalogTestsQuery = (search: string) =>
  queryOptions({
    queryKey: ['tests', 'catalog', search],
    queryFn: async ({ signal }) =>
      (await searchTests(search, 0, { clientId: null, allTests: true }, [], signal)).data,
    meta: { quiet: true },
  });

/** The tests of the whole catalog that match and whose result is one value, for columns. */
export const valueTestsQuery = (search: string) =>
  queryOptions({
    queryKey: ['tests', 'values', search],
    queryFn: async ({ signal }) => {
      const offer: Offer = { clientId: null, allTests: true, hasSingleValue: true };
      return (await searchTests(search, 0, offer, [], signal)).data;
    },
    meta: { quiet: true },
  });

/** Lists the tests with exactly this code: none, one, or several with the same code. */
export async function listTestsByCode(code: string, offer: Offer): Promise<TestRow[]> {
  return (await loadPage<TestRow>(TESTS, byCode, { code, ...offer })).data;
}

/** Whether the searched text is a code or a complete name of the test. */
export const isExactTest = ({ isExact = false }: TestRow): boolean => isExact;

/** Whether a test has the typed words in its code or names. */
export const isMatch = ({ code, name, alternateNames }: TestRow, typedText: string): boolean =>
  containsWords(`${code} ${name} ${alternateNames}`, typedText);

/** Finds the test that typed words mean, or says whether none or several tests contain them. */
export async function findMatchingTest(
  typedText: string,
  offer: Offer,
  preferredIds: readonly number[],
): Promise<TestRow | 'none' | 'several'> {
  const { data } = await searchTests(typedText, 0, offer, preferredIds);
  const { line, doubt } = findMeaning(data, typedText, { isExact: isExactTest, isMatch });
  return line ?? (doubt === 'none' ? 'none' : 'several');
}

/** The tests that this physician orders most at this client, then those of the client. */
export const frequentTestsQuery = ({ clientId, allTests }: Offer, physicianId: number | null) =>
  queryOptions({
    queryKey: ['frequent-tests', clientId, physicianId, allTests],
    queryFn: ({ signal }) => {
      const query = { clientId, physicianId, allTests };
      return api.get<TestRow[]>('/api/v2/tests/frequent', { query, signal });
    },
    meta: { quiet: true },
  });

/** Loads tests with the members of panels. */
export const loadTestTrees = (ids: readonly number[]): Promise<TestTree[]> =>
  api.get('/api/v2/tests/with-children', { query: { testId: ids } });

/** Searches billable diagnoses that are valid on a day. */
async function searchDiagnoses(
  search: string,
  date: string | null,
  signal?: AbortSignal,
): Promise<DiagnosisRow[]> {
  const path = '/api/v2/diagnoses/remote-operations';
  return (await loadPage<DiagnosisRow>(path, bestFirst, { search, date }, signal)).data;
}

export const diagnosesQuery = (search: string, date: string | null) =>
  queryOptions({
    queryKey: ['diagnoses', date, search],
    queryFn: ({ signal }) => searchDiagnoses(search, date, signal),
    meta: { quiet: true },
  });

/** Whether the typed text is a diagnosis' code, with or without its dot, or its description. */
export const isExactDiagnosis = ({ code, description }: DiagnosisRow, typedText: string): boolean =>
  [code, code.replace('.', ''), description].some((text) => isSameText(text, typedText));

/** Finds the diagnosis with this code, even one that is not offered on the day; or null. */
export const findDiagnosisByCode = (code: string): Promise<DiagnosisRow | null> =>
  api.get('/api/v2/diagnoses/best-match', { query: { code } });

/** Searches the lab's medications; users may also enter others. */
async function searchMedications(search: string, signal: AbortSignal): Promise<MedicationRow[]> {
  const path = '/api/v2/medications/remote-operations';
  const sort = ['relevance', 'name'].map((column) => ({ column, descending: false }));
  return (await loadPage<MedicationRow>(path, { ...byCode, sort }, { search }, signal)).data;
}

export const medicationsQuery = (search: string) =>
  queryOptions({
    queryKey: ['medications', search],
    queryFn: ({ signal }) => searchMedications(search, signal),
    meta: { quiet: true },
  });
