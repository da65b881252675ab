import { useQuery } from '@tanstack/react-query';
import type { KeyboardEvent } from 'react';

import { AsyncPicker } from '../../../components/fields/AsyncPicker';
import { SelectField } from '../../../components/fields/SelectField';
import { TextField } from '../../../components/fields/TextField';
import { choices } from '../../../contract';
import { billTypesQuery, payersQuery } from '../api';
import { changeBillType, type InsuranceLine } from '../rules';
import styles from './billing.module.css';

export const fieldLabels: Readonly<Record<keyof InsuranceLine, string>> = {
  billType: 'Bill Type',
  payer: 'Payer',
  insuranceId: 'Insurance Id',
  groupNumber: 'Group Number',
  relationship: 'Relationship',
};

export const relationships = choices.RELATIONSHIPS.map((value) => ({ value, label: value }));

/** The maximum length of an insurance id or a group number in the database. */
const NUMBER_MAX = 50;

interface InsuranceFieldsProps {
  line: InsuranceLine;
  /**
   * Applies a change to the latest line: a request finds the payer, and other fields may have changed
   * by then.
   */
  onChange: (change: (line: InsuranceLine) => InsuranceLine) => void;
  getError: (name: keyof InsuranceLine) => string | undefined;
  /** Called by Enter in a text field. */
  onEnter: () => void;
  /** Whether the relationship is entered elsewhere. */
  hidesRelationship?: boolean;
}

/** The fields of a new or the selected insurance. The payers depend on the bill type (O 4). */
export function InsuranceFields({
  line,
  onChange,
  getError,
  onEnter,
  hidesRelationship = false,
}: InsuranceFieldsProps) {
  const billTypes = useQuery(billTypesQuery);
  const activeBillTypes = billTypes.data ?? [];
  const { billType } = line;
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
    <div className={styles['line']} data-without-relationship={hidesRelationship}>
      <SelectField
        label={fieldLabels.billType}
        required
        error={getError('billType')}
        placeholder=""
        value={billType === null ? '' : String(billType.id)}
        options={offeredBillTypes.map(({ id, name }) => ({ value: String(id), label: name }))}
        onChange={(value) =>
          onChange((current) =>
            changeBillType(
              current,
              offeredBillTypes.find(({ id }) => String(id) === value) ?? null,
            ),
          )
        }
      />
      <AsyncPicker
        label={fieldLabels.payer}
        required
        error={getError('payer')}
        className={styles['payer']}
        disabled={billType === null}
        value={line.payer}
        placeholder={billType === null ? 'Choose the bill type first' : undefined}
        query={(search) => payersQuery(search, billType?.id ?? null)}
        getItemKey={(payer) => payer.id}
        getItemText={(payer) => payer.name}
        onChange={(payer) =>
          onChange((current) =>
            current.billType?.id === billType?.id
              ? { ...current, payer: payer && { id: payer.id, name: payer.name } }
              : current,
          )
        }
      />
      <TextField
        label={fieldLabels.insuranceId}
        required
        error={getError('insuranceId')}
        className={styles['half']}
        upper
        maxLength={NUMBER_MAX}
        value={line.insuranceId}
        onChange={(insuranceId) => onChange((current) => ({ ...current, insuranceId }))}
        onKeyDown={handleEnter}
      />
      <TextField
        label={fieldLabels.groupNumber}
        className={styles['half']}
        upper
        maxLength={NUMBER_MAX}
        value={line.groupNumber}
        onChange={(groupNumber) => onChange((current) => ({ ...current, groupNumber }))}
        onKeyDown={handleEnter}
      />
      {hidesRelationship ? null : (
        <SelectField
          label={fieldLabels.relationship}
          placeholder=""
          value={line.relationship}
          options={relationships}
          onChange={(relationship) => onChange((current) => ({ ...current, relationship }))}
        />
      )}
    </div>
  );
}
