import { Tooltip } from '@blueprintjs/core';
import { useEffect, useId, useRef, useState, type InputHTMLAttributes } from 'react';

import { messages } from '../../contract';
import {
  formatDate,
  isoOf,
  lastPickableDay,
  maskDate,
  parseTyped,
  withCentury,
} from '../../lib/dates';
import styles from './grid.module.css';
import type { GridColumn } from './types';
import type { Grid } from './useGrid';

const TYPING_PAUSE_MS = 400;
const WHOLE_DATE = 'MM/DD/YYYY'.length;

interface FilterBoxProps<Row> {
  grid: Grid<Row>;
  column: GridColumn<Row>;
  name: string;
}

/** A column's box in the filter row: what it says is asked for at a pause or by Enter. */
export function FilterBox<Row>(props: FilterBoxProps<Row>) {
  const { column } = props;
  return column.filterKind === 'date' ? <DateBox {...props} /> : <TextBox {...props} />;
}

/** What one column is filtered by, and how to filter by something else, at once or at a pause. */
function useFilter<Row>({ grid, name }: FilterBoxProps<Row>) {
  const applied = grid.request.columns[name] ?? '';
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const apply = (value: string) => {
    clearTimeout(timer.current);
    if (value === applied) return;
    // Another column's text may have been applied since this one was typed.
    grid.change(({ columns }) => ({ columns: { ...columns, [name]: value } }));
  };
  const applyLater = (value: string) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => apply(value), TYPING_PAUSE_MS);
  };
  return { applied, apply, applyLater, keep: () => clearTimeout(timer.current) };
}

function TextBox<Row>(props: FilterBoxProps<Row>) {
  const filter = useFilter(props);
  const [text, setText] = useState(filter.applied);
  const [last, setLast] = useState(filter.applied);
  if (last !== filter.applied) {
    setLast(filter.applied);
    setText(filter.applied);
  }
  return (
    <input
      {...boxOf(props.column)}
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

/** Takes dates as date fields do; what is none leaves the rows as they are, and says so. */
function DateBox<Row>(props: FilterBoxProps<Row>) {
  const filter = useFilter(props);
  const noteId = useId();
  const shown = formatDate(filter.applied);
  const [text, setText] = useState(shown);
  const [last, setLast] = useState(shown);
  if (last !== shown) {
    setLast(shown);
    // An unfinished date is not applied and must not be wiped while it is being typed.
    if (shown !== '' || isDate(text)) setText(shown);
  }
  // Said once it is whole or its box is left.
  const [here, setHere] = useState(false);
  const refused = !isDate(text) && (!here || text.length === WHOLE_DATE);

  const typed = (value: string) => {
    setText(value);
    if (isDate(value)) filter.applyLater(parseTyped(value) ?? '');
    else filter.keep();
  };
  // A year of two digits gets its century: until then four may follow.
  const finish = () => {
    const whole = withCentury(text, isoOf(lastPickableDay()));
    setText(whole);
    if (isDate(whole)) filter.apply(parseTyped(whole) ?? '');
  };
  return (
    <Tooltip
      fill
      intent="danger"
      placement="bottom"
      isOpen={refused}
      content={
        <span id={noteId} role="alert">
          {messages.DATE_INVALID}
        </span>
      }
    >
      <input
        {...boxOf(props.column)}
        placeholder={props.column.filterHint ?? 'MM/DD/YYYY'}
        value={text}
        aria-invalid={refused || undefined}
        aria-describedby={refused ? noteId : undefined}
        onFocus={() => setHere(true)}
        onBlur={() => {
          setHere(false);
          finish();
        }}
        onChange={({ target }) => typed(maskDate(target.value))}
        onKeyDown={({ key }) => {
          if (key === 'Enter') finish();
        }}
      />
    </Tooltip>
  );
}

/** Nothing asks for no date. */
const isDate = (text: string) => text === '' || parseTyped(text) !== null;

const boxOf = <Row,>(column: GridColumn<Row>): InputHTMLAttributes<HTMLInputElement> => ({
  className: styles['filter'],
  'aria-label': `Filter ${column.title}`,
  placeholder: column.filterHint,
  spellCheck: false,
});
