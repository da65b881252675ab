import { Button, HTMLSelect, InputGroup, Tag } from '@blueprintjs/core';
import { useRef, type KeyboardEvent } from 'react';

import { limits } from '../../../contract';
import type { CultureCheck, MicrobiologyLists } from './api';
import type { SensitivityValues } from './cultureForm';
import { InterpretationMark, INTERPRETATION_NAMES } from './InterpretationMark';
import styles from './microbiology.module.css';

const METHODS = [
  { value: 'MIC', label: 'MIC' },
  { value: 'ETEST', label: 'E-test' },
  { value: 'ZONE', label: 'Zone' },
];
const REPORTING_OPTIONS = [
  { value: 'cascade', label: 'By cascade' },
  { value: 'reported', label: 'Report' },
  { value: 'suppressed', label: 'Suppress' },
];
const INTERPRETATIONS = [
  { value: '', label: 'By table' },
  ...Object.keys(INTERPRETATION_NAMES).map((flag) => ({ value: flag, label: flag })),
];

const TITLES = [
  'Antibiotic',
  'Method',
  'Value',
  '',
  'Interpretation',
  'Limits',
  'Reporting',
  'Comment',
  '',
];

interface PanelEntryProps {
  rows: readonly SensitivityValues[];
  /** The rows as the portal judges them. */
  checkedRows: CultureCheck['organisms'][number]['sensitivity'];
  lists: MicrobiologyLists;
  label: string;
  isLocked: boolean;
  findError: (field: string) => string | undefined;
  onChange: (rows: SensitivityValues[]) => void;
}

/** Moves the focus to the next value, or to the one before. */
function moveFocus(table: HTMLTableElement | null, current: HTMLInputElement, step: number) {
  const fields = [...(table?.querySelectorAll<HTMLInputElement>('input[data-mic]') ?? [])];
  fields[fields.indexOf(current) + step]?.focus();
}

/** The susceptibilities of an organism. Enter moves down the column of values. */
export function PanelEntry(props: PanelEntryProps) {
  const { rows, checkedRows, lists, label, isLocked, findError, onChange } = props;
  const table = useRef<HTMLTableElement>(null);
  const names = new Map(lists.antibiotics.map(({ code, name }) => [code, name]));
  const replace = (index: number, change: Partial<SensitivityValues>) =>
    onChange(rows.map((row, i) => (i === index ? { ...row, ...change } : row)));
  const move = (event: KeyboardEvent<HTMLInputElement>) => {
    const step = { Enter: 1, ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    moveFocus(table.current, event.currentTarget, step);
  };
  return (
    <div className={styles['entryScroll']} role="region" aria-label={label} tabIndex={0}>
      <table ref={table} className={styles['entry']}>
        <thead>
          <tr>
            {TITLES.map((title, index) =>
              title === '' ? (
                <td key={index} />
              ) : (
                <th key={index} scope="col">
                  {title}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => {
            const name = names.get(row.antibiotic) ?? row.antibiotic;
            const judgedRow = checkedRows.find(({ antibiotic }) => antibiotic === row.antibiotic);
            const error =
              findError(`sensitivity.${index}.mic`) ??
              findError(`sensitivity.${index}.interpretation`) ??
              findError(`sensitivity.${index}.antibiotic`);
            return (
              <tr key={row.antibiotic}>
                <th scope="row">
                  {name}
                  {error ? (
                    <span className={styles['problem']} role="alert">
                      {error}
                    </span>
                  ) : null}
                </th>
                <td>
                  <HTMLSelect
                    iconName="caret-down"
                    aria-label={`Method, ${name}`}
                    value={row.method}
                    disabled={isLocked}
                    options={METHODS}
                    onChange={({ currentTarget }) =>
                      replace(index, { method: currentTarget.value })
                    }
                  />
                </td>
                <td className={styles['value']}>
                  <InputGroup
                    data-mic=""
                    aria-label={`Value, ${name}`}
                    aria-invalid={error !== undefined}
                    intent={error ? 'danger' : 'none'}
                    value={row.mic}
                    disabled={isLocked}
                    autoComplete="off"
                    maxLength={limits.MIC_MAX_LENGTH}
                    onKeyDown={move}
                    onChange={({ currentTarget }) => replace(index, { mic: currentTarget.value })}
                  />
                </td>
                <td>
                  <InterpretationMark flag={judgedRow?.interpretation ?? null} />
                  {judgedRow?.isManual ? <span className={styles['note']}>by hand</span> : null}
                </td>
                <td>
                  <HTMLSelect
                    iconName="caret-down"
                    aria-label={`Interpretation, ${name}`}
                    value={row.interpretation}
                    disabled={isLocked}
                    options={INTERPRETATIONS}
                    onChange={({ currentTarget }) =>
                      replace(index, { interpretation: currentTarget.value })
                    }
                  />
                </td>
                <td className={`quiet ${styles['limits']}`}>
                  {judgedRow?.limits ?? 'No breakpoint'}
                </td>
                <td>
                  <HTMLSelect
                    iconName="caret-down"
                    aria-label={`Reporting, ${name}`}
                    value={row.reporting}
                    disabled={isLocked}
                    options={REPORTING_OPTIONS}
                    onChange={({ currentTarget }) =>
                      replace(index, { reporting: currentTarget.value })
                    }
                  />{' '}
                  {judgedRow?.isSuppressed ? <Tag minimal>SUPPRESSED</Tag> : null}
                </td>
                <td className={styles['comment']}>
                  <InputGroup
                    aria-label={`Comment, ${name}`}
                    value={row.comment}
                    disabled={isLocked}
                    autoComplete="off"
                    maxLength={limits.RESULT_COMMENT_MAX_LENGTH}
                    onChange={({ currentTarget }) =>
                      replace(index, { comment: currentTarget.value })
                    }
                  />
                </td>
                <td>
                  <Button
                    variant="minimal"
                    disabled={isLocked}
                    aria-label={`Remove ${name}`}
                    onClick={() => onChange(rows.filter((_, i) => i !== index))}
                  >
                    Remove
                  </Button>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
