import { Button } from '@blueprintjs/core';
import { useState } from 'react';

import { ChosenList } from '../../../../components/ChosenList';
import { notifyAlreadyListed } from '../../../../components/forms/useLatestList';
import { RadioField } from '../../../../components/fields/SelectField';
import { MaskedField, TextField } from '../../../../components/fields/TextField';
import { validateDestination } from '../../../../lib/destination';
import { applyMask, extractDigits, masks } from '../../../../lib/mask';
import { PlusIcon } from '../../../../components/icons';
import type { AdditionalCopy } from '../../api';
import styles from './form.module.css';

interface AdditionalCopiesProps {
  value: readonly AdditionalCopy[];
  onChange: (copies: AdditionalCopy[]) => void;
  error?: string | undefined;
  disabled?: boolean;
}

const kinds = [
  { value: 'EMAIL', label: 'Email' },
  { value: 'FAX', label: 'Fax' },
];
const MAX_LENGTH = 320;

/** E-mail addresses that differ only in case are the same. */
const isSameDestination = (first: string, second: string) =>
  first.toLowerCase() === second.toLowerCase();

/** Other recipients of the final results, by e-mail or fax. */
export function AdditionalCopies({ value, onChange, ...props }: AdditionalCopiesProps) {
  const [type, setType] = useState('EMAIL');
  const [typedText, setTypedText] = useState('');
  const [error, setError] = useState<string | null>(null);

  const add = () => {
    const problem = validateDestination(type, typedText);
    setError(problem);
    if (problem !== null) return;
    const destination = type === 'FAX' ? applyMask(typedText, masks.phone) : typedText.trim();
    const listedCopy = value.find((copy) => isSameDestination(copy.destination, destination));
    if (listedCopy) notifyAlreadyListed(listedCopy.destination);
    else onChange([...value, { type, destination }]);
    setTypedText('');
  };
  const field = {
    addsToList: true,
    value: typedText,
    error: error ?? props.error,
    disabled: props.disabled,
    onChange: (next: string) => {
      setTypedText(type === 'FAX' ? extractDigits(next) : next);
      setError(null);
    },
    onKeyDown: (event: React.KeyboardEvent) => {
      if (event.key !== 'Enter') return;
      event.preventDefault();
      add();
    },
  };
  return (
    <>
      {props.disabled ? null : (
        <div className={styles['copies']}>
          <RadioField
            label="Send by"
            options={kinds}
            value={type}
            onChange={(next) => {
              setType(next);
              setTypedText('');
              setError(null);
            }}
          />
          {type === 'FAX' ? (
            <MaskedField {...field} label="Fax" hideLabel mask={masks.phone} />
          ) : (
            <TextField
              {...field}
              label="Email"
              hideLabel
              maxLength={MAX_LENGTH}
              placeholder="name@facility.org"
            />
          )}
          <Button icon={<PlusIcon />} onClick={add}>
            Add
          </Button>
        </div>
      )}
      <ChosenList
        label="Additional Copies"
        items={value}
        getItemKey={({ destination }) => destination}
        getItemName={({ destination }) => destination}
        empty="None"
        render={({ type: kind, destination }) => (
          <>
            <span className="quiet">{kind === 'FAX' ? 'Fax' : 'Email'}</span> {destination}
          </>
        )}
        onRemove={
          props.disabled
            ? undefined
            : (removedCopy) => onChange(value.filter((copy) => copy !== removedCopy))
        }
      />
    </>
  );
}
