import { useQuery } from '@tanstack/react-query';
import { useId, useState, type ReactNode } from 'react';

import { useFormKey } from '../../../components/forms/useFormKey';
import { FloppyDiskIcon, ShareIcon } from '../../../components/icons';
import { messages, ReasonKind, ResultStatus, say } from '../../../contract';
import { reasonsQuery } from '../../settings/api';
import { EntryCriticalNotice } from '../components/EntryCriticalNotice';
import { EntryLock } from '../components/EntryLock';
import { EntryToolbar } from '../components/EntryToolbar';
import { HoldRecords } from '../components/HoldRecords';
import { ReleaseDialog } from '../components/ReleaseDialog';
import { resultFrame, ResultTable } from '../components/ResultTable';
import { describeRemaining } from '../components/TestState';
import { UnusualResults } from '../components/UnusualResults';
import {
  explainRelease,
  explainSave,
  listTestsAwaitingCollection,
  listTestsBeforeSpecimen,
  listUnitNotices,
} from '../entryReasons';
import { hasRelease } from '../released';
import { useFocusRejected } from '../useFocusRejected';
import type { ToxicologyEntryOrder } from './api';
import { buildEntryColumns, entryTable, toEntryLines } from './entryColumns';
import { RowActs } from './RowActs';
import { listTests } from './typedResults';
import { useToxicologyEntry } from './useToxicologyEntry';
import { ReleaseOutcome, VerdictPreview } from './Verdicts';

interface ToxicologyEntryFormProps {
  /** The tabs of the order's families, if it has several. */
  tabs: ReactNode;
  entry: ToxicologyEntryOrder;
  onChanged: (entry: ToxicologyEntryOrder) => void;
  reload: () => Promise<ToxicologyEntryOrder>;
}

/** The results to enter for an order. Enter moves to the next; saved results can be released. */
export function ToxicologyEntryForm({ tabs, ...props }: ToxicologyEntryFormProps) {
  const [isConfirming, setIsConfirming] = useState(false);
  const entry = useToxicologyEntry(props);
  const { order } = entry;
  const id = useId();
  const reasons = useQuery(reasonsQuery(ReasonKind.CORRECTION));
  const fields = useFocusRejected(entry.rejectedSave, '[data-rejected]');
  useFormKey('mod+s', 'Save', entry.save, 'Result Entry');
  const tests = listTests(order);
  const unreleasedRows = tests.filter(({ status }) => status === ResultStatus.UNRELEASED);
  const readyRows = unreleasedRows.filter(({ leftBecause }) => leftBecause === null);
  const remainingText = describeRemaining(
    unreleasedRows.flatMap(({ leftBecause }) => leftBecause ?? []),
  );
  const corrections = readyRows.filter(hasRelease).length;
  const missingRows = tests.filter(({ status }) => status === ResultStatus.PENDING).length;
  const isLocked = !order.canEnterResults.allowed;
  return (
    <>
      <EntryToolbar
        order={order}
        hasUnsaved={entry.hasUnsaved}
        progress={missingRows > 0 ? `${missingRows} not entered` : null}
        actions={[
          {
            label: 'Save',
            icon: <FloppyDiskIcon />,
            intent: 'primary',
            isAlwaysShown: true,
            disabled: !entry.canSave || isLocked,
            reason: explainSave(order.canEnterResults.reason, entry.isInConflict),
            loading: entry.isSaving,
            onClick: entry.save,
          },
          {
            label: readyRows.length > 0 ? `Release ${readyRows.length}` : 'Release',
            slot: 'release',
            icon: <ShareIcon />,
            intent: 'success',
            isAlwaysShown: true,
            disabled: !entry.canRelease || !order.canRelease.allowed || readyRows.length === 0,
            reason: explainRelease(order.canRelease.reason, entry.hasUnsaved, remainingText),
            loading: entry.isReleasing,
            onClick: () => setIsConfirming(true),
          },
        ]}
      />
      {tabs}
      <EntryCriticalNotice order={order} />
      <EntryLock order={order} />
      {entry.notices}
      <form
        ref={fields}
        className={resultFrame}
        aria-label="Toxicology results"
        onSubmit={(event) => {
          event.preventDefault();
          entry.save();
        }}
      >
        <ResultTable
          fixedClass={entryTable}
          rows={toEntryLines(order.rows)}
          getRowKey={({ orderTestId }) => orderTestId}
          columns={buildEntryColumns({
            values: entry.values,
            fieldErrors: entry.fieldErrors,
            id,
            isLocked,
            reasons: new Map(reasons.data?.map(({ code, words }) => [code, words])),
            onType: entry.type,
            renderActs: (row) => (
              <RowActs
                row={row}
                values={entry.values}
                fieldErrors={entry.fieldErrors}
                canEnter={!isLocked}
                canAct={order.canRelease.allowed && entry.canRelease}
                isActing={entry.isActing}
                onType={entry.type}
                onAct={entry.act}
              />
            ),
          })}
        />
      </form>
      <HoldRecords records={order.holdRecords} />
      <VerdictPreview order={order} hasUnsaved={entry.hasUnsaved} />
      <UnusualResults questions={entry.questions} onAnswer={entry.answer} />
      <ReleaseDialog
        isOpen={isConfirming}
        title="Release results"
        remainingText={remainingText}
        unitNotices={listUnitNotices(readyRows)}
        testsAwaitingCollection={listTestsAwaitingCollection(readyRows)}
        testsBeforeSpecimen={listTestsBeforeSpecimen(readyRows)}
        criticals={order.verdicts
          .filter(({ isCritical, isShown }) => isCritical && !isShown)
          .map(({ why }) => why)}
        outcome={<ReleaseOutcome order={order} />}
        onConfirm={() => {
          setIsConfirming(false);
          entry.release();
        }}
        onClose={() => setIsConfirming(false)}
      >
        {say(corrections > 0 ? messages.CONFIRM_RELEASE_CORRECTIONS : messages.CONFIRM_RELEASE, {
          count: readyRows.length,
          corrections,
        })}
      </ReleaseDialog>
    </>
  );
}
