import { Callout } from '@blueprintjs/core';
import { useEffect, useId, useRef, useState } from 'react';

import { PageToolbar } from '../../../components/PageToolbar';
import { ConfirmDialog } from '../../../components/dialogs/ConfirmDialog';
import { formatDate } from '../../../lib/dates';
import { FloppyDiskIcon, ShareIcon } from '../../../components/icons';
import { messages, ResultStatus, say } from '../../../contract';
import type { ResultEntry } from '../api';
import { entryColumns } from './entryColumns';
import { OrderStatusTag } from './OrderStatus';
import { resultFrame, ResultTable } from './ResultTable';
import { useResultEntry } from './useResultEntry';

interface ResultEntryFormProps {
  entry: ResultEntry;
  onChanged: (entry: ResultEntry) => void;
  reload: () => Promise<ResultEntry>;
}

/** Leads from the result that was entered to the next, and from the last to the first. */
function goOn(from: HTMLInputElement) {
  const results = [...(from.form?.querySelectorAll<HTMLInputElement>('input[data-result]') ?? [])];
  (results[results.indexOf(from) + 1] ?? results[0])?.focus();
}

/** The table of an order's tests: type, Enter goes on to the next; save, then release. */
export function ResultEntryForm({ entry, onChanged, reload }: ResultEntryFormProps) {
  const [confirming, setConfirming] = useState(false);
  const fields = useRef<HTMLFormElement>(null);
  const id = useId();

  const work = useResultEntry({ entry, onChanged, reload });
  const { shown, refused } = work;
  // The first refused field may be far up or down among sixty.
  useEffect(() => {
    if (refused === null) return;
    const first = fields.current?.querySelector<HTMLElement>('[data-refused]');
    first?.focus({ preventScroll: true });
    first?.scrollIntoView({ block: 'center' });
  }, [refused]);
  const waiting = shown.rows.filter((row) => row.status === ResultStatus.UNRELEASED);
  const corrections = waiting.filter((row) => row.isCorrection).length;
  const { patient } = shown;

  return (
    <>
      <PageToolbar
        title={shown.codeValue}
        badge={<OrderStatusTag status={shown.status} />}
        actions={[
          {
            label: 'Save',
            icon: <FloppyDiskIcon />,
            intent: 'primary',
            always: true,
            disabled: !work.canSave || !shown.canEnterResults.allowed,
            reason: shown.canEnterResults.reason ?? undefined,
            loading: work.isSaving,
            onClick: work.save,
          },
          {
            label: waiting.length > 0 ? `Release ${waiting.length}` : 'Release',
            icon: <ShareIcon />,
            intent: 'success',
            always: true,
            disabled: !work.canRelease || !shown.canRelease.allowed || waiting.length === 0,
            reason: shown.canRelease.reason ?? undefined,
            loading: work.isReleasing,
            onClick: () => setConfirming(true),
          },
        ]}
      />
      <p>
        {patient.lastName}, {patient.firstName} <span className="quiet">·</span>{' '}
        <span className="number">{formatDate(patient.birthDate)}</span>{' '}
        <span className="quiet">·</span> {patient.gender}
      </p>
      {shown.canEnterResults.reason ? (
        <Callout intent="warning" compact>
          {shown.canEnterResults.reason}
        </Callout>
      ) : null}
      {work.notices}
      <form
        ref={fields}
        className={resultFrame}
        aria-label="Results"
        onSubmit={(event) => {
          event.preventDefault();
          work.save();
        }}
      >
        <ResultTable
          rows={shown.rows}
          rowKey={({ orderTestId }) => orderTestId}
          columns={entryColumns({
            values: work.values,
            refusals: work.refusals,
            id,
            locked: !shown.canEnterResults.allowed,
            onType: work.type,
            onEnter: goOn,
          })}
        />
      </form>
      <ConfirmDialog
        isOpen={confirming}
        title="Release results"
        message={say(
          corrections > 0 ? messages.CONFIRM_RELEASE_CORRECTIONS : messages.CONFIRM_RELEASE,
          { count: waiting.length, corrections },
        )}
        confirmLabel="Release"
        onConfirm={() => {
          setConfirming(false);
          work.release();
        }}
        onClose={() => setConfirming(false)}
      />
    </>
  );
}
