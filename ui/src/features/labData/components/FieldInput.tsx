import { Checkbox } from '@blueprintjs/core';
import type { Control } from 'react-hook-form';

import { AsyncPicker } from '../../../components/fields/AsyncPicker';
import { SelectField } from '../../../components/fields/SelectField';
import { TextAreaField, TextField } from '../../../components/fields/TextField';
import { Bound } from '../../../components/forms/Bound';
import { limits } from '../../../contract';
import { offersQuery, type DataField, type Offer } from '../api';
import type { FormValue, FormValues } from '../form';
import { ItemsField } from './ItemsField';
import styles from './labData.module.css';

interface FieldInputProps {
  control: Control<FormValues>;
  field: DataField;
  disabled: boolean;
  /** Why this field is locked, unless the whole row is. */
  hint?: string | undefined;
  /** What to know about the stored value, while the field has it. */
  note?: { value: FormValue | undefined; text: string } | undefined;
}

/** The input of a field, by the type of its values. */
export function FieldInput({ control, field, disabled, hint, note }: FieldInputProps) {
  const { name, label, required, upper, maxLength } = field;
  const isLong = maxLength > limits.LAB_DATA_TEXT_MAX;
  return (
    <Bound control={control} name={name}>
      {({ value, onChange, onBlur, inputRef, error }) => {
        const helperText = hint ?? (note?.value === value ? note.text : undefined);
        const sharedProps = { label, required, disabled, error, onBlur, helperText };
        if (typeof value === 'boolean') {
          return (
            <Checkbox
              className={styles['flag'] ?? ''}
              label={label}
              checked={value}
              disabled={disabled}
              onChange={({ currentTarget }) => onChange(currentTarget.checked)}
            />
          );
        }
        if (Array.isArray(value)) {
          return (
            <ItemsField
              field={field}
              value={value}
              disabled={disabled}
              error={error}
              onChange={onChange}
            />
          );
        }
        if (field.type === 'choice') {
          const options = field.choices.map((choice) => ({ value: choice, label: choice }));
          return (
            <SelectField
              {...sharedProps}
              value={value}
              onChange={onChange}
              inputRef={inputRef}
              options={options}
              placeholder={required ? 'Select' : (field.empty ?? 'None')}
            />
          );
        }
        if (field.lookup !== null) {
          return (
            <AsyncPicker
              {...sharedProps}
              value={value === '' ? null : { key: value, name: null }}
              inputRef={inputRef}
              query={offersQuery(field.lookup)}
              getItemKey={({ key }) => key}
              getItemText={({ key }) => key}
              renderItem={formatOffer}
              listWidth={limits.PICKER_DROPDOWN_WIDTH_PX}
              onChange={(offer) => onChange(offer?.key ?? '')}
            />
          );
        }
        const text = { ...sharedProps, value, onChange, inputRef, maxLength };
        if (isLong) return <TextAreaField {...sharedProps} value={value} onChange={onChange} />;
        return <TextField {...text} name={name} upper={upper} />;
      }}
    </Bound>
  );
}

/** 'GLU · GLUCOSE': the key, and the text for people beside it. */
export const formatOffer = ({ key, name }: Offer): string =>
  name === null ? key : `${key} · ${name}`;
