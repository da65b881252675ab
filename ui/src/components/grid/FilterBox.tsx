import { Tooltip } from '@blueprintjs/core';
import { useEffect, useId, useRef, useState, type InputHTMLAttributes } from 'react';

import { messages } from '../../contract';
import {
  formatDate,
  toIsoDate,
  getLastPickableDay,
  maskDate,
  parseTypedDate,
  completeCentury,
} from '../../lib/dates';
import styles from './grid.module.css';
import type { FilterChoice, GridColumn } from './types';
import type { Grid } from './useGrid';

const TYPING_PAUSE_MS = 400;
const DATE_LENGTH = 'MM/DD/YYYY'.length;

interface FilterBoxProps<Row> {
  grid: Grid<Row>;
  column: GridColumn<Row>;
  name: string;
}

/** A column's box in the filter row. It applies its value after a pause or on Enter. */
export function FilterBox<Row>(props: FilterBoxProps<Row>) {
  const { column } = props;
  if (column.filterChoices) return <ChoiceBox {...props} choices={column.filterChoices} />;
  return column.filterKind === 'date' ? <DateBox {...props} /> : <TextBox {...props} />;
}

/** The current filter of one column, with functions to change it at once or after a pause. */
function useFilter<Row>({ grid, name }: FilterBoxProps<Row>) {
  const appliedText = grid.filterRow[name] ?? '';
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const apply = (value: string) => {
    clearTimeout(timer.current);
    if (value !== appliedText) grid.filterColumn(name, value);
  };
  const applyLater = (value: string) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => apply(value), TYPING_PAUSE_MS);
  };
  return { applied: appliedText, apply, applyLater, cancel: () => clearTimeout(timer.current) };
}

function TextBox<Row>(props: FilterBoxProps<Row>) {
  const filter = useFilter(props);
  const [text, setText] = useState(filter.applied);
  const [lastApplied, setLastApplied] = useState(filter.applied);
  if (lastApplied !== filter.applied) {
    setLastApplied(filter.applied);
    setText(filter.applied);
  }
  return (
    <input
      {...getInputProps(props.column)}
      value={text}
      onChange={({ target }) => {
        setText(target.value);
        filter.applyLater(target.value);
      }}
      onKeyDown={({ key }) => {
        if (key === 'Enter') filter.apply(text);
      }}
    />
  );
}

function ChoiceBox<Row>({
  choices,
  ...props
}: FilterBoxProps<Row> & { choices: readonly FilterChoice[] }) {
  const filter = useFilter(props);
  return (
    <select
      className={styles['filter']}
      aria-label={`Filter ${props.column.title}`}
      value={filter.applied}
      onChange={({ target }) => filter.apply(target.value)}
    >
      <option value="">All</option>
      {choices.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}

/** Accepts dates like a date field. An invalid date keeps the rows and shows an error. */
function DateBox<Row>(props: FilterBoxProps<Row>) {
  const filter = useFilter(props);
  const noteId = useId();
  const appliedText = formatDate(filter.applied);
  const [text, setText] = useState(appliedText);
  const [lastApplied, setLastApplied] = useState(appliedText);
  if (lastApplied !== appliedText) {
    setLastApplied(appliedText);
    // An unfinished date is not applied, and must not be cleared while it is typed.
    if (appliedText !== '' || isDateOrEmpty(text)) setText(appliedText);
  }
  // The error appears once the date is complete or the box loses the focus.
  const [isFocused, setIsFocused] = useState(false);
  const isInvalid = !isDateOrEmpty(text) && (!isFocused || text.length === DATE_LENGTH);

  const handleChange = (value: string) => {
    setText(value);
    if (isDateOrEmpty(value)) filter.applyLater(parseTypedDate(value) ?? '');
    else filter.cancel();
  };
  // A two-digit year is completed late, since four digits may follow.
  const completeDate = () => {
    const fullDate = completeCentury(text, toIsoDate(getLastPickableDay()));
    setText(fullDate);
    if (isDateOrEmpty(fullDate)) filter.apply(parseTypedDate(fullDate) ?? '');
  };
  return (
    <Tooltip
      fill
      intent="danger"
      placement="bottom"
      isOpen={isInvalid}
      content={
        <span id={noteId} role="alert">
          {messages.DATE_INVALID}
        </span>
      }
    >
      <input
        {...getInputProps(props.column)}
        placeholder={props.column.filterHint ?? 'MM/DD/YYYY'}
        value={text}
        aria-invalid={isInvalid || undefined}
        aria-describedby={isInvalid ? noteId : undefined}
        onFocus={() => setIsFocused(true)}
        onBlur={() => {
          setIsFocused(false);
          completeDate();
        }}
        onChange={({ target }) => handleChange(maskDate(target.value))}
        onKeyDown={({ key }) => {
          if (key === 'Enter') completeDate();
        }}
      />
    </Tooltip>
  );
}

/** Whether the text is a date. An empty text means no filter. */
const isDateOrEmpty = (text: string) => text === '' || parseTypedDate(text) !== null;

const getInputProps = <Row,>(column: GridColumn<Row>): InputHTMLAttributes<HTMLInputElement> => ({
  className: styles['filter'],
  'aria-label': `Filter ${column.title}`,
  placeholder: column.filterHint,
  spellCheck: false,
});
