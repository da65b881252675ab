import { Button, Checkbox } from '@blueprintjs/core';
import { Fragment, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';

import { EditIcon, EyeOpenIcon } from '../icons';
import styles from './rows.module.css';

export interface RowColumn<Row> {
  id: string;
  title: string;
  /** Draws the cell; `open` opens the row like its button. */
  render: (row: Row, open: () => void) => ReactNode;
  /** A CSS width; without one the column shares the remaining space. */
  width?: string;
  /** Its place in the card that a row becomes on phones; by default a separate line. */
  card?: 'title' | 'hidden';
}

interface RowGridProps<Row> {
  /** What the rows are, for assistive technology: 'Responsible parties'. */
  label: string;
  rows: readonly Row[];
  getRowKey: (row: Row) => string;
  /** The row's name in the labels of its checkbox and edit button. */
  getRowName: (row: Row) => string;
  columns: readonly RowColumn<Row>[];
  selected: ReadonlySet<string>;
  onSelect: (selectedKeys: ReadonlySet<string>) => void;
  /** Called by double click, Enter or the pencil; without it, rows are only selected. */
  onOpen?: ((row: Row) => void) | undefined;
  /** The verb in the label of the button that opens a row. */
  openVerb?: 'Edit' | 'View' | undefined;
  /** Returns the portal's messages to show under a row. */
  getProblems?: ((row: Row) => readonly string[]) | undefined;
  empty: string;
}

/**
 * A short list that is edited in a form: selection by checkbox, click, Shift or Ctrl; one tab stop
 * with arrow keys, Space to select, Enter to edit; cards on phones. Use a `DataGrid` for lists that
 * the portal pages.
 */
export function RowGrid<Row>({ rows, getRowKey, selected, onSelect, ...props }: RowGridProps<Row>) {
  const { openVerb = 'Edit' } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const [active, setActive] = useState<string | null>(null);
  // The start of a Shift range. The active row is not enough: the focus moves before the click.
  const anchor = useRef<string | null>(null);
  const noteId = useId();
  const keys = rows.map(getRowKey);
  // The Tab key always reaches one row, even after rows are added or removed.
  const tabStop = active !== null && keys.includes(active) ? active : keys[0];

  if (rows.length === 0) return <div className={styles['empty']}>{props.empty}</div>;

  const toggleKey = (key: string): ReadonlySet<string> => {
    anchor.current = key;
    const next = new Set(selected);
    if (!next.delete(key)) next.add(key);
    return next;
  };
  const selectRange = (key: string): ReadonlySet<string> => {
    const from = keys.indexOf(anchor.current ?? key);
    const [first, last] = [from, keys.indexOf(key)].sort((a, b) => a - b);
    return new Set(keys.slice(Math.max(first ?? 0, 0), (last ?? 0) + 1));
  };
  const handleClick = (
    key: string,
    event: { shiftKey: boolean; ctrlKey: boolean; metaKey: boolean },
  ) => {
    if (event.shiftKey) onSelect(selectRange(key));
    else if (event.ctrlKey || event.metaKey) onSelect(toggleKey(key));
    else {
      anchor.current = key;
      onSelect(selected.size === 1 && selected.has(key) ? new Set() : new Set([key]));
    }
    setActive(key);
  };

  const focusRow = (index: number) => {
    const key = keys[Math.max(0, Math.min(index, keys.length - 1))];
    if (key === undefined) return;
    setActive(key);
    body.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent, row: Row, index: number) => {
    if (event.target !== event.currentTarget) return;
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: index + 1,
      ArrowUp: index - 1,
      Home: 0,
      End: keys.length - 1,
    };
    const next = steps[event.key];
    if (next !== undefined) focusRow(next);
    else if (event.key === ' ') onSelect(toggleKey(getRowKey(row)));
    else if (event.key === 'Enter') props.onOpen?.(row);
    else if (event.key === 'a' && (event.ctrlKey || event.metaKey)) onSelect(new Set(keys));
    else return;
    event.preventDefault();
  };

  const areAllSelected = keys.every((key) => selected.has(key));
  return (
    <div className={styles['frame']}>
      <table role="grid" aria-label={props.label} aria-multiselectable className={styles['table']}>
        <thead className={styles['head']}>
          <tr role="row">
            <th role="columnheader" className={styles['check']}>
              <Checkbox
                className={styles['box'] ?? ''}
                aria-label={`Select all: ${props.label}`}
                checked={areAllSelected}
                indeterminate={!areAllSelected && selected.size > 0}
                onChange={() => onSelect(new Set(areAllSelected ? [] : keys))}
              />
            </th>
            {props.columns.map((column) => (
              <th
                key={column.id}
                role="columnheader"
                scope="col"
                style={column.width ? { width: column.width } : undefined}
              >
                {column.title}
              </th>
            ))}
            {props.onOpen ? (
              <th role="columnheader" className={styles['pencil']}>
                <span className="visually-hidden">{openVerb}</span>
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody ref={body}>
          {rows.map((row, index) => {
            const key = getRowKey(row);
            const name = props.getRowName(row);
            const problems = props.getProblems?.(row) ?? [];
            return (
              <Fragment key={key}>
                <tr
                  role="row"
                  data-key={key}
                  data-problem={problems.length > 0}
                  aria-selected={selected.has(key)}
                  aria-describedby={problems.length > 0 ? `${noteId}-${index}` : undefined}
                  tabIndex={key === tabStop ? 0 : -1}
                  className={styles['row']}
                  onClick={(event) => {
                    // The label passes the click on to the checkbox.
                    if (!(event.target as Element).closest('label')) handleClick(key, event);
                  }}
                  onDoubleClick={() => {
                    onSelect(new Set([key]));
                    props.onOpen?.(row);
                  }}
                  onFocus={() => setActive(key)}
                  onKeyDown={(event) => onKeyDown(event, row, index)}
                >
                  <td role="gridcell" className={styles['check']}>
                    <Checkbox
                      className={styles['box'] ?? ''}
                      tabIndex={-1}
                      aria-label={`Select ${name}`}
                      checked={selected.has(key)}
                      onClick={(event) => event.stopPropagation()}
                      onDoubleClick={(event) => event.stopPropagation()}
                      onChange={() => onSelect(toggleKey(key))}
                    />
                  </td>
                  {props.columns.map((column) => (
                    <td
                      key={column.id}
                      role="gridcell"
                      data-title={column.title}
                      data-card={column.card}
                    >
                      {column.render(row, () => props.onOpen?.(row))}
                    </td>
                  ))}
                  {props.onOpen ? (
                    <td role="gridcell" className={styles['pencil']}>
                      <Button
                        size="small"
                        variant="minimal"
                        tabIndex={-1}
                        icon={openVerb === 'Edit' ? <EditIcon /> : <EyeOpenIcon />}
                        aria-label={`${openVerb} ${name}`}
                        onClick={(event) => {
                          event.stopPropagation();
                          props.onOpen?.(row);
                        }}
                      />
                    </td>
                  ) : null}
                </tr>
                {problems.length > 0 ? (
                  <tr role="row" className={styles['problem']}>
                    <td role="gridcell" colSpan={props.columns.length + 2}>
                      <span id={`${noteId}-${index}`}>{problems.join('. ')}</span>
                    </td>
                  </tr>
                ) : null}
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
