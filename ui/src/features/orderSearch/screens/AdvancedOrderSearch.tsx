import { Button } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';

import { ApiError } from '../../../api';
import { DataGrid } from '../../../components/grid/DataGrid';
import { useGrid, type SavedGrid } from '../../../components/grid/useGrid';
import type { LiveRows } from '../../../components/grid/useLiveRows';
import {
  ColumnLayoutIcon,
  ExportIcon,
  FloppyDiskIcon,
  SearchIcon,
  DuplicateIcon,
  WarningSignIcon,
  ThListIcon,
} from '../../../components/icons';
import { PageToolbar } from '../../../components/PageToolbar';
import { toLoadState } from '../../../components/records/Loaded';
import { RecordScreen } from '../../../components/records/RecordScreen';
import { toasts } from '../../../components/toasts';
import { useHistoryMemory } from '../../../components/useHistoryMemory';
import { useRememberedState } from '../../../components/useRememberedState';
import { useScreen } from '../../../components/useMedia';
import { useOpenPath } from '../../../components/useOpenPath';
import { useSearch, type SavedSearch } from '../../../components/useSearch';
import { messages, say } from '../../../contract';
import { usePreference } from '../../../device';
import { buildMatrix } from '../../../lib/matrix';
import { paths } from '../../../lib/paths';
import {
  loadSearchPage,
  SEARCH_PATH,
  searchColumnsQuery,
  useStoredSearchChanges,
  type SearchRow,
  type StoredSearch,
} from '../api';
import { ColumnsDialog } from '../components/ColumnsDialog';
import { ConditionBuilder } from '../components/ConditionBuilder';
import { ExportDialog } from '../components/ExportDialog';
import styles from '../components/orderSearch.module.css';
import { buildResultColumns } from '../components/resultColumns';
import { explainFailure, NameDialog, SavedSearchesDialog } from '../components/SavedSearches';
import {
  createGroup,
  createRule,
  describeQuery,
  findBlanks,
  fromWire,
  mapErrors,
  toWire,
  type GroupNode,
  type RuleErrors,
  type SearchColumn,
} from '../conditions';

const TITLE = 'Advanced Order Search';
const NAME = 'order-search';
const NEWEST_FIRST = [{ column: 'id', descending: true }];
const NO_ERRORS: RuleErrors = {};

/** Searches orders by any column, with conditions joined by and / or (P 2, ADR 43). */
export default function AdvancedOrderSearch() {
  const isHandheld = useScreen() !== 'desktop';
  const loadState = toLoadState(useQuery({ ...searchColumnsQuery(), enabled: !isHandheld }));
  if (isHandheld) {
    return (
      <>
        <PageToolbar title={TITLE} />
        <div role="alert" className={styles['alert']}>
          <WarningSignIcon size={28} />
          {messages.SEARCH_NOT_ON_HANDHELDS}
        </div>
      </>
    );
  }
  return (
    <RecordScreen title={TITLE} loadState={loadState} start={paths.home}>
      {(columns) => <SearchOfOrders columns={columns} />}
    </RecordScreen>
  );
}

interface Values {
  query: GroupNode;
}

/**
 * Changes of rows are only counted: no call returns a single row with the columns that the user
 * chose.
 */
const LIVE: LiveRows = {
  kind: 'order',
  scopePath: '/api/v2/orders/ids',
  mayKeepVersion: true,
};

const isAlwaysValid = () => true;
const keepValues = (values: Values) => values;

function SearchOfOrders({ columns: list }: { columns: readonly SearchColumn[] }) {
  const openPath = useOpenPath();
  const columns = useMemo(() => new Map(list.map((column) => [column.name, column])), [list]);
  const buildDefaults = (): Values => {
    const collectionColumn = columns.get('collectionDate');
    const rules = collectionColumn
      ? [{ ...createRule(collectionColumn), operator: 'inLastDays', value: '30' }]
      : [];
    return { query: createGroup(rules) };
  };
  const memory = useHistoryMemory<SavedSearch<Values>>(`${NAME}-search`);
  const search = useSearch(buildDefaults, keepValues, isAlwaysValid, memory);
  const { values, applied } = search;
  // The saved search that was opened or saved last.
  const [storedSearch, setStoredSearch] = useRememberedState<StoredSearch | null>(
    `${NAME}-stored`,
    () => null,
  );
  const [shownNames, setShownNames] = useShownColumns(list);
  const [blanks, setBlanks] = useState<RuleErrors>(NO_ERRORS);
  const filters = useMemo(
    () => applied && { query: JSON.stringify(toWire(applied.query)), columns: shownNames.join() },
    [applied, shownNames],
  );
  const boundedSortKeys = useMemo(
    () => list.filter(({ sort }) => sort === 'window').map(({ name }) => name),
    [list],
  );
  const grid = useGrid<SearchRow>({
    name: NAME,
    path: SEARCH_PATH,
    filters,
    defaultSort: NEWEST_FIRST,
    getRowId: (row) => row.id,
    load: loadSearchPage,
    boundedSortKeys,
    run: search.run,
    live: LIVE,
    memory: useHistoryMemory<SavedGrid>(`${NAME}-grid`),
  });
  const gridColumns = useMemo(
    () => buildResultColumns(shownNames.flatMap((name) => columns.get(name) ?? [])),
    [columns, shownNames],
  );
  const rejectedErrors =
    applied && grid.error instanceof ApiError
      ? mapErrors(applied.query, grid.error.errors)
      : NO_ERRORS;
  // The portal's errors belong to the conditions as they were sent.
  const serverErrors = applied?.query === values.query ? rejectedErrors : NO_ERRORS;
  /** Whether every condition is filled in. Shows an error at each that is not. */
  const isComplete = () => {
    const errors = findBlanks(values.query, columns);
    setBlanks(errors);
    return Object.keys(errors).length === 0;
  };
  const savedSearch = useSaving(
    values.query,
    storedSearch,
    shownNames,
    grid.request.sort,
    setStoredSearch,
  );
  const open = (storedSearch: StoredSearch) => {
    const query = fromWire(storedSearch.query, columns);
    const errors = findBlanks(query, columns);
    setBlanks(errors);
    setStoredSearch(storedSearch);
    setShownNames(storedSearch.columns.filter((name) => columns.has(name)));
    grid.change({
      sort: storedSearch.sort.split(',').map((key) => ({
        column: key.replace('-', ''),
        descending: key.startsWith('-'),
      })),
    });
    if (Object.keys(errors).length === 0) search.apply({ query });
    else {
      search.change({ query });
      toasts.warning(messages.SEARCH_LOST_COLUMN);
    }
    setDialog(null);
  };
  const [dialog, setDialog] = useState<'columns' | 'open' | 'export' | null>(null);
  const words = describeQuery(values.query, columns);
  const summary = words === '' ? 'All orders' : `Orders: ${words}`;
  return (
    <>
      <PageToolbar
        title={TITLE}
        badge={storedSearch ? <span className="quiet">{storedSearch.name}</span> : null}
        actions={[
          { label: 'Saved Searches', icon: <ThListIcon />, onClick: () => setDialog('open') },
          {
            label: 'Save',
            icon: <FloppyDiskIcon />,
            loading: savedSearch.isRunning,
            onClick: () => isComplete() && savedSearch.save(),
          },
          {
            label: 'Save As',
            icon: <DuplicateIcon />,
            onClick: () => isComplete() && savedSearch.saveAs(),
          },
          { label: 'Columns', icon: <ColumnLayoutIcon />, onClick: () => setDialog('columns') },
          {
            label: 'Export',
            icon: <ExportIcon />,
            onClick: () => isComplete() && setDialog('export'),
          },
        ]}
      />
      <form
        className={styles['panel']}
        aria-label={TITLE}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (isComplete()) search.submit();
        }}
      >
        <ConditionBuilder
          root={values.query}
          columns={columns}
          errors={{ ...serverErrors, ...blanks }}
          onChange={(query) => {
            search.change({ query });
            setBlanks(NO_ERRORS);
          }}
        />
        <div className={styles['foot']}>
          <p className={styles['summary']} aria-live="polite">
            {summary}
          </p>
          <div className={styles['buttons']}>
            <Button
              variant="outlined"
              onClick={() => {
                search.clear();
                setStoredSearch(null);
                setBlanks(NO_ERRORS);
              }}
            >
              Clear
            </Button>
            <Button
              type="submit"
              icon={<SearchIcon />}
              variant={search.isOutdated ? 'solid' : 'outlined'}
              intent={search.isOutdated ? 'primary' : 'none'}
            >
              Search
            </Button>
          </div>
        </div>
      </form>
      <div className="grid-place">
        <DataGrid
          label="Orders"
          grid={grid}
          isOutdated={search.isOutdated}
          columns={gridColumns}
          onOpen={(row) => void openPath(buildMatrix(paths.orderResults, { id: row.id }))}
          onReorder={setShownNames}
          emptyText="No orders match this search"
          rejectedText={
            Object.keys(rejectedErrors).length === 0 ? undefined : messages.SEARCH_REJECTED
          }
        />
      </div>
      {dialog === 'columns' ? (
        <ColumnsDialog
          columns={list.filter(({ isShown }) => isShown)}
          shownNames={shownNames}
          onApply={(next) => {
            setShownNames(next);
            setDialog(null);
          }}
          onClose={() => setDialog(null)}
        />
      ) : null}
      {dialog === 'open' ? (
        <SavedSearchesDialog
          onOpen={open}
          onRenamed={(renamedSearch) => {
            if (storedSearch?.id === renamedSearch.id) setStoredSearch(renamedSearch);
          }}
          onRemoved={(removedSearch) => {
            if (storedSearch?.id === removedSearch.id) setStoredSearch(null);
          }}
          onClose={() => setDialog(null)}
        />
      ) : null}
      {dialog === 'export' ? (
        <ExportDialog
          search={{ ...savedSearch.content, query: toWire(values.query) }}
          summary={summary}
          onRejected={({ errors }) => {
            const mappedErrors = mapErrors(values.query, errors);
            if (Object.keys(mappedErrors).length === 0) return false;
            setBlanks(mappedErrors);
            setDialog(null);
            return true;
          }}
          onClose={() => setDialog(null)}
        />
      ) : null}
      {savedSearch.dialog}
    </>
  );
}

/**
 * The columns of the grid in order: those of this history entry, else of this workstation, else the
 * usual ones.
 */
function useShownColumns(list: readonly SearchColumn[]) {
  const memory = useHistoryMemory<readonly string[]>(`${NAME}-columns`);
  const [preference, storePreference] = usePreference<readonly string[]>(`${NAME}.columns`);
  const [chosenNames, setChosenNames] = useState(() => memory.read() ?? null);
  const shownNames = useMemo(() => {
    const showableColumns = list.filter(({ isShown }) => isShown);
    const names = new Set(showableColumns.map(({ name }) => name));
    const knownNames = (chosenNames ?? preference ?? []).filter((name) => names.has(name));
    return knownNames.length > 0
      ? knownNames
      : showableColumns.filter(({ isUsual }) => isUsual).map(({ name }) => name);
  }, [chosenNames, list, preference]);
  useEffect(() => memory.write(shownNames), [memory, shownNames]);
  const change = (next: readonly string[]) => {
    setChosenNames(next);
    storePreference(next);
  };
  return [shownNames, change] as const;
}

/** Saves the search: under the name of the open one, or under a new one. */
function useSaving(
  query: GroupNode,
  search: StoredSearch | null,
  columns: readonly string[],
  sortKeys: readonly { column: string; descending: boolean }[],
  onSaved: (search: StoredSearch) => void,
) {
  const changes = useStoredSearchChanges();
  const [isNaming, setIsNaming] = useState(false);
  const content = {
    query: toWire(query, true),
    columns: [...columns],
    sort: sortKeys.map(({ column, descending }) => (descending ? `-${column}` : column)).join(),
  };
  const finish = (search: StoredSearch | null) => {
    if (search === null) return;
    onSaved(search);
    toasts.success(say(messages.SAVED_SEARCH_SAVED, { name: search.name }));
  };
  const saveAs = () => setIsNaming(true);
  return {
    isRunning: changes.isRunning,
    content,
    saveAs,
    save: () => {
      if (search === null) saveAs();
      else {
        changes
          .update(search, content)
          .then(finish)
          .catch((failure: unknown) => toasts.error(explainFailure(failure)));
      }
    },
    dialog: isNaming ? (
      <NameDialog
        title="Save Search"
        name=""
        onSave={(name) => changes.create({ ...content, name }).then(finish)}
        onClose={() => setIsNaming(false)}
      />
    ) : null,
  };
}
