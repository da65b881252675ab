import { useQuery } from '@tanstack/react-query';

import { ResultFlag, ResultKind } from '../../contract';
import type { Order } from '../orders/api';
import { clinicalResultsQuery, type ClinicalRow } from './clinical/api';
import { listCriticalKinds } from './families';
import { microbiologyResultsQuery, type MicrobiologyResult } from './microbiology/api';
import { pathologyResultsQuery, type PathologyResult } from './pathology/api';
import { toxicologyRowsQuery, type ToxicologyRow } from './toxicology/api';

const join = (parts: readonly (string | null)[], separator = ' ') =>
  parts.filter(Boolean).join(separator);

/** Names the critical cultures, with what they found: 'CULTURE, BLOOD: Gram-positive cocci'. */
const nameCultures = (cultures: readonly MicrobiologyResult[]): string[] =>
  cultures
    .filter(({ isCritical, withheld }) => isCritical && withheld === null)
    .map(({ name, result, findings, organisms }) => {
      const parts = [result, ...[...findings, ...organisms].map((each) => each.name)];
      return join([name, join(parts, ', ')], ': ');
    });

/** Names the drugs that were found and not reported; confirmed ones may be critical. */
const nameDrugs = (rows: readonly ToxicologyRow[]): string[] =>
  rows
    .filter(({ parentKey, isPresumptive }) => parentKey === null && !isPresumptive)
    .map(({ name, result }) => join([name, result]));

/** Names the critical reports in force: 'SURGICAL PATHOLOGY, BIOPSY: Result Report'. */
const nameReports = (tests: readonly PathologyResult[]): string[] =>
  tests.flatMap(({ name, results }) =>
    results
      .filter(
        ({ flag, replacedBy, withheld }) =>
          flag === ResultFlag.CRITICAL_ABNORMAL && replacedBy === null && withheld === null,
      )
      .map(({ title }) => join([name, title], ': ')),
  );

const nameClinical = (rows: readonly ClinicalRow[]): string[] =>
  rows
    .filter(({ isCritical }) => isCritical)
    .map(({ name, result, unit, flag }) => join([name, result, unit, flag]));

/**
 * Returns the critical results of an order in words, of all families, whichever tab is open. What
 * is not loaded yet, or cannot be loaded, is missing.
 */
export function useCriticalNames(order: Order): string[] {
  const kinds = listCriticalKinds(order);
  // The tab of clinical results, which opens first, loads them.
  const clinical = useQuery({ ...clinicalResultsQuery(order.id), enabled: false });
  const microbiology = useQuery({
    ...microbiologyResultsQuery(order.id),
    enabled: kinds.includes(ResultKind.MICROBIOLOGY),
  });
  const toxicology = useQuery({
    ...toxicologyRowsQuery(order.id, 'unexpected-positive-results'),
    enabled: kinds.includes(ResultKind.TOXICOLOGY),
  });
  const pathology = useQuery({
    ...pathologyResultsQuery(order.id),
    enabled: kinds.includes(ResultKind.PATHOLOGY),
  });
  const names = [
    ...nameClinical(clinical.data ?? []),
    ...nameCultures(microbiology.data ?? []),
    ...(kinds.includes(ResultKind.TOXICOLOGY) ? nameDrugs(toxicology.data ?? []) : []),
    ...nameReports(pathology.data ?? []),
  ];
  // A test of two panels has a row in each, with the same result.
  return [...new Set(names)];
}
