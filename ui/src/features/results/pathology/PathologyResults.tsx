import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';

import { Loaded, toLoadState } from '../../../components/records/Loaded';
import { StatusTag, type StatusColor } from '../../../components/StatusTag';
import { ResultStatus } from '../../../contract';
import { pathologyResultsQuery, type PathologyResult } from './api';
import { SpecimenTag } from '../components/SpecimenTag';
import { WithheldTag } from '../components/WithheldTag';
import styles from './pathology.module.css';
import { ReportList } from './ReportList';

const COLORS: Readonly<Record<number, StatusColor>> = {
  [ResultStatus.FINAL]: 'green',
  [ResultStatus.CANCELED]: 'black',
};

/** A pathology test: its reports, or its status while it has none (R 4). */
function PathologyTest({ test }: { test: PathologyResult }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles['test']}>
      <div className={styles['head']}>
        <h2 id={id}>{test.name}</h2>
        {test.withheld === null ? (
          <StatusTag color={COLORS[test.status] ?? 'yellow'}>{test.label}</StatusTag>
        ) : null}
        <WithheldTag withheld={test.withheld} withheldAt={test.withheldAt} />
        {test.awaitsCollection ? <SpecimenTag /> : null}
      </div>
      <ReportList reports={test.results} />
    </section>
  );
}

/** The pathology results of an order (R 2.2). */
export function PathologyResults({ orderId }: { orderId: number }) {
  const results = useQuery(pathologyResultsQuery(orderId));
  return (
    <Loaded loadState={toLoadState(results)}>
      {(tests) => (
        <>
          {tests.map((test) => (
            <PathologyTest key={test.key} test={test} />
          ))}
        </>
      )}
    </Loaded>
  );
}
