import { queryOptions, type QueryClient } from '@tanstack/react-query';

import { api, type Page } from '../../api';
import type { Wire } from '../../contract';
import { loadRecord } from '../labData/api';

const PATH = '/api/v2/autoverification';
export const LIST_PATH = `${PATH}/remote-operations`;

/** A rule: the limits within which results of a test are released automatically. */
export type RuleRow = Wire<'AutoverificationRulesRow'>;

export type Trial = Wire<'TrialRead'>;

export type LimitsWrite = Wire<'LimitsWrite'>;

type Rule = Wire<'RuleRead'>;

const RULES_KEY = ['autoverification', 'rules'] as const;

/** Whether results are released automatically at all. */
export const autoverificationQuery = queryOptions({
  queryKey: ['settings', 'autoverification'],
  queryFn: ({ signal }) =>
    api.get<Wire<'AutoverificationSettings'>>('/api/v2/public-settings/autoverification', {
      signal,
    }),
  meta: { quiet: true },
});

/** The rule of a test, or null. */
export const ruleQuery = (testId: number) =>
  queryOptions({
    queryKey: [...RULES_KEY, testId],
    queryFn: async ({ signal }) => {
      const query = { testIds: [testId], take: 1 };
      return (await api.get<Page<RuleRow>>(LIST_PATH, { query, signal })).data[0] ?? null;
    },
    meta: { quiet: true },
  });

/** The unit and the method of a test, which may have no rule yet: 'In mg/dL by Oxidase'. */
export const measureQuery = (testId: number) =>
  queryOptions({
    queryKey: ['autoverification', 'measure', testId],
    queryFn: async ({ signal }) => {
      const { values } = await loadRecord('lab-tests', testId, signal);
      const { unit, method } = values;
      const unitText = unit ? `In ${String(unit)}` : 'Without a unit';
      return method ? `${unitText} by ${String(method)}` : unitText;
    },
    meta: { quiet: true },
  });

/** Reloads rules after a write or a try-out. */
export function reloadRules(queries: QueryClient): void {
  void queries.invalidateQueries({ queryKey: RULES_KEY });
}

export const saveLimits = (
  testId: number,
  limits: LimitsWrite,
  version: number | undefined,
  idempotencyKey: string,
): Promise<Rule> => api.put(`${PATH}/rules/${testId}`, { body: limits, version, idempotencyKey });

export const switchRule = (
  { testId, version }: RuleRow,
  isOn: boolean,
  idempotencyKey: string,
): Promise<Rule> =>
  api.post(`${PATH}/rules/${testId}/switch`, {
    body: { isOn } satisfies Wire<'SwitchWrite'>,
    version,
    idempotencyKey,
  });

/** Tries out the limits of one test, or the limits of all rules, on past results. */
export const tryOut = (body: Wire<'TrialRequest'>, idempotencyKey: string): Promise<Trial> =>
  api.post(`${PATH}/try-out`, { body, idempotencyKey });
