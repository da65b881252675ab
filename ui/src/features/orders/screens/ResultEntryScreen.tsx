import { NonIdealState, Spinner } from '@blueprintjs/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';

import { describe } from '../../../api';
import { PageToolbar } from '../../../components/PageToolbar';
import { useIdParameter } from '../../../components/routeParameters';
import { messages } from '../../../contract';
import { loadResultEntry, resultEntryQuery, storeResultEntry } from '../api';
import { ResultEntryForm } from '../components/ResultEntryForm';

/** Entering and releasing the results of one order (DECISIONS, Result Entry). */
export default function ResultEntryScreen() {
  const id = useIdParameter();
  const queries = useQueryClient();
  const entry = useQuery({
    ...resultEntryQuery(id ?? 0),
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
      onChanged={(changed) => storeResultEntry(queries, changed)}
      reload={() => loadResultEntry(id)}
    />
  );
}
