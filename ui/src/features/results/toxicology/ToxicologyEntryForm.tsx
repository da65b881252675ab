import { Callout } from '@blueprintjs/core';
import { useId, useState, type ReactNode } from 'react';

import { useFormKey } from '../../../components/forms/useFormKey';
import { FloppyDiskIcon, ShareIcon } from '../../../components/icons';
import { messages, ResultStatus, say, ToxicologyVerdict } from '../../../contract';
import { EntryCriticalNotice } from '../components/EntryCriticalNotice';
import { EntryLock } from '../components/EntryLock';
import { EntryToolbar } from '../components/EntryToolbar';
import { HoldRecords } from '../components/HoldRecords';
import { ReleaseDialog } from '../components/ReleaseDialog';
import { TestActs } from '../components/TestActs';
import { describeRemaining } from '../components/TestState';
import { explainRelease, explainSave, listTestsAwaitingCollection } from '../entryReasons';
import { useFocusRejected } from '../useFocusRejected';
import { ToneText } from '../../../components/ResultTone';
import type { ToxicologyEntryOrder } from './api';
import { EntryTable } from './EntryTable';
import styles from './toxicology.module.css';
import { hasRelease } from './typedResults';
import { useToxicologyEntry } from './useToxicologyEntry';

interface ToxicologyEntryFormProps {
  /** The tabs of the order's families, if it has several. */
  tabs: ReactNode;
  entry: ToxicologyEntryOrder;
  onChanged: (entry: ToxicologyEntryOrder) => void;
  reload: () => Promise<ToxicologyEntryOrder>;
}

const INCONSISTENT: ReadonlySet<string> = new Set([
  ToxicologyVerdict.UNEXPECTED_NEGATIVE,
  ToxicologyVerdict.UNEXPECTED_POSITIVE,
]);

/** The verdicts that a release of the saved results would give. */
function Preview({ order }: { order: ToxicologyEntryOrder }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={`${styles['section']} ${styles['entry']}`}>
      <h2 id={id}>Verdicts</h2>
      <p className={styles['why']}>
        Reported medications: {order.medications.join(', ') || 'none'}
      </p>
      {order.specimenFault ? (
        <Callout intent="warning" compact>
          The specimen is invalid: {order.specimenFault}
        </Callout>
      ) : null}
      <ul className={styles['tests']}>
        {order.verdicts.map(({ kind, why }) => (
          <li key={why}>
            <ToneText tone={INCONSISTENT.has(kind) ? 'critical' : 'normal'}>{why}</ToneText>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The results to enter for an order. Enter moves to the next; saved results can be released. */
export function ToxicologyEntryForm({ tabs, ...props }: ToxicologyEntryFormProps) {
  const [isConfirming, setIsConfirming] = useState(false);
  const entry = useToxicologyEntry(props);
  const { order } = entry;
  const fields = useFocusRejected(entry.rejectedSave, '[aria-invalid="true"]');
  useFormKey('mod+s', 'Save', entry.save, 'Result Entry');
  const unreleasedRows = order.rows.filter(({ status }) => status === ResultStatus.UNRELEASED);
  const readyRows = unreleasedRows.filter(({ leftBecause }) => leftBecause === null);
  const remainingText = describeRemaining(
    unreleasedRows.flatMap(({ leftBecause }) => leftBecause ?? []),
  );
  const corrections = readyRows.filter(hasRelease).length;
  const missingRows = order.rows.filter(
    ({ isPanel, status }) => !isPanel && status === ResultStatus.PENDING,
  ).length;
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
        className={styles['entry']}
        aria-label="Toxicology results"
        onSubmit={(event) => {
          event.preventDefault();
          entry.save();
        }}
      >
        <EntryTable
          order={order}
          values={entry.values}
          fieldErrors={entry.fieldErrors}
          isLocked={isLocked}
          onType={entry.type}
          renderActs={(row) =>
            order.canRelease.allowed && entry.canRelease ? (
              <TestActs
                test={{ ...row, isReleased: row.released !== null }}
                isActing={entry.isActing}
                onAct={entry.act}
              />
            ) : null
          }
        />
      </form>
      <HoldRecords records={order.holdRecords} />
      <Preview order={order} />
      <ReleaseDialog
        isOpen={isConfirming}
        title="Release results"
        remainingText={remainingText}
        testsAwaitingCollection={listTestsAwaitingCollection(readyRows)}
        criticals={order.verdicts.filter(({ isCritical }) => isCritical).map(({ why }) => why)}
        unexpectedVerdicts={order.verdicts
          .filter(({ kind, isCritical }) => INCONSISTENT.has(kind) && !isCritical)
          .map(({ why }) => why)}
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
