import { useQuery } from '@tanstack/react-query';
import type { KeyboardEvent } from 'react';

import { AsyncPicker } from '../../../components/fields/AsyncPicker';
import { SelectField } from '../../../components/fields/SelectField';
import { TextField } from '../../../components/fields/TextField';
import { choices } from '../../../contract';
import { billTypesQuery, payersQuery } from '../api';
import { changeBillType, type Entry } from '../rules';
import styles from './billing.module.css';

export const entryLabels: Readonly<Record<keyof Entry, string>> = {
  billType: 'Bill Type',
  payer: 'Payer',
  insuranceId: 'Insurance Id',
  groupNumber: 'Group Number',
  relationship: 'Relationship',
};

export const relationships = choices.RELATIONSHIPS.map((value) => ({ value, label: value }));

/** The maximum length of an insurance id or a group number in the database. */
const NUMBER_MAX = 50;

interface InsuranceEntryProps {
  entry: Entry;
  onChange: (entry: Entry) => void;
  errors: (name: keyof Entry) => string | undefined;
  /** Called by Enter in a text field. */
  onEnter: () => void;
  /** Whether the relationship is asked elsewhere. */
  withoutRelationship?: boolean;
}

/** The fields of a new or the selected insurance. The payers depend on the bill type (O 4). */
export function InsuranceEntry({
  entry,
  onChange,
  errors,
  onEnter,
  withoutRelationship = false,
}: InsuranceEntryProps) {
  const billTypes = useQuery(billTypesQuery);
  const activeBillTypes = billTypes.data ?? [];
  const { billType } = entry;
  // A bill type that the lab no longer offers still appears in rows that have it.
  const offeredBillTypes =
    billType === null || activeBillTypes.some(({ id }) => id === billType.id)
      ? activeBillTypes
      : [billType, ...activeBillTypes];
  const handleEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    onEnter();
  };

  return (
    <div className={styles['entry']}>
      <SelectField
        label={entryLabels.billType}
        error={errors('billType')}
        placeholder=""
        value={billType === null ? '' : String(billType.id)}
        options={offeredBillTypes.map(({ id, name }) => ({ value: String(id), label: name }))}
        onChange={(value) =>
          onChange(
            changeBillType(entry, offeredBillTypes.find(({ id }) => String(id) === value) ?? null),
          )
        }
      />
      <AsyncPicker
        label={entryLabels.payer}
        error={errors('payer')}
        className={styles['payer']}
        disabled={billType === null}
        value={entry.payer}
        placeholder={billType === null ? 'Choose the bill type first' : undefined}
        query={(search) => payersQuery(search, billType?.id ?? null)}
        itemKey={(payer) => payer.id}
        itemText={(payer) => payer.name}
        onChange={(payer) =>
          onChange({ ...entry, payer: payer && { id: payer.id, name: payer.name } })
        }
      />
      <TextField
        label={entryLabels.insuranceId}
        error={errors('insuranceId')}
        className={styles['half']}
        upper
        maxLength={NUMBER_MAX}
        value={entry.insuranceId}
        onChange={(insuranceId) => onChange({ ...entry, insuranceId })}
        onKeyDown={handleEnter}
      />
      <TextField
        label={entryLabels.groupNumber}
        className={styles['half']}
        upper
        maxLength={NUMBER_MAX}
        value={entry.groupNumber}
        onChange={(groupNumber) => onChange({ ...entry, groupNumber })}
        onKeyDown={handleEnter}
      />
      {withoutRelationship ? null : (
        <SelectField
          label={entryLabels.relationship}
          placeholder=""
          value={entry.relationship}
          options={relationships}
          onChange={(relationship) => onChange({ ...entry, relationship })}
        />
      )}
    </div>
  );
}
