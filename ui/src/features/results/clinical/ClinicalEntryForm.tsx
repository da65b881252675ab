import { useId, useState, type ReactNode } from 'react';

import { useFormKey } from '../../../components/forms/useFormKey';
import { ConfirmIcon, FloppyDiskIcon, ShareIcon } from '../../../components/icons';
import { messages, ResultStatus, say } from '../../../contract';
import type { ResultEntry } from './api';
import { AutoverifiedNotice } from './AutoverifiedNotice';
import { buildEntryColumns, entryTable } from './entryColumns';
import { EntryCriticalNotice } from '../components/EntryCriticalNotice';
import { EntryLock } from '../components/EntryLock';
import { EntryToolbar } from '../components/EntryToolbar';
import { HoldRecords } from '../components/HoldRecords';
import { ReleaseDialog } from '../components/ReleaseDialog';
import { resultFrame, ResultTable } from '../components/ResultTable';
import { UnusualResults } from '../components/UnusualResults';
import {
  explainRelease,
  explainSave,
  listTestsAwaitingCollection,
  listTestsBeforeSpecimen,
  listUnitNotices,
} from '../entryReasons';
import { useFocusRejected } from '../useFocusRejected';
import { splitByRelease } from './releasing';
import { describeFlag } from './resultCheck';
import { RowActs } from './RowActs';
import { describeOwner } from './typedResults';
import { useResultEntry } from './useResultEntry';

interface ClinicalEntryFormProps {
  /** The tabs of the order's families, if it has several. */
  tabs: ReactNode;
  entry: ResultEntry;
  onChanged: (entry: ResultEntry) => void;
  reload: () => Promise<ResultEntry>;
}

/** The results to enter for an order. Enter moves to the next; saved results can be released. */
export function ClinicalEntryForm({ tabs, entry, onChanged, reload }: ClinicalEntryFormProps) {
  const [isConfirming, setIsConfirming] = useState(false);
  const id = useId();

  const resultEntry = useResultEntry({ entry, onChanged, reload });
  const { order, rejectedSave } = resultEntry;
  useFormKey('mod+s', 'Save', resultEntry.save, 'Result Entry');
  const fields = useFocusRejected(rejectedSave, '[data-rejected]');
  const { enteredRows, releasableRows, remainingText } = splitByRelease(order);
  const corrections = releasableRows.filter((row) => row.isCorrection).length;
  const criticals = releasableRows
    .filter(({ flag }) => describeFlag(flag)?.tone === 'critical')
    .map(({ name, result, flag }) => `${name} ${result} ${flag}`);
  const unverifiedRows = enteredRows.filter((row) => row.verifiedBy === null);
  const leftRows = order.rows.filter(
    (row) => !row.isPanel && row.sameAs === null && row.status === ResultStatus.PENDING,
  );

  return (
    <>
      <EntryToolbar
        order={order}
        hasUnsaved={resultEntry.hasUnsaved}
        progress={leftRows.length > 0 ? `${leftRows.length} not entered` : null}
        actions={[
          {
            label: 'Save',
            icon: <FloppyDiskIcon />,
            intent: 'primary',
            isAlwaysShown: true,
            disabled: !resultEntry.canSave || !order.canEnterResults.allowed,
            reason: explainSave(order.canEnterResults.reason, resultEntry.isInConflict),
            loading: resultEntry.isSaving,
            onClick: resultEntry.save,
          },
          ...(order.verificationRequired
            ? [
                {
                  label: unverifiedRows.length > 0 ? `Verify ${unverifiedRows.length}` : 'Verify',
                  slot: 'verify',
                  icon: <ConfirmIcon />,
                  isAlwaysShown: true,
                  disabled:
                    !resultEntry.canRelease ||
                    !order.canRelease.allowed ||
                    unverifiedRows.length === 0,
                  reason: explainRelease(order.canRelease.reason, resultEntry.hasUnsaved),
                  loading: resultEntry.isActing,
                  onClick: () => resultEntry.act({ path: 'verify', body: { orderTestIds: null } }),
                },
              ]
            : []),
          {
            label: releasableRows.length > 0 ? `Release ${releasableRows.length}` : 'Release',
            slot: 'release',
            icon: <ShareIcon />,
            intent: 'success',
            isAlwaysShown: true,
            disabled:
              !resultEntry.canRelease || !order.canRelease.allowed || releasableRows.length === 0,
            reason: explainRelease(order.canRelease.reason, resultEntry.hasUnsaved, remainingText),
            loading: resultEntry.isActing,
            onClick: () => setIsConfirming(true),
          },
        ]}
      />
      {tabs}
      <EntryCriticalNotice order={order} />
      <EntryLock order={order} />
      {resultEntry.notices}
      <AutoverifiedNotice
        results={resultEntry.autoverified}
        onClose={resultEntry.closeAutoverified}
      />
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
          fixedClass={entryTable}
          rows={order.rows}
          getRowKey={({ orderTestId }) => orderTestId}
          columns={buildEntryColumns({
            values: resultEntry.values,
            fieldErrors: resultEntry.fieldErrors,
            id,
            isLocked: !order.canEnterResults.allowed,
            onType: resultEntry.type,
            describeOwner: (row) => describeOwner(order.rows, row),
            renderActs: (row) => (
              <RowActs
                row={row}
                values={resultEntry.values}
                canEnter={order.canEnterResults.allowed}
                canAct={order.canRelease.allowed && resultEntry.canRelease}
                isActing={resultEntry.isActing}
                onType={resultEntry.type}
                onAct={resultEntry.act}
              />
            ),
          })}
        />
      </form>
      <HoldRecords records={order.holdRecords} />
      <UnusualResults questions={resultEntry.questions} onAnswer={resultEntry.answer} />
      <ReleaseDialog
        isOpen={isConfirming}
        title="Release results"
        criticals={criticals}
        earlierComments={releasableRows
          .filter(({ comment, commentNotice }) => comment && commentNotice)
          .map(({ name, comment }) => `${name} '${comment}'`)}
        unitNotices={listUnitNotices(releasableRows)}
        testsAwaitingCollection={listTestsAwaitingCollection(releasableRows)}
        testsBeforeSpecimen={listTestsBeforeSpecimen(releasableRows)}
        remainingText={remainingText}
        onConfirm={() => {
          setIsConfirming(false);
          resultEntry.act({ path: 'release', body: { orderTestIds: null } });
        }}
        onClose={() => setIsConfirming(false)}
      >
        {say(corrections > 0 ? messages.CONFIRM_RELEASE_CORRECTIONS : messages.CONFIRM_RELEASE, {
          count: releasableRows.length,
          corrections,
        })}
      </ReleaseDialog>
    </>
  );
}
