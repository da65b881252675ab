import { Callout } from '@blueprintjs/core';
import { useEffect, useId, useRef, useState } from 'react';

import { PageToolbar } from '../../../components/PageToolbar';
import { useFormKey } from '../../../components/forms/useFormKey';
import { PatientBanner } from '../../../components/records/PatientBanner';
import { ConfirmDialog } from '../../../components/dialogs/ConfirmDialog';
import { formatDateTime } from '../../../lib/dates';
import { FloppyDiskIcon, ShareIcon } from '../../../components/icons';
import { messages, ResultStatus, say } from '../../../contract';
import type { ResultEntry } from '../api';
import { buildEntryColumns, entryTable } from './entryColumns';
import { OrderStatusTag } from './OrderStatus';
import { resultFrame, ResultTable } from './ResultTable';
import { useResultEntry } from './useResultEntry';

interface ResultEntryFormProps {
  entry: ResultEntry;
  onChanged: (entry: ResultEntry) => void;
  reload: () => Promise<ResultEntry>;
}

/** Moves the focus to the next result, and from the last to the first. */
function focusNext(current: HTMLInputElement) {
  const results = [
    ...(current.form?.querySelectorAll<HTMLInputElement>('input[data-result]') ?? []),
  ];
  (results[results.indexOf(current) + 1] ?? results[0])?.focus();
}

/** The results to enter for an order. Enter moves to the next; saved results can be released. */
export function ResultEntryForm({ entry, onChanged, reload }: ResultEntryFormProps) {
  const [isConfirming, setIsConfirming] = useState(false);
  const fields = useRef<HTMLFormElement>(null);
  const id = useId();

  const resultEntry = useResultEntry({ entry, onChanged, reload });
  const { order, rejectedSave } = resultEntry;
  useFormKey('mod+s', 'Save', resultEntry.save, 'Result Entry');
  // The first invalid field may be far from view in a long list.
  useEffect(() => {
    if (rejectedSave === null) return;
    const first = fields.current?.querySelector<HTMLElement>('[data-rejected]');
    first?.focus({ preventScroll: true });
    first?.scrollIntoView({ block: 'center' });
  }, [rejectedSave]);
  const unreleasedRows = order.rows.filter((row) => row.status === ResultStatus.UNRELEASED);
  const corrections = unreleasedRows.filter((row) => row.isCorrection).length;
  const { patient } = order;

  return (
    <>
      <PageToolbar
        title={order.codeValue}
        patient={
          <PatientBanner
            patient={patient}
            facts={[
              ['Patient Id', patient.code],
              ['Client', order.clientName],
              ['Collected', formatDateTime(order.collectionDate)],
            ]}
          />
        }
        badge={<OrderStatusTag status={order.status} />}
        actions={[
          {
            label: 'Save',
            icon: <FloppyDiskIcon />,
            intent: 'primary',
            always: true,
            disabled: !resultEntry.canSave || !order.canEnterResults.allowed,
            reason: order.canEnterResults.reason ?? undefined,
            loading: resultEntry.isSaving,
            onClick: resultEntry.save,
          },
          {
            label: unreleasedRows.length > 0 ? `Release ${unreleasedRows.length}` : 'Release',
            icon: <ShareIcon />,
            intent: 'success',
            always: true,
            disabled:
              !resultEntry.canRelease || !order.canRelease.allowed || unreleasedRows.length === 0,
            reason: order.canRelease.reason ?? undefined,
            loading: resultEntry.isReleasing,
            onClick: () => setIsConfirming(true),
          },
        ]}
      />
      {order.canEnterResults.reason ? (
        <Callout intent="warning" compact>
          {order.canEnterResults.reason}
        </Callout>
      ) : null}
      {resultEntry.notices}
      <form
        ref={fields}
        className={resultFrame}
        aria-label="Results"
        onSubmit={(event) => {
          event.preventDefault();
          resultEntry.save();
        }}
      >
        <ResultTable
          fixed={entryTable}
          rows={order.rows}
          getRowKey={({ orderTestId }) => orderTestId}
          columns={buildEntryColumns({
            values: resultEntry.values,
            fieldErrors: resultEntry.fieldErrors,
            id,
            isLocked: !order.canEnterResults.allowed,
            onType: resultEntry.type,
            onEnter: focusNext,
          })}
        />
      </form>
      <ConfirmDialog
        isOpen={isConfirming}
        title="Release results"
        message={say(
          corrections > 0 ? messages.CONFIRM_RELEASE_CORRECTIONS : messages.CONFIRM_RELEASE,
          { count: unreleasedRows.length, corrections },
        )}
        confirmLabel="Release"
        onConfirm={() => {
          setIsConfirming(false);
          resultEntry.release();
        }}
        onClose={() => setIsConfirming(false)}
      />
    </>
  );
}
