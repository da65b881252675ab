import { Button } from '@blueprintjs/core';

import { AsyncPicker } from '../../../components/fields/AsyncPicker';
import { DateField } from '../../../components/fields/DateField';
import { SelectField } from '../../../components/fields/SelectField';
import { TextField } from '../../../components/fields/TextField';
import { ToggleChip } from '../../../components/filters/FilterChip';
import { CrossIcon } from '../../../components/icons';
import { limits } from '../../../contract';
import { clientsQuery } from '../../clients/api';
import { formatPhysician, physiciansQuery } from '../../physicians/api';
import { testChoicesQuery } from '../api';
import { getShape, type NamedRecord, type RuleNode, type SearchColumn } from '../conditions';
import styles from './orderSearch.module.css';

interface EditorProps {
  rule: RuleNode;
  column: SearchColumn;
  error: string | undefined;
  onChange: (value: unknown) => void;
}

const YES_OR_NO = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];

/** The value of a condition, in a field that fits its column and operator. */
export function ValueEditor(props: EditorProps) {
  const { rule, column, error, onChange } = props;
  const shape = getShape(rule.operator);
  const label = `Value of ${column.label}`;
  if (shape === 'none') return null;
  if (shape === 'list') {
    return column.kind === 'reference' ? (
      <ReferenceEditor {...props} />
    ) : (
      <ChoiceEditor {...props} />
    );
  }
  if (shape === 'pair') return <PairEditor {...props} />;
  if (shape === 'days') {
    return (
      <div className={styles['days']}>
        <TextField
          label={`${label} in days`}
          hideLabel
          inputMode="numeric"
          value={toText(rule.value)}
          maxLength={4}
          error={error}
          onChange={onChange}
        />
        <span>days</span>
      </div>
    );
  }
  if (column.kind === 'boolean') {
    return (
      <SelectField
        label={label}
        hideLabel
        value={String(rule.value)}
        options={YES_OR_NO}
        error={error}
        onChange={(value) => onChange(value === 'true')}
      />
    );
  }
  return (
    <SingleField
      label={label}
      column={column}
      value={rule.value}
      error={error}
      onChange={onChange}
    />
  );
}

const toText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

interface SingleFieldProps {
  label: string;
  column: SearchColumn;
  value: unknown;
  error: string | undefined;
  onChange: (value: string) => void;
}

function SingleField({ column, value, ...props }: SingleFieldProps) {
  if (column.kind === 'date' || column.kind === 'moment') {
    return <DateField {...props} hideLabel value={toText(value)} />;
  }
  return (
    <TextField
      {...props}
      hideLabel
      inputMode="text"
      maxLength={limits.SEARCH_TEXT_MAX}
      value={toText(value)}
    />
  );
}

function PairEditor({ rule, column, error, onChange }: EditorProps) {
  const [first, last] = Array.isArray(rule.value) ? (rule.value as unknown[]) : [];
  return (
    <div className={styles['pair']}>
      <SingleField
        label={`First value of ${column.label}`}
        column={column}
        value={first}
        error={error}
        onChange={(value) => onChange([value, last])}
      />
      <span>and</span>
      <SingleField
        label={`Last value of ${column.label}`}
        column={column}
        value={last}
        error={undefined}
        onChange={(value) => onChange([first, value])}
      />
    </div>
  );
}

function ChoiceEditor({ rule, column, error, onChange }: EditorProps) {
  const chosenValues = Array.isArray(rule.value) ? (rule.value as string[]) : [];
  return (
    <div>
      <div role="group" aria-label={`Values of ${column.label}`} className={styles['choices']}>
        {column.choices.map(({ value, label }) => (
          <ToggleChip
            key={value}
            label={label}
            checked={chosenValues.includes(value)}
            onChange={(checked) =>
              onChange(
                checked
                  ? [...chosenValues, value]
                  : chosenValues.filter((other) => other !== value),
              )
            }
          />
        ))}
      </div>
      {error === undefined ? null : <div className={styles['error']}>{error}</div>}
    </div>
  );
}

function ReferenceEditor({ rule, column, error, onChange }: EditorProps) {
  const chosenValues = Array.isArray(rule.value) ? (rule.value as NamedRecord[]) : [];
  const add = (item: NamedRecord | null) => {
    if (item && !chosenValues.some(({ id }) => id === item.id)) onChange([...chosenValues, item]);
  };
  const label = `Add to ${column.label}`;
  return (
    <div className={styles['references']}>
      <ReferencePicker source={column.source} label={label} error={error} onChoose={add} />
      {chosenValues.length === 0 ? null : (
        <ul aria-label={`Values of ${column.label}`} className={styles['named']}>
          {chosenValues.map((item) => (
            <li key={item.id}>
              <Button
                size="small"
                variant="outlined"
                endIcon={<CrossIcon />}
                aria-label={`Remove ${item.name}`}
                onClick={() => onChange(chosenValues.filter(({ id }) => id !== item.id))}
              >
                {item.name}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

interface ReferencePickerProps {
  source: string | null;
  label: string;
  error: string | undefined;
  onChoose: (item: NamedRecord | null) => void;
}

function ReferencePicker({ source, onChoose, ...props }: ReferencePickerProps) {
  if (source === 'clients') {
    return (
      <AsyncPicker
        {...props}
        hideLabel
        addsToList
        placeholder="Client"
        value={null}
        query={clientsQuery}
        getItemKey={({ id }) => id}
        getItemText={({ name }) => name}
        onChange={(client) => onChoose(client && { id: client.id, name: client.name })}
      />
    );
  }
  if (source === 'physicians') {
    return (
      <AsyncPicker
        {...props}
        hideLabel
        addsToList
        placeholder="Last name, first name or NPI"
        value={null}
        query={(search) => physiciansQuery(search, null)}
        getItemKey={({ id }) => id}
        getItemText={formatPhysician}
        onChange={(row) => onChoose(row && { id: row.id, name: formatPhysician(row) })}
      />
    );
  }
  return (
    <AsyncPicker
      {...props}
      hideLabel
      addsToList
      placeholder="Code or name"
      value={null}
      query={testChoicesQuery}
      getItemKey={({ id }) => id}
      getItemText={({ name }) => name}
      isExact={({ isExact }) => isExact}
      onChange={(test) => onChoose(test && { id: test.id, name: test.name })}
    />
  );
}

interface TestPickerProps {
  value: NamedRecord | null;
  error: string | undefined;
  onChange: (test: NamedRecord | null) => void;
}

/** The test whose result a condition is about. */
export function ResultTestPicker({ value, onChange, error }: TestPickerProps) {
  return (
    <AsyncPicker
      error={error}
      label="Test"
      hideLabel
      placeholder="Test code or name"
      value={value === null ? null : { ...value, isExact: true }}
      query={testChoicesQuery}
      getItemKey={({ id }) => id}
      getItemText={({ name }) => name}
      isExact={({ isExact }) => isExact}
      onChange={(test) => onChange(test && { id: test.id, name: test.name })}
    />
  );
}
