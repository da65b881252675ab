import { NonIdealState, Spinner } from '@blueprintjs/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';

import { describe } from '../../../api';
import { PageToolbar } from '../../../components/PageToolbar';
import { useIdParameter } from '../../../components/routeParameters';
import { messages } from '../../../contract';
import { loadResultEntry, type ResultEntry } from '../api';
import { ResultEntryForm } from '../components/ResultEntryForm';

/** Entering and releasing the results of one order (DECISIONS, Result Entry). */
export default function ResultEntryScreen() {
  const id = useIdParameter();
  const queries = useQueryClient();
  const key = ['orders', id, 'entry'];
  const entry = useQuery<ResultEntry>({
    queryKey: key,
    queryFn: ({ signal }) => loadResultEntry(id ?? 0, signal),
    enabled: id !== null,
  });
  if (id === null || entry.isError) {
    return (
      <>
        <PageToolbar title="Result Entry" />
        <NonIdealState title={entry.isError ? describe(entry.error) : messages.NOT_FOUND} />
      </>
    );
  }
  if (!entry.data) return <Spinner className="screen-loading" aria-label="Loading the order" />;
  return (
    <ResultEntryForm
      key={id}
      entry={entry.data}
      onChanged={(changed) => {
        queries.setQueryData(key, changed);
        void queries.invalidateQueries({ queryKey: ['orders', id], exact: true });
        void queries.invalidateQueries({ queryKey: ['orders', id, 'clinical'] });
      }}
      reload={() => loadResultEntry(id)}
    />
  );
}
