import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { ActButton } from '../../../components/ActButton';
import { ConfirmDialog } from '../../../components/dialogs/ConfirmDialog';
import { Panel } from '../../../components/Panel';
import { ScrollTable } from '../../../components/ScrollTable';
import { toasts } from '../../../components/toasts';
import { useWrite } from '../../../components/useWrite';
import { messages, type Wire } from '../../../contract';
import { formatInstant } from '../../../lib/instants';
import { formatQuantity } from '../../../lib/quantities';
import { formatSeconds } from '../amounts';
import { giveUpJob, refreshOperations, retryJob, type OperationsState } from '../api';
import styles from './operations.module.css';

type FailedJob = Wire<'FailedJob'>;

/** Background jobs by task, and those whose last try failed, to retry now or give up. */
export function JobsPanel({ jobs }: Pick<OperationsState, 'jobs'>) {
  const queries = useQueryClient();
  const [jobToGiveUp, setJobToGiveUp] = useState<FailedJob | null>(null);
  const retryWrite = useWrite({
    send: retryJob,
    onDone: () => {
      toasts.success(messages.JOB_RETRIED);
      refreshOperations(queries);
    },
  });
  const giveUpWrite = useWrite({
    send: giveUpJob,
    onDone: () => {
      toasts.success(messages.JOB_GIVEN_UP);
      refreshOperations(queries);
    },
  });
  return (
    <Panel
      title="Background jobs"
      aside={<span className="quiet">{formatQuantity(jobs.workers, 'worker')}</span>}
    >
      <ScrollTable
        label="Jobs by task"
        headers={['Task', 'Waiting', 'Running', 'Failed', 'Due for']}
        numbers={['Waiting', 'Running', 'Failed', 'Due for']}
      >
        {jobs.tasks.map(({ name, waiting, running, failed, lagSeconds }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td data-type="number">{waiting}</td>
            <td data-type="number">{running}</td>
            <td data-type="number" className={failed > 0 ? styles['warning'] : undefined}>
              {failed}
            </td>
            <td data-type="number">{lagSeconds > 0 ? formatSeconds(lagSeconds) : '–'}</td>
          </tr>
        ))}
      </ScrollTable>
      {jobs.tasks.length === 0 ? <span className="quiet">{messages.JOBS_NONE}</span> : null}
      {jobs.failed.length === 0 ? null : (
        <ScrollTable
          label="Failed jobs"
          headers={['Job', 'Task', 'Tries', 'Failed', 'Next Try', 'Actions']}
          numbers={['Tries']}
        >
          {jobs.failed.map((job) => (
            <tr key={job.id}>
              <th scope="row">{job.id}</th>
              <td>{job.task}</td>
              <td data-type="number">{job.attempts}</td>
              <td>{job.failedAt === null ? '' : formatInstant(job.failedAt)}</td>
              <td>{job.nextTryAt === null ? 'None' : formatInstant(job.nextTryAt)}</td>
              <td>
                <span className={styles['actions']}>
                  <ActButton
                    size="small"
                    variant="outlined"
                    aria-label={`Retry job ${job.id}`}
                    onClick={() => retryWrite.run(job.id)}
                  >
                    Retry
                  </ActButton>
                  <ActButton
                    size="small"
                    variant="outlined"
                    aria-label={`Give up job ${job.id}`}
                    onClick={() => setJobToGiveUp(job)}
                  >
                    Give up
                  </ActButton>
                </span>
              </td>
            </tr>
          ))}
        </ScrollTable>
      )}
      <ConfirmDialog
        isOpen={jobToGiveUp !== null}
        title="Give Up Job"
        message={messages.JOB_GIVE_UP_QUESTION}
        confirmLabel="Give up"
        intent="danger"
        onConfirm={() => {
          if (jobToGiveUp !== null) giveUpWrite.run(jobToGiveUp.id);
          setJobToGiveUp(null);
        }}
        onClose={() => setJobToGiveUp(null)}
      />
    </Panel>
  );
}
