import type { Control } from 'react-hook-form';

import { DateTimeField } from '../../../components/fields/DateTimeField';
import { SelectField } from '../../../components/fields/SelectField';
import { Bound } from '../../../components/forms/Bound';
import type { MicrobiologyLists } from './api';
import { buildFields, type CultureValues } from './cultureForm';
import styles from './microbiology.module.css';
import { toOptions } from './options';

interface SpecimenFieldsProps {
  control: Control<CultureValues>;
  values: CultureValues;
  lists: MicrobiologyLists;
  /** The possible results of a test without organisms. */
  choices: readonly string[];
  isLocked: boolean;
  findError: (field: string) => string | undefined;
  onChange: <Name extends keyof CultureValues>(name: Name, value: CultureValues[Name]) => void;
}

/** Where a specimen comes from and when it was collected; the result of a test with choices. */
export function SpecimenFields(props: SpecimenFieldsProps) {
  const { control, values, lists, choices, isLocked, findError, onChange } = props;
  const fields = buildFields(lists);
  return (
    <div className={styles['fields']}>
      {choices.length > 0 ? (
        <SelectField
          label={fields.result.label}
          value={values.result}
          placeholder="Not entered"
          options={choices.map((choice) => ({ value: choice, label: choice }))}
          disabled={isLocked}
          onChange={(value) => onChange('result', value)}
        />
      ) : null}
      <SelectField
        label={fields.source.label}
        value={values.source}
        placeholder="Not given"
        options={toOptions(lists.sources)}
        disabled={isLocked}
        onChange={(value) => onChange('source', value)}
      />
      <SelectField
        label={fields.site.label}
        value={values.site}
        placeholder="Not given"
        options={toOptions(lists.sites)}
        disabled={isLocked}
        onChange={(value) => onChange('site', value)}
      />
      <Bound control={control} name="collected">
        {({ error, ...field }) => (
          <DateTimeField
            {...field}
            label={fields.collected.label}
            timeLabel="Collection Time"
            error={error ?? findError('collected')}
            disabled={isLocked}
          />
        )}
      </Bound>
    </div>
  );
}
