import { ProgressBar } from '@blueprintjs/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { ApiError, usePermissions } from '../../../api';
import { ConfirmDialog } from '../../../components/dialogs/ConfirmDialog';
import { DataGrid } from '../../../components/grid/DataGrid';
import { useGrid, type SavedGrid } from '../../../components/grid/useGrid';
import { NoticeBar } from '../../../components/NoticeBar';
import { PageToolbar } from '../../../components/PageToolbar';
import { Panel } from '../../../components/Panel';
import { toasts } from '../../../components/toasts';
import { useHistoryMemory } from '../../../components/useHistoryMemory';
import { useWrite } from '../../../components/useWrite';
import { messages, say, type Wire } from '../../../contract';
import { isEqual } from '../../../lib/equality';
import { getToday } from '../../../lib/dates';
import { getDaysAgo, type Period } from '../../../lib/period';
import type { TestRow } from '../../catalog/api';
import {
  autoverificationQuery,
  LIST_PATH,
  measureQuery,
  reloadRules,
  ruleQuery,
  saveLimits,
  switchRule,
  tryOut,
  type LimitsWrite,
  type RuleRow,
  type Trial,
} from '../api';
import styles from '../components/automation.module.css';
import { RulePanel } from '../components/RulePanel';
import { ruleColumns } from '../components/ruleColumns';
import { TrialResult } from '../components/TrialResult';
import {
  blankLimits,
  parseLimits,
  readRejections,
  toTypedLimits,
  type Rejections,
} from '../limits';

const FIRST_DAYS = 90;
const NO_FILTERS = {};
const BY_CODE = [{ column: 'code', descending: false }];

/** Shows the portal's own text about a rejected act. */
function explain(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.detail === '') return false;
  toasts.error(error.errors[0]?.message ?? error.detail);
  return true;
}

interface RequestedTrial {
  request: Wire<'TrialRequest'>;
  trial: Trial;
}

/** Autoverification: rules that release results automatically, and their try-out (ADR 50). */
export default function Autoverification() {
  const queries = useQueryClient();
  const mayChange = usePermissions().may('changeAutoverification');
  const settings = useQuery(autoverificationQuery);
  const [test, setTest] = useState<TestRow | null>(null);
  const [typedValues, setTypedValues] = useState(blankLimits);
  const [period, setPeriod] = useState<Period>(() => ({
    startDate: getDaysAgo(FIRST_DAYS),
    endDate: getToday(),
  }));
  const [latest, setLatest] = useState<RequestedTrial | null>(null);
  const [rejections, setRejections] = useState<Rejections>({});
  const [isAsking, setIsAsking] = useState(false);
  const rule = useQuery({ ...ruleQuery(test?.id ?? 0), enabled: test !== null }).data ?? null;
  const measure = useQuery({ ...measureQuery(test?.id ?? 0), enabled: test !== null }).data;
  const grid = useGrid<RuleRow>({
    name: 'autoverification',
    path: LIST_PATH,
    filters: NO_FILTERS,
    defaultSort: BY_CODE,
    getRowId: (row) => row.id,
    memory: useHistoryMemory<SavedGrid>('autoverification-grid'),
  });
  const reload = () => {
    reloadRules(queries);
    grid.refresh();
  };

  const chooseTest = async (newTest: TestRow | null) => {
    setTest(newTest);
    setTypedValues(blankLimits);
    setLatest(null);
    setRejections({});
    if (newTest === null) return;
    const storedRule = await queries.query(ruleQuery(newTest.id)).catch(() => null);
    if (storedRule !== null) setTypedValues(toTypedLimits(storedRule));
  };
  const openRule = (row: RuleRow) => {
    setTest({ id: row.testId, code: row.code, name: row.name, alternateNames: '', type: 'TEST' });
    setTypedValues(toTypedLimits(row));
    setLatest(null);
    setRejections({});
  };

  const explainAtFields = (error: unknown): boolean => {
    const reasons = readRejections(error);
    if (reasons === null) return explain(error);
    setRejections(reasons);
    return true;
  };
  const trialWrite = useWrite({
    send: async (request: Wire<'TrialRequest'>, key): Promise<RequestedTrial> => ({
      request,
      trial: await tryOut(request, key),
    }),
    onDone: (answer) => {
      setLatest(answer);
      reload();
    },
    explain: explainAtFields,
  });
  const saveWrite = useWrite({
    send: (body: { testId: number; limits: LimitsWrite; version?: number }, key) =>
      saveLimits(body.testId, body.limits, body.version, key),
    onDone: () => {
      toasts.success(messages.AUTOVERIFICATION_SAVED);
      reload();
    },
    onStale: reload,
    explain: explainAtFields,
  });
  const switchWrite = useWrite({
    send: (body: { rule: RuleRow; isOn: boolean }, key) => switchRule(body.rule, body.isOn, key),
    onDone: ({ isOn, name }) => {
      const message = isOn ? messages.AUTOVERIFICATION_ON : messages.AUTOVERIFICATION_SWITCHED_OFF;
      toasts.success(say(message, { test: name }));
      reload();
    },
    onStale: reload,
    explain,
  });

  const typedLimits = parseLimits(typedValues);
  const request = { testId: test?.id ?? null, limits: typedLimits, ...period };
  const allRequest = { testId: null, limits: null, ...period };
  // Hides a trial of other limits or days: its counts would seem to belong to those on screen.
  const isCurrent = isEqual(latest?.request, request) || isEqual(latest?.request, allRequest);
  const trial = isCurrent ? (latest?.trial ?? null) : null;
  return (
    <>
      <PageToolbar title="Autoverification" />
      <NoticeBar>
        {settings.data?.enabled === false ? messages.AUTOVERIFICATION_OFF : undefined}
      </NoticeBar>
      <div className={styles['screen']}>
        <RulePanel
          test={test}
          typedLimits={typedValues}
          period={period}
          rule={rule}
          measure={test === null ? '' : (measure ?? '')}
          untriedReason={
            trial?.comparable === 0
              ? messages.AUTOVERIFICATION_TRIED_NOTHING
              : messages.AUTOVERIFICATION_NOT_TRIED
          }
          mayChange={mayChange}
          isTrying={trialWrite.isRunning}
          isSaving={saveWrite.isRunning || switchWrite.isRunning}
          onTest={(newTest) => void chooseTest(newTest)}
          rejections={rejections}
          onType={(change) => {
            setTypedValues({ ...typedValues, ...change });
            setRejections({});
          }}
          onPeriod={(change) => {
            setPeriod({ ...period, ...change });
            setRejections({});
          }}
          onTry={() => {
            if (test === null || typedLimits === null) return;
            trialWrite.run(request);
          }}
          onTryAll={() => trialWrite.run(allRequest)}
          onSave={() => {
            if (test === null || typedLimits === null) return;
            saveWrite.run({
              testId: test.id,
              limits: typedLimits,
              ...(rule === null ? {} : { version: rule.version }),
            });
          }}
          onSwitch={(isOn) => {
            if (isOn) setIsAsking(true);
            else if (rule !== null) switchWrite.run({ rule, isOn: false });
          }}
        />
        <div className={styles['side']}>
          <Panel title="Past results">
            <div role="status" aria-busy={trialWrite.isRunning}>
              {trialWrite.isRunning ? <ProgressBar intent="primary" /> : null}
              {trial === null && !trialWrite.isRunning ? (
                <span className="quiet">{messages.TRIAL_NONE}</span>
              ) : null}
            </div>
            {trial === null || trialWrite.isRunning ? null : <TrialResult trial={trial} />}
          </Panel>
          <div className="grid-place">
            <DataGrid
              label="Rules"
              grid={grid}
              columns={ruleColumns}
              onOpen={openRule}
              emptyText={messages.AUTOVERIFICATION_NO_RULES}
            />
          </div>
        </div>
      </div>
      <ConfirmDialog
        isOpen={isAsking && rule !== null}
        title="Switch On"
        message={say(messages.CONFIRM_AUTOVERIFICATION, { test: rule?.name ?? '' })}
        confirmLabel="Switch On"
        onConfirm={() => {
          setIsAsking(false);
          if (rule !== null) switchWrite.run({ rule, isOn: true });
        }}
        onClose={() => setIsAsking(false)}
      />
    </>
  );
}
