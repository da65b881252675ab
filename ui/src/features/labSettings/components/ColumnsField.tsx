import { Button } from '@blueprintjs/core';

import { AsyncPicker } from '../../../components/fields/AsyncPicker';
import { ArrowDownIcon, ArrowUpIcon, CrossIcon } from '../../../components/icons';
import { limits } from '../../../contract';
import { isExactTest, valueTestsQuery } from '../../catalog/api';
import type { LabValues } from '../form';
import styles from './labSettings.module.css';

type Column = LabValues['resultColumns'][number];

interface ColumnsFieldProps {
  value: readonly Column[];
  onChange: (columns: Column[]) => void;
  error: string | undefined;
  disabled: boolean;
}

/** The tests, up to five, that have a column in the order search, in their order. */
export function ColumnsField({ value, onChange, error, disabled }: ColumnsFieldProps) {
  const moveUp = (index: number) => {
    const columns = [...value];
    columns.splice(index - 1, 2, ...columns.slice(index - 1, index + 1).reverse());
    onChange(columns);
  };
  const isFull = value.length >= limits.RESULT_COLUMNS_MAX;
  return (
    <div>
      <AsyncPicker
        label="Test Columns of the Order Search"
        value={null}
        addsToList
        disabled={disabled || isFull}
        query={valueTestsQuery}
        isExact={isExactTest}
        getItemKey={({ id }) => id}
        getItemText={({ code, name }) => `${code} ${name}`}
        placeholder={isFull ? 'All five columns are used' : 'Add a test'}
        error={error}
        onChange={(test) => {
          if (test === null || value.some(({ id }) => id === test.id)) return;
          onChange([...value, { id: test.id, code: test.code, name: test.name }]);
        }}
      />
      <ol className={styles['columns']} aria-label="Test columns">
        {value.map((column, index) => (
          <li key={column.id}>
            <span>
              {column.code} {column.name}
            </span>
            <Button
              size="small"
              variant="minimal"
              icon={<ArrowUpIcon />}
              aria-label={`Move ${column.code} up`}
              disabled={disabled || index === 0}
              onClick={() => moveUp(index)}
            />
            <Button
              size="small"
              variant="minimal"
              icon={<ArrowDownIcon />}
              aria-label={`Move ${column.code} down`}
              disabled={disabled || index === value.length - 1}
              onClick={() => moveUp(index + 1)}
            />
            <Button
              size="small"
              variant="minimal"
              icon={<CrossIcon />}
              aria-label={`Remove ${column.code}`}
              disabled={disabled}
              onClick={() => onChange(value.filter(({ id }) => id !== column.id))}
            />
          </li>
        ))}
      </ol>
    </div>
  );
}
