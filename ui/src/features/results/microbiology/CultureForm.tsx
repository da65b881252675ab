import { Tag } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';

import { SelectField } from '../../../components/fields/SelectField';
import { TextAreaField, TextField } from '../../../components/fields/TextField';
import { useFormKey } from '../../../components/forms/useFormKey';
import { FloppyDiskIcon, ShareIcon } from '../../../components/icons';
import type { PageAction } from '../../../components/PageToolbar';
import { Panel } from '../../../components/Panel';
import { CultureStage, messages, ReasonKind, ResultKind, say } from '../../../contract';
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
import { useFocusRejected } from '../useFocusRejected';
import { reasonsQuery } from '../../settings/api';
import { listReasonOptions } from '../../settings/reasonOptions';
import type { MicrobiologyEntryOrder, MicrobiologyLists } from './api';
import { buildFields, describeCulture } from './cultureForm';
import { FindingsFields } from './FindingsFields';
import styles from './microbiology.module.css';
import { OrganismFields } from './OrganismFields';
import { SpecimenFields } from './SpecimenFields';
import { useCultureEntry } from './useCultureEntry';

interface CultureFormProps {
  /** The tabs of the order's families, if it has several. */
  tabs: ReactNode;
  lists: MicrobiologyLists;
  entry: MicrobiologyEntryOrder;
  orderTestId: number;
  onChanged: (entry: MicrobiologyEntryOrder) => void;
  reload: () => Promise<MicrobiologyEntryOrder>;
}

/** The culture of a test: specimen, findings, organisms, comments. It is saved before a release. */
export function CultureForm({ tabs, lists, orderTestId, ...props }: CultureFormProps) {
  const [stageToRelease, setStageToRelease] = useState<CultureStage | null>(null);
  const { entry, test, form, values, culture, set, ...actions } = useCultureEntry({
    lists,
    orderTestId,
    ...props,
  });
  const fields = buildFields(lists);
  useFormKey('mod+s', 'Save', actions.save, 'Result Entry');
  const fieldArea = useFocusRejected(actions.rejectedSave, '[aria-invalid=true]');
  const isCanceled = isTestCanceled(test);
  const isLocked = !entry.canEnterResults.allowed || isCanceled;
  const isCorrection = culture?.isCorrection ?? false;
  const reasons = useQuery({ ...reasonsQuery(ReasonKind.CORRECTION), enabled: isCorrection });
  const findError = (field: string) =>
    actions.errors.find((error) => error.field === field)?.message;
  // The portal checks the reason when the culture is saved, not while it is typed.
  const { errors: saveErrors } = form.formState;
  const name = test?.name ?? '';
  const leftBecause = test?.leftBecause ?? null;

  const buildRelease = (stage: CultureStage, label: string): PageAction => {
    const gaps = stage === CultureStage.FINAL ? culture?.finalGaps : culture?.preliminaryGaps;
    // A withheld version is not released again: its review ends, or another version follows.
    const isStageReleased = test?.isReleased && (test.withheld !== null || test.stage === stage);
    return {
      label,
      icon: <ShareIcon />,
      intent: stage === CultureStage.FINAL ? 'success' : undefined,
      isAlwaysShown: stage === CultureStage.FINAL,
      disabled:
        !actions.canRelease ||
        !entry.canRelease.allowed ||
        isCanceled ||
        !test?.isEntered ||
        isStageReleased === true ||
        leftBecause !== null ||
        (gaps?.length ?? 0) > 0,
      reason: explainRelease(
        entry.canRelease.reason ??
          (actions.hasUnsaved ? undefined : (leftBecause ?? gaps?.[0]?.message)),
        actions.hasUnsaved,
      ),
      loading: actions.isReleasing,
      onClick: () => setStageToRelease(stage),
    };
  };

  return (
    <>
      <EntryToolbar
        order={entry}
        hasUnsaved={actions.hasUnsaved}
        actions={[
          {
            label: 'Save',
            icon: <FloppyDiskIcon />,
            intent: 'primary',
            isAlwaysShown: true,
            disabled: !actions.canSave || isLocked,
            reason: explainSave(explainEntryLock(entry, test), actions.isInConflict),
            loading: actions.isSaving,
            onClick: actions.save,
          },
          buildRelease(CultureStage.PRELIMINARY, 'Release Preliminary'),
          buildRelease(CultureStage.FINAL, 'Release Final'),
        ]}
      />
      {tabs}
      <TestLinks kind={ResultKind.MICROBIOLOGY} entry={entry} selected={orderTestId} />
      <EntryCriticalNotice order={entry} />
      <EntryLock order={entry} test={test} />
      {actions.notices}
      <form
        ref={fieldArea}
        className={styles['form']}
        aria-label={`Culture of ${name}`}
        onSubmit={(event) => {
          event.preventDefault();
          actions.save();
        }}
      >
        <Panel
          title={name}
          aside={
            <span className={styles['head']}>
              {culture?.isCritical ? <Tag intent="danger">CRITICAL</Tag> : null}
              {test ? <TestState {...test} /> : null}
              {test && entry.canRelease.allowed && actions.canRelease ? (
                <TestActs
                  test={{ ...test, isReleased: test.hasRelease }}
                  isActing={actions.isActing}
                  onAct={actions.act}
                />
              ) : null}
            </span>
          }
        >
          <SpecimenFields
            control={form.control}
            values={values}
            lists={lists}
            choices={test?.choices ?? []}
            isLocked={isLocked}
            findError={findError}
            onChange={set}
          />
        </Panel>
        {test && test.choices.length > 0 ? null : (
          <>
            <FindingsFields
              findings={values.findings}
              lists={lists}
              isLocked={isLocked}
              findError={findError}
              onChange={(findings) => set('findings', findings)}
            />
            <OrganismFields
              organisms={values.organisms}
              checkedOrganisms={culture?.organisms ?? []}
              lists={lists}
              isLocked={isLocked}
              findError={findError}
              onChange={(organisms) => set('organisms', organisms)}
            />
          </>
        )}
        <Panel title="Comments">
          <div className={styles['fields']}>
            <TextAreaField
              label={fields.comment.label}
              value={values.comment}
              disabled={isLocked}
              onChange={(text) => set('comment', text)}
            />
            <TextAreaField
              label={fields.preliminaryComment.label}
              value={values.preliminaryComment}
              disabled={isLocked}
              onChange={(text) => set('preliminaryComment', text)}
            />
          </div>
        </Panel>
        {isCorrection ? (
          <Panel title="Correction">
            <p>{messages.CULTURE_REASON_REQUIRED}.</p>
            <div className={styles['fields']}>
              <SelectField
                label={fields.reasonCode.label}
                value={values.reasonCode}
                placeholder="None"
                options={listReasonOptions(reasons.data, culture)}
                disabled={isLocked}
                error={saveErrors.reasonCode?.message}
                onChange={(code) => set('reasonCode', code)}
              />
              <TextField
                label={fields.explanation.label}
                value={values.explanation}
                disabled={isLocked}
                error={saveErrors.explanation?.message}
                onChange={(text) => set('explanation', text)}
              />
            </div>
          </Panel>
        ) : null}
        {culture && culture.finalGaps.length > 0 && test?.isEntered ? (
          <Panel title="Before the final release">
            <ul className={styles['gaps']}>
              {culture.finalGaps.map(({ field, message }) => (
                <li key={field}>{message}</li>
              ))}
            </ul>
          </Panel>
        ) : null}
      </form>
      <HoldRecords records={entry.holdRecords} />
      <ReleaseDialog
        isOpen={stageToRelease !== null}
        title="Release culture"
        testsAwaitingCollection={listTestsAwaitingCollection(test ? [test] : [])}
        testsBeforeSpecimen={listTestsBeforeSpecimen(test ? [test] : [])}
        criticals={culture?.isCritical ? [describeCulture(name, values, lists)] : []}
        onConfirm={() => {
          setStageToRelease(null);
          if (stageToRelease !== null) actions.release(stageToRelease);
        }}
        onClose={() => setStageToRelease(null)}
      >
        {say(
          stageToRelease === CultureStage.FINAL
            ? messages.CONFIRM_FINAL
            : messages.CONFIRM_PRELIMINARY,
          { test: name },
        )}
        {isCorrection ? <p>{messages.CONFIRM_CULTURE_CORRECTION}</p> : null}
      </ReleaseDialog>
    </>
  );
}
