import { HTMLSelect } from '@blueprintjs/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';

import type { Ref } from 'react';

import { describe } from '../../../api';
import { AsyncPicker, ChosenList, toasts } from '../../../components';
import { messages, say } from '../../../contract';
import { bestDiagnosis, searchDiagnoses, type DiagnosisRow } from '../../catalog/api';
import type { OrderedDiagnosis } from '../api';
import { keyOf, loadValidity, withDiagnosis, type OrderedTest, type Validity } from '../diagnoses';
import styles from './diagnoses.module.css';

/** Which of these codes have ended on the day, and the release in use (DECISIONS, Ordering). */
export function useValidity(day: string | null, ids: readonly number[]): Validity | null {
  const validity = useQuery({
    queryKey: ['diagnosis-validity', day, [...ids].sort((a, b) => a - b)],
    queryFn: ({ signal }) => loadValidity(day, ids, signal),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    meta: { quiet: true },
  });
  return validity.data ?? null;
}

interface DiagnosesProps {
  value: readonly OrderedDiagnosis[];
  onChange: (diagnoses: OrderedDiagnosis[]) => void;
  tests: readonly OrderedTest[];
  /** The collection date, where it is one. */
  day: string | null;
  validity: Validity | null;
  error: string | undefined;
  disabled: boolean;
  inputRef?: Ref<HTMLInputElement> | undefined;
}

/** ICD-10-CM codes; each supports all ordered tests, or the one that it names. */
export function Diagnoses({ value, onChange, tests, day, validity, ...props }: DiagnosesProps) {
  const taken = new Set(value.map(keyOf));
  const support = (diagnosis: OrderedDiagnosis, testId: number | null) =>
    onChange(
      value.map((one) => (keyOf(one) === keyOf(diagnosis) ? { ...diagnosis, testId } : one)),
    );
  /** Enter behind a code takes it: what is meant by that code, or the only match. */
  const addByCode = async (text: string): Promise<boolean> => {
    try {
      const found = await bestDiagnosis(text, day);
      if (found) onChange(withDiagnosis(value, found, tests));
      return found !== null;
    } catch (failure) {
      toasts.error(describe(failure));
      return false;
    }
  };
  return (
    <>
      {props.disabled ? null : (
        <AsyncPicker<DiagnosisRow>
          label="Diagnoses"
          hideLabel
          adds
          error={props.error}
          value={null}
          placeholder="Code or description"
          queryKey={['diagnoses', day]}
          load={(search, signal) => searchDiagnoses(search, day, signal)}
          itemKey={(diagnosis) => diagnosis.id}
          itemText={(diagnosis) => diagnosis.code}
          renderItem={(diagnosis) => (
            <>
              <strong className="number">{diagnosis.code}</strong> {diagnosis.description}
            </>
          )}
          inputRef={props.inputRef}
          onChange={(diagnosis) => {
            if (diagnosis) onChange(withDiagnosis(value, diagnosis, tests));
          }}
          onEnterText={addByCode}
        />
      )}
      <ChosenList
        label="Diagnoses"
        items={value}
        // By place: a row that names another test is still that row, and keeps the focus.
        itemKey={(diagnosis) => value.indexOf(diagnosis)}
        itemName={({ code }) => code}
        empty="None chosen"
        render={(diagnosis) => (
          <div className={styles['diagnosis']}>
            <div>
              <strong className="number">{diagnosis.code}</strong> {diagnosis.description}
              <Ended diagnosis={diagnosis} validity={validity} />
            </div>
            {props.disabled ? (
              <span className="quiet">{nameOf(diagnosis.testId, tests)}</span>
            ) : (
              <HTMLSelect
                minimal
                className={styles['supports'] ?? ''}
                aria-label={`Test that ${diagnosis.code} supports`}
                value={diagnosis.testId ?? ''}
                onChange={(event) => {
                  const chosen = event.currentTarget.value;
                  support(diagnosis, chosen === '' ? null : Number(chosen));
                }}
              >
                {[null, ...tests.map(({ id }) => id)].map((testId) => (
                  <option
                    key={testId ?? 'all'}
                    value={testId ?? ''}
                    disabled={
                      testId !== diagnosis.testId && taken.has(keyOf({ ...diagnosis, testId }))
                    }
                  >
                    {nameOf(testId, tests)}
                  </option>
                ))}
              </HTMLSelect>
            )}
          </div>
        )}
        onRemove={
          props.disabled
            ? undefined
            : (removed) => onChange(value.filter((one) => keyOf(one) !== keyOf(removed)))
        }
      />
    </>
  );
}

function nameOf(testId: number | null, tests: readonly OrderedTest[]): string {
  if (testId === null) return 'All tests';
  const test = tests.find(({ id }) => id === testId);
  return test ? `${test.code} ${test.name}` : '';
}

/** Said at once, and not only when the portal refuses to save it. */
function Ended(props: { diagnosis: OrderedDiagnosis; validity: Validity | null }) {
  const { id, code } = props.diagnosis;
  if (!props.validity?.ended.some((ended) => ended.id === id)) return null;
  return <div className={styles['ended']}>{say(messages.DIAGNOSIS_NOT_BILLABLE, { code })}</div>;
}
