import { useWatch, type UseFormReturn } from 'react-hook-form';

import { Panel } from '../../../../components/Panel';
import { errorMessages } from '../../../../components/forms/errorMessages';
import { toasts } from '../../../../components/toasts';
import { isIsoDate } from '../../../../lib/dates';
import { messages, say } from '../../../../contract';
import { DiagnosisPicker } from '../../../catalog/components/DiagnosisPicker';
import { Medications } from '../../../catalog/components/Medications';
import { TestPicker, type ChosenTest } from '../../../catalog/components/TestPicker';
import { orderedTests, withoutTests } from '../../diagnoses';
import type { RequisitionValues } from '../../fields';
import { labels, type Gates } from '../../form';
import { Diagnoses, useValidity } from './Diagnoses';
import diagnosisStyles from './diagnoses.module.css';
import styles from './form.module.css';
import { FormField } from './FormField';

interface ClinicalSectionProps {
  form: UseFormReturn<RequisitionValues>;
  gates: Gates;
}

/** Tests, diagnoses and medications (O 2.3). */
export function ClinicalSection({ form, gates }: ClinicalSectionProps) {
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
  const ended = additional.filter(({ id }) => validity?.ended.some((one) => one.id === id));

  /** A test does not leave while a diagnosis names it (ADR 9): that one supports them all then. */
  const chooseTests = (next: ChosenTest[]) => {
    setValue('tests', next, { shouldDirty: true, shouldValidate: true });
    const left = withoutTests(getValues('diagnoses'), orderedTests(next));
    if (left.freed.length === 0) return;
    setValue('diagnoses', left.diagnoses, { shouldDirty: true });
    toasts.info(say(messages.DIAGNOSES_SUPPORT_ALL, { codes: left.freed.join(', ') }));
  };
  return (
    <>
      <div className={styles['column']}>
        <Panel title={labels.tests}>
          <FormField form={form} gates={gates} name="tests">
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
          <FormField form={form} gates={gates} name="diagnoses">
            {(field) => (
              <Diagnoses
                inputRef={field.inputRef}
                value={field.value}
                onChange={field.onChange}
                tests={orderedTests(tests)}
                day={day}
                validity={validity}
                error={joined(formState.errors.diagnoses)}
                disabled={field.disabled}
              />
            )}
          </FormField>
        </Panel>
        <Panel title={labels.additional}>
          <FormField form={form} gates={gates} name="additional">
            {(field) => (
              <DiagnosisPicker
                label={field.label}
                value={field.value}
                onChange={field.onChange}
                error={
                  joined(formState.errors.additional) ??
                  joined(
                    ended.map(({ code }) => ({
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
          <FormField form={form} gates={gates} name="medications">
            {(field) => (
              <Medications
                value={field.value}
                onChange={field.onChange}
                error={joined(formState.errors.medications)}
                disabled={field.disabled}
              />
            )}
          </FormField>
        </Panel>
      </div>
    </>
  );
}

/** All that is wrong with a list, as one line; undefined when nothing is. */
const joined = (error: unknown): string | undefined => errorMessages(error).join('. ') || undefined;
