import { Button } from '@blueprintjs/core';

import { ScrollTable } from '../../../components/ScrollTable';
import { useOpenPath } from '../../../components/useOpenPath';
import { limits, messages, say } from '../../../contract';
import { buildMatrix } from '../../../lib/matrix';
import { paths } from '../../../lib/paths';
import type { Trial } from '../api';
import styles from './automation.module.css';

/** The result of a trial: results released, waiting and why, and corrected later. */
export function TrialResult({ trial }: { trial: Trial }) {
  const waitingCount = trial.results - trial.released;
  if (trial.results === 0) return <p>{messages.TRIAL_EMPTY}</p>;
  return (
    <>
      <p>
        {say(messages.TRIAL_COUNTS, {
          results: trial.results,
          released: trial.released,
          waiting: waitingCount,
        })}
      </p>
      {trial.comparable === 0 ? <p>{messages.TRIAL_NOT_COMPARABLE}</p> : null}
      {trial.isCapped ? (
        <p className="quiet">
          {say(messages.AUTOVERIFICATION_CAPPED, { max: limits.TRIAL_RESULTS_MAX })}
        </p>
      ) : null}
      {trial.withoutEarlier > 0 ? (
        <p>{say(messages.TRIAL_NO_EARLIER, { count: trial.withoutEarlier })}</p>
      ) : null}
      {trial.obstacles.length === 0 ? null : (
        <ul className={styles['counts']} aria-label="Why results would have waited">
          {trial.obstacles.map(({ reason, words, count }) => (
            <li key={reason}>
              {count}: {words}
            </li>
          ))}
        </ul>
      )}
      {trial.tests.length > 1 ? <Tests trial={trial} /> : null}
      <p>
        <strong>{say(messages.TRIAL_CORRECTED, { count: trial.corrected })}</strong>
      </p>
      {trial.corrections.length === 0 ? null : <Corrections trial={trial} />}
    </>
  );
}

function Tests({ trial }: { trial: Trial }) {
  return (
    <ScrollTable
      label="By test"
      headers={['Test', 'Results', 'Released', 'Corrected later']}
      numbers={['Results', 'Released', 'Corrected later']}
    >
      {trial.tests.map((test) => (
        <tr key={test.testId}>
          <th scope="row">{test.name}</th>
          <td data-type="number">{test.results}</td>
          <td data-type="number">{test.released}</td>
          <td data-type="number">{test.corrected}</td>
        </tr>
      ))}
    </ScrollTable>
  );
}

function Corrections({ trial }: { trial: Trial }) {
  const openPath = useOpenPath();
  return (
    <ScrollTable label="Corrected later" headers={['Order Id', 'Test', 'Result', 'Corrected to']}>
      {trial.corrections.map((row) => (
        <tr key={`${row.orderId} ${row.test}`}>
          <td>
            <Button
              variant="minimal"
              size="small"
              intent="primary"
              onClick={() => void openPath(buildMatrix(paths.orderResults, { id: row.orderId }))}
            >
              {row.codeValue}
            </Button>
          </td>
          <td>{row.test}</td>
          <td>{row.result}</td>
          <td>{row.correctedResult ?? 'Withdrawn'}</td>
        </tr>
      ))}
    </ScrollTable>
  );
}
