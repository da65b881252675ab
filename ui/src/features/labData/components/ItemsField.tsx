import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { AsyncPicker } from '../../../components/fields/AsyncPicker';
import { SelectField } from '../../../components/fields/SelectField';
import { useAddingSelect } from '../../../components/fields/useAddingSelect';
import { TextField } from '../../../components/fields/TextField';
import { ChosenList } from '../../../components/ChosenList';
import { limits } from '../../../contract';
import { namesQuery, offersQuery, type DataField } from '../api';
import { formatOffer } from './FieldInput';
import styles from './labData.module.css';

interface ItemsFieldProps {
  field: DataField;
  value: string[];
  onChange: (value: string[]) => void;
  disabled: boolean;
  error: string | undefined;
}

/** A list of texts, in their order: chosen from records or from fixed choices, or typed. */
export function ItemsField({ field, value, onChange, disabled, error }: ItemsFieldProps) {
  const names = useQuery({
    ...namesQuery(field.lookup ?? '', value),
    enabled: field.lookup !== null && value.length > 0,
  }).data;
  const add = (item: string) => {
    if (item !== '' && !value.includes(item)) onChange([...value, item]);
  };
  return (
    <div className={styles['items']}>
      {disabled ? null : <ItemAdder field={field} error={error} onAdd={add} />}
      {disabled ? <span className="quiet">{field.label}</span> : null}
      <ChosenList
        label={field.label}
        items={value}
        getItemKey={(item) => item}
        getItemName={(item) => item}
        render={(item) => formatOffer({ key: item, name: names?.get(item) ?? null })}
        onRemove={
          disabled ? undefined : (item) => onChange(value.filter((other) => other !== item))
        }
        empty="None"
      />
    </div>
  );
}

interface ItemAdderProps {
  field: DataField;
  error: string | undefined;
  onAdd: (item: string) => void;
}

function ItemAdder({ field, error, onAdd }: ItemAdderProps) {
  const [text, setText] = useState('');
  const adding = useAddingSelect(onAdd);
  const { label, lookup, choices } = field;
  if (lookup !== null) {
    return (
      <AsyncPicker
        label={label}
        error={error}
        value={null}
        addsToList
        query={offersQuery(lookup)}
        getItemKey={({ key }) => key}
        getItemText={({ key }) => key}
        renderItem={formatOffer}
        listWidth={limits.PICKER_DROPDOWN_WIDTH_PX}
        placeholder="Add"
        onChange={(offer) => {
          if (offer !== null) onAdd(offer.key);
        }}
      />
    );
  }
  if (choices.length > 0) {
    return (
      <SelectField
        label={label}
        error={error}
        {...adding}
        placeholder="Add"
        options={choices.map((choice) => ({ value: choice, label: choice }))}
      />
    );
  }
  const addTyped = () => {
    onAdd(text.trim());
    setText('');
  };
  return (
    <TextField
      label={label}
      error={error}
      value={text}
      addsToList
      upper={field.upper}
      maxLength={field.maxLength}
      placeholder="Type and press Enter"
      onChange={setText}
      onBlur={addTyped}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || text.trim() === '') return;
        event.preventDefault();
        addTyped();
      }}
    />
  );
}
