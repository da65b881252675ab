import { queryOptions } from '@tanstack/react-query';

import { api, firstPage, loadPage, type Query } from '../../api';
import {
  limits,
  type AuditGroup,
  type AuditOutcome,
  type ExportFormat,
  type Wire,
} from '../../contract';
import { getToday } from '../../lib/dates';
import { validatePeriod } from '../../lib/period';
import { LIST_PATH as USERS_PATH } from '../users/api';

export const LIST_PATH = '/api/v2/audit-events';

export type AuditRow = Wire<'AuditEventsRow'>;

/** A person or a patient in a filter. */
export interface Choice<Id> {
  id: Id;
  name: string;
}

/** The filters of the audit log; empty texts mean any. */
export interface AuditFilters {
  startDate: string;
  endDate: string;
  user: Choice<string> | null;
  group: AuditGroup | '';
  outcome: AuditOutcome | '';
  patient: Choice<number> | null;
  code: string;
  /** Whether to show continued sessions, too: open pages cause one every few minutes. */
  upkeep: boolean;
}

export const buildDefaults = (): AuditFilters => ({
  startDate: getToday(),
  endDate: getToday(),
  user: null,
  group: '',
  outcome: '',
  patient: null,
  code: '',
  upkeep: false,
});

/** Replaces an empty day with today. */
export const fillDays = (filters: AuditFilters): AuditFilters => ({
  ...filters,
  startDate: filters.startDate || getToday(),
  endDate: filters.endDate || getToday(),
});

export const isSearchable = ({ startDate, endDate }: AuditFilters): boolean =>
  !validatePeriod(startDate, endDate).invalid;

/** Converts the filters to a query, without empty ones. */
export function toQuery({ user, patient, upkeep, ...filters }: AuditFilters) {
  const people = { user: user?.id ?? '', patient: patient?.id ?? '' };
  const query = { ...filters, ...people, withoutUpkeep: upkeep ? '' : true };
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== '')) as Query;
}

export const auditEventQuery = (id: number) =>
  queryOptions({
    queryKey: [LIST_PATH, id],
    queryFn: ({ signal }) => api.get<Wire<'AuditEventRead'>>(`${LIST_PATH}/${id}`, { signal }),
    meta: { quiet: true },
  });

async function searchPeople(search: string, signal: AbortSignal): Promise<Choice<string>[]> {
  const request = {
    ...firstPage,
    pageSize: limits.PICKER_PAGE_SIZE,
    sort: [{ column: 'lastName', descending: false }],
    columns: (search === '' ? {} : { lastName: search }) as Record<string, string>,
  };
  const { data } = await loadPage<Wire<'UsersRow'>>(USERS_PATH, request, {}, signal);
  return data.map(({ id, lastName, firstName, role }) => ({
    id,
    name: `${lastName}, ${firstName} · ${role}`,
  }));
}

/** The users whose last name matches. */
export const peopleQuery = (search: string) =>
  queryOptions({
    queryKey: [USERS_PATH, 'picker', search],
    queryFn: ({ signal }) => searchPeople(search, signal),
    meta: { quiet: true },
  });

export const requestAuditExport = (
  filters: AuditFilters,
  format: ExportFormat,
  idempotencyKey: string,
): Promise<Wire<'ExportRead'>> =>
  api.post(`${LIST_PATH}/export`, {
    body: { ...toQuery(filters), format } satisfies Wire<'AuditExportRequest'>,
    idempotencyKey,
  });
