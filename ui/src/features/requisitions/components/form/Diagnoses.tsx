import { HTMLSelect } from '@blueprintjs/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useRef, type Ref } from 'react';

import { ChosenList } from '../../../../components/ChosenList';
import { useLatestList } from '../../../../components/forms/useLatestList';
import { messages, say } from '../../../../contract';
import { DiagnosisEntry } from '../../../catalog/components/DiagnosisEntry';
import { validityQuery, type OrderedDiagnosis, type Validity } from '../../api';
import { keyOf, withDiagnosis, type OrderedTest } from '../../diagnoses';
import styles from './diagnoses.module.css';

/** Which of these codes have ended on the day, and the release in use (DECISIONS, Ordering). */
export function useValidity(day: string | null, ids: readonly number[]): Validity | null {
  const validity = useQuery({
    ...validityQuery(day, ids),
    placeholderData: keepPreviousData,
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
  const chosenKeys = new Set(value.map(keyOf));
  const list = useLatestList(value, onChange, props.disabled);
  // A test may go while a code is looked up.
  const ordered = useRef(tests);
  useLayoutEffect(() => {
    ordered.current = tests;
  });
  const support = (diagnosis: OrderedDiagnosis, testId: number | null) =>
    list.change((now) =>
      now.map((one) => (keyOf(one) === keyOf(diagnosis) ? { ...diagnosis, testId } : one)),
    );
  return (
    <>
      {props.disabled ? null : (
        <DiagnosisEntry
          label="Diagnoses"
          error={props.error}
          inputRef={props.inputRef}
          day={day}
          onAdd={(added) => list.change((now) => withDiagnosis(now, added, ordered.current))}
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
                      testId !== diagnosis.testId && chosenKeys.has(keyOf({ ...diagnosis, testId }))
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
            : (removed) => list.change((now) => now.filter((one) => keyOf(one) !== keyOf(removed)))
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
