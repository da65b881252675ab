import { Button, HTMLSelect } from '@blueprintjs/core';
import { useRef } from 'react';

import { useAddingSelect } from '../../../components/fields/useAddingSelect';
import { useLostFocus } from '../../../components/lostFocus';
import { Panel } from '../../../components/Panel';
import type { MicrobiologyLists } from './api';
import type { FindingValues } from './cultureForm';
import styles from './microbiology.module.css';
import { toOptions } from './options';

interface FindingsFieldsProps {
  findings: readonly FindingValues[];
  lists: MicrobiologyLists;
  isLocked: boolean;
  findError: (field: string) => string | undefined;
  onChange: (findings: FindingValues[]) => void;
}

/** The direct findings of a culture. Choosing one in the last row adds it. */
export function FindingsFields({ findings, lists, isLocked, ...props }: FindingsFieldsProps) {
  const { findError, onChange } = props;
  const adding = useAddingSelect((code) => onChange([...findings, { code, quantity: '' }]));
  const rows = useRef<HTMLDivElement>(null);
  const adder = useRef<HTMLSelectElement>(null);
  useLostFocus(rows, false, () => adder.current?.focus());
  const replace = (index: number, change: Partial<FindingValues>) =>
    onChange(findings.map((each, i) => (i === index ? { ...each, ...change } : each)));
  return (
    <Panel title="Findings">
      <div ref={rows} className={styles['rows']}>
        {findings.map(({ code, quantity }, index) => (
          <div key={index} className={styles['row']}>
            <HTMLSelect
              fill
              iconName="caret-down"
              aria-label={`Finding ${index + 1}`}
              aria-invalid={findError(`findings.${index}.code`) !== undefined}
              value={code}
              disabled={isLocked}
              options={toOptions(lists.findings)}
              onChange={({ currentTarget }) => replace(index, { code: currentTarget.value })}
            />
            <HTMLSelect
              fill
              iconName="caret-down"
              aria-label={`Quantity of finding ${index + 1}`}
              value={quantity}
              disabled={isLocked}
              options={[{ value: '', label: 'No quantity' }, ...toOptions(lists.quantities)]}
              onChange={({ currentTarget }) => replace(index, { quantity: currentTarget.value })}
            />
            <Button
              variant="minimal"
              disabled={isLocked}
              aria-label={`Remove finding ${index + 1}`}
              onClick={() => onChange(findings.filter((_, i) => i !== index))}
            >
              Remove
            </Button>
            {findError(`findings.${index}.code`) ? (
              <span className={styles['problem']} role="alert">
                {findError(`findings.${index}.code`)}
              </span>
            ) : null}
          </div>
        ))}
        <div className={styles['row']}>
          <HTMLSelect
            fill
            iconName="caret-down"
            ref={adder}
            aria-label="Add a finding"
            {...adding}
            disabled={isLocked}
            options={[{ value: '', label: 'Add a finding' }, ...toOptions(lists.findings)]}
            onChange={({ currentTarget }) => adding.onChange(currentTarget.value)}
          />
        </div>
      </div>
    </Panel>
  );
}
