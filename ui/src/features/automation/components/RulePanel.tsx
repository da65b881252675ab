import { Callout, Checkbox } from '@blueprintjs/core';
import { useState } from 'react';

import { ActButton } from '../../../components/ActButton';
import { AsyncPicker } from '../../../components/fields/AsyncPicker';
import { DateField } from '../../../components/fields/DateField';
import { TextField } from '../../../components/fields/TextField';
import { Panel } from '../../../components/Panel';
import { messages } from '../../../contract';
import { validatePeriod, type Period } from '../../../lib/period';
import { catalogTestsQuery, isExactTest, type TestRow } from '../../catalog/api';
import type { RuleRow } from '../api';
import {
  areLimitsOf,
  explainDifference,
  findLimitFault,
  isRequired,
  parseLimits,
  type NumberName,
  type Rejections,
  type TypedLimits,
} from '../limits';
import styles from './automation.module.css';

interface RulePanelProps {
  test: TestRow | null;
  typedLimits: TypedLimits;
  period: Period;
  /** The stored rule of the test. */
  rule: RuleRow | null;
  /** The current unit and method of the test, in words. The limits are for these. */
  measure: string;
  /** Why limits that were not tried out cannot be switched on. */
  untriedReason: string;
  rejections: Rejections;
  mayChange: boolean;
  isTrying: boolean;
  isSaving: boolean;
  onTest: (test: TestRow | null) => void;
  onType: (change: Partial<TypedLimits>) => void;
  onPeriod: (change: Partial<Period>) => void;
  onTry: () => void;
  onTryAll: () => void;
  onSave: () => void;
  onSwitch: (isOn: boolean) => void;
}

/** The limits of one test: to try out, to save, and to switch on or off. */
export function RulePanel({ test, typedLimits, period, rule, ...props }: RulePanelProps) {
  const [isChecked, setIsChecked] = useState(false);
  const { start, end, invalid } = validatePeriod(period.startDate, period.endDate);
  const limits = parseLimits(typedLimits);
  const isStored = limits !== null && rule !== null && areLimitsOf(limits, rule);
  const difference = rule === null ? null : explainDifference(rule);
  const isReady = test !== null && limits !== null && !invalid;
  const getNumberProps = (name: NumberName) => ({
    value: typedLimits[name],
    required: isRequired(name),
    onChange: (value: string) => props.onType({ [name]: value }),
    error: (isChecked ? findLimitFault(name, typedLimits[name]) : null) ?? props.rejections[name],
  });
  const run = (act: () => void) => {
    setIsChecked(true);
    if (isReady) act();
  };
  return (
    <form
      aria-label="Limits"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!props.isTrying) run(props.onTry);
      }}
    >
      <Panel title="Try out">
        <AsyncPicker
          label="Test"
          required
          value={test}
          query={catalogTestsQuery}
          isExact={isExactTest}
          getItemKey={({ id }) => id}
          getItemText={({ code, name }) => `${code} ${name}`}
          onChange={(newValue) => {
            setIsChecked(false);
            props.onTest(newValue);
          }}
          error={isChecked && test === null ? messages.VALUE_REQUIRED : undefined}
        />
        <p className="quiet" role="status">
          {props.measure}
        </p>
        <div className={styles['pair']}>
          <TextField label="Lowest Result" {...getNumberProps('low')} />
          <TextField label="Highest Result" {...getNumberProps('high')} />
        </div>
        {difference !== null ? (
          <Callout compact intent="warning" role="status">
            {difference}
          </Callout>
        ) : null}
        <Checkbox
          label="Release abnormal results"
          checked={typedLimits.allowsAbnormal}
          onChange={({ currentTarget }) => props.onType({ allowsAbnormal: currentTarget.checked })}
        />
        <div className={styles['pair']}>
          <TextField label="Largest Change (%)" {...getNumberProps('deltaPercent')} />
          <TextField label="Within Days" {...getNumberProps('deltaDays')} />
        </div>
        <div className={styles['pair']}>
          <DateField
            label="Start Date"
            required
            value={period.startDate}
            error={start ?? props.rejections.startDate}
            onChange={(startDate) => props.onPeriod({ startDate })}
          />
          <DateField
            label="End Date"
            required
            value={period.endDate}
            error={end ?? props.rejections.endDate}
            onChange={(endDate) => props.onPeriod({ endDate })}
          />
        </div>
        <div className={styles['buttons']}>
          <ActButton type="submit" intent="primary" isRunning={props.isTrying}>
            Try Out
          </ActButton>
          <ActButton
            variant="outlined"
            disabled={invalid}
            isRunning={props.isTrying}
            onClick={props.onTryAll}
          >
            Try Out All Rules
          </ActButton>
        </div>
        {props.mayChange ? (
          <div className={styles['buttons']}>
            <ActButton
              variant="outlined"
              disabled={isStored}
              isRunning={props.isSaving}
              onClick={() => run(props.onSave)}
            >
              Save Limits
            </ActButton>
            {rule?.isOn ? (
              <ActButton
                intent="danger"
                variant="outlined"
                isRunning={props.isSaving}
                onClick={() => props.onSwitch(false)}
              >
                Switch Off
              </ActButton>
            ) : (
              <ActButton
                variant="outlined"
                disabled={!isStored || !rule.isTried}
                reason={difference ?? props.untriedReason}
                isRunning={props.isSaving}
                onClick={() => props.onSwitch(true)}
              >
                Switch On
              </ActButton>
            )}
          </div>
        ) : null}
        <div className="quiet">{messages.AUTOVERIFICATION_HINT}</div>
      </Panel>
    </form>
  );
}
