import { useWatch, type UseFormReturn } from 'react-hook-form';

import { Bound, isIsoDate, Panel } from '../../../components';
import { DiagnosisPicker } from '../../catalog/components/DiagnosisPicker';
import { Medications } from '../../catalog/components/Medications';
import { TestPicker } from '../../catalog/components/TestPicker';
import type { RequisitionValues } from '../form';
import styles from './form.module.css';

interface ClinicalSectionProps {
  form: UseFormReturn<RequisitionValues>;
  /** What a signature stands for can not be changed. */
  signedPartsDisabled: boolean;
  disabled: boolean;
}

/** Tests, diagnoses and medications (O 2.3). */
export function ClinicalSection({ form, signedPartsDisabled, disabled }: ClinicalSectionProps) {
  const { control } = form;
  const patient = useWatch({ control, name: 'patient' });
  const collectionDate = useWatch({ control, name: 'collectionDate' });
  const day = isIsoDate(collectionDate) ? collectionDate : null;
  return (
    <>
      <div className={styles['column']}>
        <Panel title="Tests">
          <Bound control={control} name="tests">
            {(field) => (
              <TestPicker
                value={field.value}
                onChange={field.onChange}
                error={field.error}
                clientId={patient?.client?.id ?? null}
                disabled={signedPartsDisabled}
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
                error={field.error}
                date={day}
                disabled={disabled}
              />
            )}
          </Bound>
        </Panel>
      </div>
      <div className={styles['column']}>
        <Panel title="Diagnoses">
          <Bound control={control} name="diagnoses">
            {(field) => (
              <DiagnosisPicker
                label="Diagnoses"
                value={field.value}
                onChange={(next) =>
                  field.onChange(
                    next.map((one) => ({
                      ...one,
                      testId: field.value.find(({ id }) => id === one.id)?.testId ?? null,
                    })),
                  )
                }
                error={field.error}
                date={day}
                disabled={signedPartsDisabled}
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
                disabled={signedPartsDisabled}
              />
            )}
          </Bound>
        </Panel>
      </div>
    </>
  );
}
