import { useQuery } from '@tanstack/react-query';
import type { ComponentType, ReactNode } from 'react';

import { toLoadState } from '../../../components/records/Loaded';
import { RecordScreen } from '../../../components/records/RecordScreen';
import { useRecordId, useRouteParameters } from '../../../components/routeParameters';
import { ResultKind } from '../../../contract';
import { paths } from '../../../lib/paths';
import { resultsTypesQuery, type ResultsTypes } from '../api';
import { ClinicalEntry } from '../clinical/ClinicalEntry';
import { EntryTabs } from '../components/EntryTabs';
import { MicrobiologyEntry } from '../microbiology/MicrobiologyEntry';
import { NoResults } from '../components/NoResults';
import { chooseFirstFamily, listFamilies } from '../families';
import { PathologyEntry } from '../pathology/PathologyEntry';
import { ToxicologyEntry } from '../toxicology/ToxicologyEntry';

/** Entry and release of the results of one order, by family (DECISIONS, Result Entry). */
export default function ResultEntryScreen() {
  const id = useRecordId();
  const types = useQuery({ ...resultsTypesQuery(id ?? 0), enabled: id !== null });
  return (
    <RecordScreen
      title="Result Entry"
      loadState={id === null ? null : toLoadState(types)}
      start={paths.resultEntry}
    >
      {(loadedTypes) => (id === null ? null : <FamilyEntry orderId={id} types={loadedTypes} />)}
    </RecordScreen>
  );
}

const entries: Record<ResultKind, ComponentType<{ orderId: number; tabs: ReactNode }>> = {
  [ResultKind.CLINICAL]: ClinicalEntry,
  [ResultKind.TOXICOLOGY]: ToxicologyEntry,
  [ResultKind.MICROBIOLOGY]: MicrobiologyEntry,
  [ResultKind.PATHOLOGY]: PathologyEntry,
};

function FamilyEntry({ orderId, types }: { orderId: number; types: ResultsTypes }) {
  const requestedKind = useRouteParameters()['kind'];
  const kinds = listFamilies(types);
  const kind = kinds.find((candidate) => candidate === requestedKind) ?? chooseFirstFamily(kinds);
  if (kind === null) return <NoResults />;
  const Entry = entries[kind];
  return (
    <Entry
      key={`${orderId}-${kind}`}
      orderId={orderId}
      tabs={<EntryTabs orderId={orderId} kinds={kinds} selected={kind} />}
    />
  );
}
