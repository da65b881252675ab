import { Button } from '@blueprintjs/core';
import { useState } from 'react';

import { ChosenList, TextField } from '../../../components';
import { PlusIcon } from '../../../components/icons';
import styles from './form.module.css';

interface MedicationsProps {
  value: readonly string[];
  onChange: (medications: string[]) => void;
  disabled: boolean;
}

const MAX_LENGTH = 200;

/** Medications as free text, one line each. */
export function Medications({ value, onChange, disabled }: MedicationsProps) {
  const [name, setName] = useState('');
  const add = () => {
    const trimmed = name.trim();
    if (trimmed !== '' && !value.includes(trimmed)) onChange([...value, trimmed]);
    setName('');
  };
  return (
    <>
      <div className={styles['medication']}>
        <TextField
          label="Medication"
          hideLabel
          upper
          value={name}
          onChange={setName}
          disabled={disabled}
          maxLength={MAX_LENGTH}
          placeholder="Name and dose"
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            add();
          }}
        />
        <Button icon={<PlusIcon />} aria-label="Add medication" disabled={disabled} onClick={add} />
      </div>
      <ChosenList
        label="Medications"
        items={value}
        itemKey={(item) => item}
        itemName={(item) => item}
        empty="None entered"
        render={(item) => item}
        onRemove={
          disabled ? undefined : (removed) => onChange(value.filter((item) => item !== removed))
        }
      />
    </>
  );
}
