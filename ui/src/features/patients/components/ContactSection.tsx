import type { UseFormReturn } from 'react-hook-form';

import { Panel } from '../../../components/Panel';
import { MaskedField, TextField } from '../../../components/fields/TextField';
import { Bound } from '../../../components/forms/Bound';
import { masks } from '../../../lib/mask';
import { labels, type PatientValues } from '../fields';
import { lengths } from '../form';
import styles from './patientForm.module.css';

/** The patient's phone numbers and e-mail address. */
export function ContactSection({ form: { control } }: { form: UseFormReturn<PatientValues> }) {
  return (
    <Panel title="Contact">
      <div className={styles['row']}>
        <Bound control={control} name="phone">
          {(field) => (
            <MaskedField
              {...field}
              label={labels.phone}
              className={styles['w3']}
              mask={masks.phone}
            />
          )}
        </Bound>
        <Bound control={control} name="mobile">
          {(field) => (
            <MaskedField
              {...field}
              label={labels.mobile}
              className={styles['w3']}
              mask={masks.phone}
            />
          )}
        </Bound>
        <Bound control={control} name="email">
          {(field) => (
            <TextField
              {...field}
              label={labels.email}
              className={`${styles['w6']} ${styles['wide']}`}
              type="email"
              inputMode="email"
              maxLength={lengths.email}
            />
          )}
        </Bound>
      </div>
    </Panel>
  );
}
