import { Button } from '@blueprintjs/core';
import { useState, type ReactNode } from 'react';
import { useWatch } from 'react-hook-form';

import { ConfirmDialog } from '../../../components/dialogs/ConfirmDialog';
import { useFormKey } from '../../../components/forms/useFormKey';
import { FloppyDiskIcon, ShareIcon, TrashIcon } from '../../../components/icons';
import { Panel } from '../../../components/Panel';
import { messages, ReportKind, ResultFlag, ResultKind, say } from '../../../contract';
import { EntryCriticalNotice } from '../components/EntryCriticalNotice';
import { EntryLock, explainEntryLock, isTestCanceled } from '../components/EntryLock';
import { EntryToolbar } from '../components/EntryToolbar';
import { HoldRecords } from '../components/HoldRecords';
import { ReleaseDialog } from '../components/ReleaseDialog';
import { TestActs } from '../components/TestActs';
import { TestLinks } from '../components/TestLinks';
import { TestState } from '../components/TestState';
import {
  explainRelease,
  explainSave,
  listTestsAwaitingCollection,
  listTestsBeforeSpecimen,
} from '../entryReasons';
import type { PathologyEntryOrder, PathologyEntryTest } from './api';
import styles from './pathology.module.css';
import { ReportFields } from './ReportFields';
import { BLANK_SECTIONS, findTest, getTextInForce, KIND_LABELS } from './reportForm';
import { ReportList } from './ReportList';
import { usePathologyEntry } from './usePathologyEntry';

interface PathologyEntryFormProps {
  /** The tabs of the order's families, if it has several. */
  tabs: ReactNode;
  entry: PathologyEntryOrder;
  orderTestId: number;
  onChanged: (entry: PathologyEntryOrder) => void;
  reload: () => Promise<PathologyEntryOrder>;
}

const getTitle = (test: PathologyEntryTest | undefined, kind: string) =>
  test?.draft?.title ?? KIND_LABELS[kind] ?? '';

/** The report of a test: text, finding, and who signs it out. A saved report can be released. */
export function PathologyEntryForm({ tabs, orderTestId, ...props }: PathologyEntryFormProps) {
  const [question, setQuestion] = useState<'release' | 'withdraw' | null>(null);
  const report = usePathologyEntry({ orderTestId, ...props });
  const { entry, form } = report;
  const [kind, comment] = useWatch({ control: form.control, name: ['kind', 'comment'] });
  useFormKey('mod+s', 'Save', report.save, 'Result Entry');
  const test = findTest(entry, orderTestId);
  const isCanceled = isTestCanceled(test);
  const isLocked = !entry.canEnterResults.allowed || isCanceled;
  const title = getTitle(test, kind);
  const textRequired = test?.draft
    ? messages.PATHOLOGY_TEXT_OR_WITHDRAW
    : messages.PATHOLOGY_TEXT_REQUIRED;
  const missingText = report.hasUnsaved && !report.hasText ? textRequired : null;
  const fill = (html: string) => form.setValue('comment', html, { shouldDirty: true });

  return (
    <>
      <EntryToolbar
        order={entry}
        hasUnsaved={report.hasUnsaved}
        actions={[
          {
            label: 'Save',
            icon: <FloppyDiskIcon />,
            intent: 'primary',
            isAlwaysShown: true,
            disabled: !report.canSave || isLocked,
            reason: explainSave(explainEntryLock(entry, test), report.isInConflict, missingText),
            loading: report.isSaving,
            onClick: report.save,
          },
          {
            label: 'Withdraw',
            icon: <TrashIcon />,
            hidden: !test?.draft,
            disabled: !report.canWithdraw || isLocked,
            reason: explainEntryLock(entry, test) ?? messages.RESULTS_UNSAVED,
            loading: report.isWithdrawing,
            onClick: () => setQuestion('withdraw'),
          },
          {
            label: 'Release',
            icon: <ShareIcon />,
            intent: 'success',
            isAlwaysShown: true,
            disabled:
              !report.canAct ||
              !entry.canRelease.allowed ||
              isCanceled ||
              !test?.draft ||
              test.leftBecause !== null,
            reason: explainRelease(
              entry.canRelease.reason,
              report.hasUnsaved,
              test?.leftBecause ?? null,
            ),
            loading: report.isReleasing,
            onClick: () => setQuestion('release'),
          },
        ]}
      />
      {tabs}
      <TestLinks kind={ResultKind.PATHOLOGY} entry={entry} selected={orderTestId} />
      <EntryCriticalNotice order={entry} />
      <EntryLock order={entry} test={test} />
      {report.notices}
      <form
        className={styles['form']}
        aria-label={`Report of ${test?.name ?? ''}`}
        onSubmit={(event) => {
          event.preventDefault();
          report.save();
        }}
      >
        <Panel
          title={`${test?.name ?? ''}: ${title}`}
          aside={
            test ? (
              <span className={styles['head']}>
                <TestState {...test} />
                {entry.canRelease.allowed && report.canAct ? (
                  <TestActs
                    test={{ ...test, isReleased: test.released.length > 0 }}
                    isActing={report.isActing}
                    onAct={report.act}
                  />
                ) : null}
              </span>
            ) : null
          }
        >
          <ReportFields
            form={form}
            nextKinds={test?.nextKinds ?? []}
            draft={test?.draft ?? null}
            isLocked={isLocked}
            onKind={(newKind) => {
              // A revision begins with the whole text, an addendum with nothing.
              const text = test ? getTextInForce(test) : '';
              if (newKind === String(ReportKind.REVISED) && comment === '') fill(text);
              if (newKind === String(ReportKind.ADDENDUM) && comment === text) fill('');
            }}
          />
          {kind === String(ReportKind.NORMAL) && comment === '' && !isLocked ? (
            <div>
              <Button onClick={() => fill(BLANK_SECTIONS)}>Insert sections</Button>
            </div>
          ) : null}
        </Panel>
      </form>
      <HoldRecords records={entry.holdRecords} />
      {test && test.released.length > 0 ? (
        <section className={styles['test']} aria-label="Released reports">
          <ReportList reports={test.released} />
        </section>
      ) : null}
      <ReleaseDialog
        isOpen={question === 'release'}
        title="Release report"
        testsAwaitingCollection={listTestsAwaitingCollection(test ? [test] : [])}
        testsBeforeSpecimen={listTestsBeforeSpecimen(test ? [test] : [])}
        criticals={
          test?.draft?.flag === ResultFlag.CRITICAL_ABNORMAL ? [`${test.name}: ${title}`] : []
        }
        onConfirm={() => {
          setQuestion(null);
          report.release();
        }}
        onClose={() => setQuestion(null)}
      >
        {say(messages.CONFIRM_PATHOLOGY_RELEASE, { title, test: test?.name ?? '' })}
      </ReleaseDialog>
      <ConfirmDialog
        isOpen={question === 'withdraw'}
        title="Withdraw report"
        message={say(messages.CONFIRM_PATHOLOGY_WITHDRAWAL, { title, test: test?.name ?? '' })}
        confirmLabel="Withdraw"
        onConfirm={() => {
          setQuestion(null);
          report.withdraw();
        }}
        onClose={() => setQuestion(null)}
      />
    </>
  );
}
