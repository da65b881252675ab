import { useQuery, useQueryClient } from '@tanstack/react-query';

import { toLoadState } from '../../../components/records/Loaded';
import { RecordScreen } from '../../../components/records/RecordScreen';
import { useIdParameter } from '../../../components/routeParameters';
import { paths } from '../../../lib/paths';
import { loadResultEntry, resultEntryQuery, storeResultEntry } from '../api';
import { ResultEntryForm } from '../components/ResultEntryForm';

/** Entry and release of the results of one order (DECISIONS, Result Entry). */
export default function ResultEntryScreen() {
  const id = useIdParameter();
  const queries = useQueryClient();
  const entry = useQuery({
    ...resultEntryQuery(id ?? 0),
    enabled: id !== null,
  });
  return (
    <RecordScreen
      title="Result Entry"
      loadState={id === null ? null : toLoadState(entry)}
      start={paths.resultEntry}
    >
      {(order) => (
        <ResultEntryForm
          key={order.orderId}
          entry={order}
          onChanged={(changed) => storeResultEntry(queries, changed)}
          reload={() => loadResultEntry(order.orderId)}
        />
      )}
    </RecordScreen>
  );
}
