import { HTMLSelect } from '@blueprintjs/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useRef, type Ref } from 'react';

import { ChosenList } from '../../../../components/ChosenList';
import { notifyAlreadyListed, useLatestList } from '../../../../components/forms/useLatestList';
import { messages, say } from '../../../../contract';
import { DiagnosisField } from '../../../catalog/components/DiagnosisField';
import { validityQuery, type OrderedDiagnosis, type Validity } from '../../api';
import { getDiagnosisKey, addDiagnosis, type OrderedTest } from '../../diagnoses';
import styles from './diagnoses.module.css';

/**
 * Returns which of these diagnoses have expired by the day, and the release in use (DECISIONS,
 * Ordering).
 */
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
  /** The collection date, if it is valid. */
  day: string | null;
  validity: Validity | null;
  error: string | undefined;
  disabled: boolean;
  inputRef?: Ref<HTMLInputElement> | undefined;
}

/** ICD-10-CM codes. Each supports all ordered tests, or the one that it names. */
export function Diagnoses({ value, onChange, tests, day, validity, ...props }: DiagnosesProps) {
  const chosenKeys = new Set(value.map(getDiagnosisKey));
  const list = useLatestList(value, onChange, props.disabled);
  // The tests may change while a code is being looked up.
  const latestTests = useRef(tests);
  useLayoutEffect(() => {
    latestTests.current = tests;
  });
  const setSupportedTest = (diagnosis: OrderedDiagnosis, testId: number | null) =>
    list.change((diagnoses) =>
      diagnoses.map((current) =>
        getDiagnosisKey(current) === getDiagnosisKey(diagnosis)
          ? { ...diagnosis, testId }
          : current,
      ),
    );
  return (
    <>
      {props.disabled ? null : (
        <DiagnosisField
          label="Diagnoses"
          error={props.error}
          inputRef={props.inputRef}
          day={day}
          onAdd={(newDiagnosis) => {
            const before = list.getLatest();
            const after = addDiagnosis(before, newDiagnosis, latestTests.current);
            if (after.length === before.length) notifyAlreadyListed(newDiagnosis.code);
            else list.change(() => after);
          }}
        />
      )}
      <ChosenList
        label="Diagnoses"
        items={value}
        // By position: a row that names another test is still the same row, and keeps the focus.
        getItemKey={(diagnosis) => value.indexOf(diagnosis)}
        getItemName={({ code }) => code}
        empty="None chosen"
        render={(diagnosis) => (
          <div className={styles['diagnosis']}>
            <div>
              <strong>{diagnosis.code}</strong> {diagnosis.description}
              <ExpiredNotice diagnosis={diagnosis} validity={validity} />
            </div>
            {props.disabled ? (
              <span className="quiet">{formatTestName(diagnosis.testId, tests)}</span>
            ) : (
              <HTMLSelect
                iconName="caret-down"
                minimal
                className={styles['supports'] ?? ''}
                aria-label={`Test that ${diagnosis.code} supports`}
                value={diagnosis.testId ?? ''}
                onChange={(event) => {
                  const chosenId = event.currentTarget.value;
                  setSupportedTest(diagnosis, chosenId === '' ? null : Number(chosenId));
                }}
              >
                {[null, ...tests.map(({ id }) => id)].map((testId) => (
                  <option
                    key={testId ?? 'all'}
                    value={testId ?? ''}
                    disabled={
                      testId !== diagnosis.testId &&
                      chosenKeys.has(getDiagnosisKey({ ...diagnosis, testId }))
                    }
                  >
                    {formatTestName(testId, tests)}
                  </option>
                ))}
              </HTMLSelect>
            )}
          </div>
        )}
        onRemove={
          props.disabled
            ? undefined
            : (removedDiagnosis) =>
                list.change((diagnoses) =>
                  diagnoses.filter(
                    (current) => getDiagnosisKey(current) !== getDiagnosisKey(removedDiagnosis),
                  ),
                )
        }
      />
    </>
  );
}

function formatTestName(testId: number | null, tests: readonly OrderedTest[]): string {
  if (testId === null) return 'All tests';
  const test = tests.find(({ id }) => id === testId);
  return test ? `${test.code} ${test.name}` : '';
}

/** Shows an expired code at once, before the portal rejects the save. */
function ExpiredNotice(props: { diagnosis: OrderedDiagnosis; validity: Validity | null }) {
  const { id, code } = props.diagnosis;
  if (!props.validity?.ended.some((diagnosis) => diagnosis.id === id)) return null;
  return <div className={styles['ended']}>{say(messages.DIAGNOSIS_NOT_BILLABLE, { code })}</div>;
}
