import { useWatch, type UseFormReturn } from 'react-hook-form';

import { Panel } from '../../../../components/Panel';
import { Bound } from '../../../../components/forms/Bound';
import { errorMessages } from '../../../../components/forms/errorMessages';
import { toasts } from '../../../../components/toasts';
import { isIsoDate } from '../../../../lib/dates';
import { messages, say } from '../../../../contract';
import { DiagnosisPicker } from '../../../catalog/components/DiagnosisPicker';
import { Medications } from '../../../catalog/components/Medications';
import { TestPicker, type ChosenTest } from '../../../catalog/components/TestPicker';
import { orderedTests, withoutTests } from '../../diagnoses';
import type { RequisitionValues } from '../../form';
import { Diagnoses, useValidity } from './Diagnoses';
import diagnosisStyles from './diagnoses.module.css';
import styles from './form.module.css';

interface ClinicalSectionProps {
  form: UseFormReturn<RequisitionValues>;
  /** Also where a signature stands for it. */
  disabled: boolean;
}

/** Tests, diagnoses and medications (O 2.3). */
export function ClinicalSection({ form, disabled }: ClinicalSectionProps) {
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
        <Panel title="Tests">
          <Bound control={control} name="tests">
            {(field) => (
              <TestPicker
                value={field.value}
                onChange={chooseTests}
                inputRef={field.inputRef}
                error={field.error}
                clientId={patient?.client?.id ?? null}
                physicianId={physician?.id ?? null}
                readOnly={disabled}
                onDone={() => form.setFocus('diagnoses')}
              />
            )}
          </Bound>
        </Panel>
      </div>
      <div className={styles['column']}>
        <Panel
          title="Diagnoses"
          aside={
            validity?.release ? (
              <span className={`quiet ${diagnosisStyles['release'] ?? ''}`}>
                ICD-10-CM {validity.release}
              </span>
            ) : null
          }
        >
          <Bound control={control} name="diagnoses">
            {(field) => (
              <Diagnoses
                inputRef={field.inputRef}
                value={field.value}
                onChange={field.onChange}
                tests={orderedTests(tests)}
                day={day}
                validity={validity}
                error={joined(formState.errors.diagnoses)}
                disabled={disabled}
              />
            )}
          </Bound>
        </Panel>
        <Panel title="Additional Test Dx Codes">
          <Bound control={control} name="additional">
            {(field) => (
              <DiagnosisPicker
                label="Additional Test Dx Codes"
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
                disabled={disabled}
              />
            )}
          </Bound>
        </Panel>
        <Panel title="Medications">
          <Bound control={control} name="medications">
            {(field) => (
              <Medications
                value={field.value}
                onChange={field.onChange}
                error={joined(formState.errors.medications)}
                disabled={disabled}
              />
            )}
          </Bound>
        </Panel>
      </div>
    </>
  );
}

/** All that is wrong with a list, as one line; undefined when nothing is. */
const joined = (error: unknown): string | undefined => errorMessages(error).join('. ') || undefined;
