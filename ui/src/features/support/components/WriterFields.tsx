import type { Control } from 'react-hook-form';

import { MaskedField, TextField } from '../../../components/fields/TextField';
import { Bound } from '../../../components/forms/Bound';
import { limits } from '../../../contract';
import { masks } from '../../../lib/mask';
import type { WriterValues } from '../form';
import styles from './support.module.css';

interface WriterFieldsProps {
  control: Control<WriterValues>;
  /** The labels. Their case differs between screens: 'Last name' and 'Last Name' (P 2). */
  labels: { lastName: string; firstName: string; email: string; phone: string };
}

/** Who writes to the lab. Names are shown in upper case. */
export function WriterFields({ control, labels }: WriterFieldsProps) {
  return (
    <div className={styles['writer']}>
      <Bound control={control} name="lastName">
        {(field) => (
          <TextField
            {...field}
            label={labels.lastName}
            required
            upper
            maxLength={limits.LAB_TEXT_MAX / 2 - 1}
          />
        )}
      </Bound>
      <Bound control={control} name="firstName">
        {(field) => (
          <TextField
            {...field}
            label={labels.firstName}
            required
            upper
            maxLength={limits.LAB_TEXT_MAX / 2 - 1}
          />
        )}
      </Bound>
      <Bound control={control} name="email">
        {(field) => (
          <TextField
            {...field}
            label={labels.email}
            required
            type="email"
            maxLength={limits.LAB_TEXT_MAX}
          />
        )}
      </Bound>
      <Bound control={control} name="phone">
        {(field) => <MaskedField {...field} label={labels.phone} mask={masks.phone} />}
      </Bound>
    </div>
  );
}
