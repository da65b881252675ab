import { useWatch, type UseFormReturn } from 'react-hook-form';

import { Panel } from '../../../../components/Panel';
import { collectErrorMessages } from '../../../../components/forms/errorMessages';
import { toasts } from '../../../../components/toasts';
import { isIsoDate } from '../../../../lib/dates';
import { messages, say } from '../../../../contract';
import { DiagnosisPicker } from '../../../catalog/components/DiagnosisPicker';
import { Medications } from '../../../catalog/components/Medications';
import { TestPicker, type ChosenTest } from '../../../catalog/components/TestPicker';
import { listOrderedTests, detachRemovedTests } from '../../diagnoses';
import type { RequisitionValues } from '../../fields';
import { labels, type Locks } from '../../form';
import { Diagnoses, useValidity } from './Diagnoses';
import diagnosisStyles from './diagnoses.module.css';
import styles from './form.module.css';
import { FormField } from './FormField';

interface ClinicalSectionProps {
  form: UseFormReturn<RequisitionValues>;
  locks: Locks;
}

/** Tests, diagnoses and medications (O 2.3). */
export function ClinicalSection({ form, locks }: ClinicalSectionProps) {
  const { control, formState, getValues, setValue } = form;
  const patient = useWatch({ control, name: 'patient' });
  const physician = useWatch({ control, name: 'physician' });
  const collectionDate = useWatch({ control, name: 'collectionDate' });
  const tests = useWatch({ control, name: 'tests' });
  const diagnoses = useWatch({ control, name: 'diagnoses' });
  const additional = useWatch({ control, name: 'additional' });
  const day = isIsoDate(collectionDate) ? collectionDate : null;
  const validity = useValidity(
    day,
    [...diagnoses, ...additional].map(({ id }) => id),
  );
  const expiredDiagnoses = additional.filter(({ id }) =>
    validity?.ended.some((diagnosis) => diagnosis.id === id),
  );

  /** A diagnosis that names a removed test supports all tests from then on (ADR 9). */
  const chooseTests = (next: ChosenTest[]) => {
    setValue('tests', next, { shouldDirty: true, shouldValidate: true });
    const result = detachRemovedTests(getValues('diagnoses'), listOrderedTests(next));
    if (result.detachedCodes.length === 0) return;
    setValue('diagnoses', result.diagnoses, { shouldDirty: true });
    toasts.info(say(messages.DIAGNOSES_SUPPORT_ALL, { codes: result.detachedCodes.join(', ') }));
  };
  return (
    <>
      <div className={styles['column']}>
        <Panel title={labels.tests}>
          <FormField form={form} locks={locks} name="tests">
            {(field) => (
              <TestPicker
                value={field.value}
                onChange={chooseTests}
                inputRef={field.inputRef}
                error={field.error}
                clientId={patient?.client?.id ?? null}
                physicianId={physician?.id ?? null}
                readOnly={field.disabled}
                onDone={() => form.setFocus('diagnoses')}
              />
            )}
          </FormField>
        </Panel>
      </div>
      <div className={styles['column']}>
        <Panel
          title={labels.diagnoses}
          aside={
            validity?.release ? (
              <span className={`quiet ${diagnosisStyles['release'] ?? ''}`}>
                ICD-10-CM {validity.release}
              </span>
            ) : null
          }
        >
          <FormField form={form} locks={locks} name="diagnoses">
            {(field) => (
              <Diagnoses
                inputRef={field.inputRef}
                value={field.value}
                onChange={field.onChange}
                tests={listOrderedTests(tests)}
                day={day}
                validity={validity}
                error={joinMessages(formState.errors.diagnoses)}
                disabled={field.disabled}
              />
            )}
          </FormField>
        </Panel>
        <Panel title={labels.additional}>
          <FormField form={form} locks={locks} name="additional">
            {(field) => (
              <DiagnosisPicker
                label={field.label}
                value={field.value}
                onChange={field.onChange}
                error={
                  joinMessages(formState.errors.additional) ??
                  joinMessages(
                    expiredDiagnoses.map(({ code }) => ({
                      message: say(messages.DIAGNOSIS_NOT_BILLABLE, { code }),
                    })),
                  )
                }
                date={day}
                disabled={field.disabled}
              />
            )}
          </FormField>
        </Panel>
        <Panel title={labels.medications}>
          <FormField form={form} locks={locks} name="medications">
            {(field) => (
              <Medications
                value={field.value}
                onChange={field.onChange}
                error={joinMessages(formState.errors.medications)}
                disabled={field.disabled}
              />
            )}
          </FormField>
        </Panel>
      </div>
    </>
  );
}

/** Joins all messages about a list; undefined without any. */
const joinMessages = (error: unknown): string | undefined =>
  collectErrorMessages(error).join('. ') || undefined;
