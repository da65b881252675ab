import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useEffectEvent, useMemo, useState } from 'react';

import { describeError, type Query, type SortKey } from '../../api';
import { useGrid, type Grid, type SavedGrid } from '../../components/grid/useGrid';
import type { LiveRows } from '../../components/grid/useLiveRows';
import { useReloadSoon } from '../../components/useReloadSoon';
import { useSearch } from '../../components/useSearch';
import { useHistoryMemory } from '../../components/useHistoryMemory';
import {
  clearAddressParameters,
  hasRequestedSearch,
  useIdParameter,
  useRouteParameters,
} from '../../components/routeParameters';
import { toasts } from '../../components/toasts';
import { isIsoDate, getToday } from '../../lib/dates';
import type { RouteParameters } from '../../lib/matrix';
import { validatePeriod, type Period } from '../../lib/period';
import type { ListQueries } from '../../contract';
import type { ClientRow, UnitRow } from '../clients/api';
import { loadPatient, type PatientMatch } from '../patients/api';
import { reloadStatusCounts, statusCountsQuery, type StatusCounts } from './api';
import { useSearchMemory } from './continuedSearch';

/** The filters that all records share: dates, client, unit and patient. */
export interface RecordFilterValues {
  startDate: string;
  endDate: string;
  client: ClientRow | null;
  unit: UnitRow | null;
  patient: PatientMatch | null;
}

type CommonFilter = keyof RecordFilterValues;

/** The paths of lists that have all filters of `RecordFilterValues`. */
export type RecordListPath = {
  [Path in keyof ListQueries]: CommonFilter extends ListQueries[Path] ? Path : never;
}[keyof ListQueries];

/** The query of a list's own filters; a name that no such list has is a type error. */
type OwnQuery = Readonly<Partial<Record<ListQueries[RecordListPath], Query[string]>>>;

/** A filter that may hide rows, and the change that removes it. */
export interface NarrowingFilter<Change> {
  name: string;
  value: string;
  change: Change;
}

/** Defines a list of records and its filters; each search screen has one. */
export interface SearchDefinition<Row, Own extends object> {
  /** Identifies the grid's preferences and its saved state, `[a-z0-9-]`. */
  name: string;
  path: RecordListPath;
  /** The path of the counts by status. */
  countsPath: string;
  /** Updates visible rows when somebody changes them. */
  live?: LiveRows;
  /** Returns the initial first day; by default today. */
  getFirstDay?: () => string;
  /**
   * The initial values of the list's own filters, and a function that converts them to the query.
   */
  ownDefaults: Own;
  toOwnQuery: (own: Own) => OwnQuery;
  /** Describes those of the list's own filters that may hide rows. */
  describeOwn: (own: Own) => readonly NarrowingFilter<Partial<Own>>[];
  /** Reads the list's own filters from the parameters of a link. */
  readOwn?: (parameters: RouteParameters) => Partial<Own>;
  getRowId: (row: Row) => number;
  /** The order of the rows before somebody sorts them; by default the newest first. */
  defaultSort?: readonly SortKey[];
}

/** The state and the actions of a search screen. */
export interface RecordSearch<Row, Own extends object> {
  values: RecordFilterValues & Own;
  change: (change: Partial<RecordFilterValues & Own>) => void;
  apply: (change: Partial<RecordFilterValues & Own>) => void;
  submit: () => boolean;
  clear: () => void;
  /** Whether the filters differ from those of the rows. */
  isOutdated: boolean;
  grid: Grid<Row>;
  /** Whether the days are those with which the screen opens. */
  isDefaultPeriod: boolean;
  /** The days that were searched; null before the first search. */
  period: Period | null;
  /** The filters of the last search that may hide rows, each with the change that removes it. */
  narrowings: readonly { text: string; remove: () => void }[];
  /** How many rows each status has under the other filters; undefined until it is known. */
  statusCounts: StatusCounts | undefined;
}

/** Replaces empty dates with today (R 5, O 2.2). */
const fillEmptyDates = <Values extends RecordFilterValues>(values: Values): Values => ({
  ...values,
  startDate: values.startDate || getToday(),
  endDate: values.endDate || getToday(),
});

const readDay = (text: string | undefined) => (text && isIsoDate(text) ? text : getToday());

const isSearchable = ({ startDate, endDate }: RecordFilterValues) =>
  !validatePeriod(startDate, endDate).invalid;

function describeCommon({ client, unit, patient }: RecordFilterValues) {
  const list: NarrowingFilter<Partial<RecordFilterValues>>[] = [];
  if (client) {
    list.push({ name: 'Client', value: client.name, change: { client: null, unit: null } });
  }
  if (unit) list.push({ name: 'Unit', value: unit.name, change: { unit: null } });
  if (patient) {
    const value = `${patient.lastName}, ${patient.firstName}`;
    list.push({ name: 'Patient', value, change: { patient: null } });
  }
  return list;
}

/** Chooses the patient of the address, who may have just been registered. */
function useLinkedPatient(isFirstVisit: boolean, choose: (patient: PatientMatch) => void): void {
  const id = useIdParameter('patientId');
  const linkedId = isFirstVisit ? id : null;
  const chooseLatest = useEffectEvent(choose);
  useEffect(() => {
    if (linkedId === null) return undefined;
    const abort = new AbortController();
    loadPatient(linkedId, abort.signal).then(chooseLatest, (error: unknown) => {
      if (!abort.signal.aborted) toasts.error(describeError(error));
    });
    return () => abort.abort();
  }, [linkedId]);
}

const NEWEST_FIRST = [{ column: 'id', descending: true }];

/** The filters and the grid of a search screen; Back restores both. */
export function useRecordSearch<Row, Own extends object>(
  definition: SearchDefinition<Row, Own>,
): RecordSearch<Row, Own> {
  const {
    name,
    path,
    countsPath,
    live,
    getFirstDay = getToday,
    ownDefaults,
    toOwnQuery,
    getRowId,
  } = definition;
  const buildDefaults = (): RecordFilterValues & Own => ({
    startDate: getFirstDay(),
    endDate: getToday(),
    client: null,
    unit: null,
    patient: null,
    ...ownDefaults,
  });
  const parameters = useRouteParameters();
  const requestedSearch = hasRequestedSearch(parameters)
    ? {
        ...buildDefaults(),
        startDate: readDay(parameters['startDate']),
        endDate: readDay(parameters['endDate']),
        ...definition.readOwn?.(parameters),
      }
    : null;
  const memory = useSearchMemory<RecordFilterValues & Own>(`${name}-search`);
  const [isRestored] = useState(() => memory.read() !== undefined);
  const search = useSearch(
    buildDefaults,
    fillEmptyDates<RecordFilterValues & Own>,
    isSearchable,
    memory,
    requestedSearch,
  );
  useLinkedPatient(!isRestored, (patient) =>
    search.apply({ patient } as Partial<RecordFilterValues & Own>),
  );
  const { applied } = search;
  const filters = useMemo(
    () =>
      applied && {
        startDate: applied.startDate,
        endDate: applied.endDate,
        client: applied.client?.id,
        unit: applied.unit?.id,
        patient: applied.patient?.id,
        ...toOwnQuery(applied),
      },
    [applied, toOwnQuery],
  );
  const queries = useQueryClient();
  const reloadCounts = useCallback(
    () => reloadStatusCounts(queries, countsPath),
    [queries, countsPath],
  );
  const reloadCountsSoon = useReloadSoon(reloadCounts);
  const grid = useGrid<Row>({
    name,
    path,
    filters,
    defaultSort: definition.defaultSort ?? NEWEST_FIRST,
    getRowId,
    run: search.run,
    live,
    onLiveChange: reloadCountsSoon,
    memory: useHistoryMemory<SavedGrid>(`${name}-grid`),
  });
  const { columns } = grid.request;
  const counts = useQuery({
    ...statusCountsQuery(countsPath, { ...filters, status: null }, columns, search.run),
    enabled: filters !== null,
    placeholderData: keepPreviousData,
  });
  const refresh = () => {
    grid.refresh();
    void counts.refetch();
  };
  const { values, change } = search;
  // Once the search of the address has ended, a copied address must not repeat it.
  const apply = (change: Partial<RecordFilterValues & Own>) => {
    clearAddressParameters();
    search.apply(change);
  };
  return {
    values,
    change,
    apply,
    submit: () => {
      clearAddressParameters();
      return search.submit();
    },
    clear: () => {
      clearAddressParameters();
      search.clear();
      grid.clearFilterRow('withSearch');
    },
    isOutdated: search.isOutdated || grid.isFilterRowCleared,
    grid: { ...grid, refresh },
    isDefaultPeriod: values.startDate === getFirstDay() && values.endDate === getToday(),
    period: applied,
    narrowings: applied === null ? [] : listNarrowings(),
    statusCounts: counts.data,
  };

  function listNarrowings() {
    const filters = applied ? [...definition.describeOwn(applied), ...describeCommon(applied)] : [];
    return filters.map(({ name, value, change: without }) => ({
      text: `${name} ${value}`,
      remove: () => apply(without as Partial<RecordFilterValues & Own>),
    }));
  }
}
