import type { UseFormReturn } from 'react-hook-form';

import { Panel } from '../../../components/Panel';
import { DateField } from '../../../components/fields/DateField';
import { SelectField, type Option } from '../../../components/fields/SelectField';
import { MaskedField, TextField } from '../../../components/fields/TextField';
import { Bound } from '../../../components/forms/Bound';
import { getToday } from '../../../lib/dates';
import { masks } from '../../../lib/mask';
import { choices, Ethnicity, EthnicityLabels, limits } from '../../../contract';
import { labels, type PatientValues } from '../fields';
import { genders, lengths } from '../form';
import styles from './patientForm.module.css';

const toOptions = (list: readonly { id: string; name: string }[]): Option[] =>
  list.map(({ id, name }) => ({ value: id, label: name }));

const details = [
  { name: 'race', options: choices.RACES.map((value) => ({ value, label: value })) },
  {
    name: 'ethnicity',
    options: Object.values(Ethnicity).map((value) => ({
      value: String(value),
      label: EthnicityLabels[value] ?? '',
    })),
  },
  { name: 'genderIdentityId', options: toOptions(choices.GENDER_IDENTITIES) },
  { name: 'sexualOrientationId', options: toOptions(choices.SEXUAL_ORIENTATIONS) },
] as const;

const names = [
  { name: 'lastName', required: true },
  { name: 'firstName', required: true },
  { name: 'middleName', required: false },
] as const;

/** The patient's personal data (O 2.1). */
export function PersonSection({ form: { control } }: { form: UseFormReturn<PatientValues> }) {
  return (
    <Panel title="Patient Information">
      <div className={styles['row']}>
        {names.map(({ name, required }) => (
          <Bound key={name} control={control} name={name}>
            {(field) => (
              <TextField
                {...field}
                label={labels[name]}
                className={styles['w4']}
                required={required}
                upper
                maxLength={lengths.name}
              />
            )}
          </Bound>
        ))}
        <Bound control={control} name="birthDate">
          {(field) => (
            <DateField
              {...field}
              label={labels.birthDate}
              className={styles['w4']}
              required
              min={limits.EARLIEST_BIRTH_DATE}
              max={getToday()}
            />
          )}
        </Bound>
        <Bound control={control} name="gender">
          {(field) => (
            <SelectField
              {...field}
              label={labels.gender}
              className={styles['w4']}
              required
              placeholder=""
              options={genders}
            />
          )}
        </Bound>
        <Bound control={control} name="socialSecurityNumber">
          {(field) => (
            <MaskedField
              {...field}
              label={labels.socialSecurityNumber}
              className={styles['w4']}
              mask={masks.ssn}
            />
          )}
        </Bound>
        {details.map(({ name, options }) => (
          <Bound key={name} control={control} name={name}>
            {(field) => (
              <SelectField
                {...field}
                label={labels[name]}
                className={styles['w3']}
                placeholder=""
                options={options}
              />
            )}
          </Bound>
        ))}
      </div>
    </Panel>
  );
}
