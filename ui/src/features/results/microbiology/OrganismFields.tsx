import { Button } from '@blueprintjs/core';
import { useRef, type RefCallback } from 'react';

import { SelectField } from '../../../components/fields/SelectField';
import { useAddingSelect } from '../../../components/fields/useAddingSelect';
import { TextField } from '../../../components/fields/TextField';
import { useLostFocus } from '../../../components/lostFocus';
import { Panel } from '../../../components/Panel';
import type { CultureCheck, MicrobiologyLists } from './api';
import { blankOrganism, buildSensitivity, sortByLabList, type OrganismValues } from './cultureForm';
import styles from './microbiology.module.css';
import { toOptions } from './options';
import { PanelEntry } from './PanelEntry';

interface OrganismFieldsProps {
  organisms: readonly OrganismValues[];
  /** The organisms as the portal judges them; those that it rejects are missing. */
  checkedOrganisms: CultureCheck['organisms'];
  lists: MicrobiologyLists;
  isLocked: boolean;
  findError: (field: string) => string | undefined;
  onChange: (organisms: OrganismValues[]) => void;
}

/** The organisms of a culture, each with its susceptibilities. */
export function OrganismFields(props: OrganismFieldsProps) {
  const { organisms, checkedOrganisms, lists, isLocked, findError, onChange } = props;
  const area = useRef<HTMLDivElement>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  useLostFocus(area, false, () => addButton.current?.focus());
  const isAdding = useRef(false);
  const focusAdded = (select: HTMLSelectElement | null) => {
    if (select === null || !isAdding.current) return;
    isAdding.current = false;
    select.focus();
  };
  const replace = (index: number, organism: OrganismValues) =>
    onChange(organisms.map((each, i) => (i === index ? organism : each)));
  // The portal leaves out rejected organisms, so count positions among the accepted ones.
  const isAccepted = ({ code }: OrganismValues) => lists.organisms.some((o) => o.code === code);
  return (
    <div ref={area} style={{ display: 'contents' }}>
      {organisms.map((organism, index) => (
        <OrganismPanel
          key={index}
          number={index + 1}
          organism={organism}
          checkedOrganism={
            isAccepted(organism)
              ? checkedOrganisms[organisms.slice(0, index).filter(isAccepted).length]
              : undefined
          }
          lists={lists}
          isLocked={isLocked}
          findError={(field) => findError(`organisms.${index}.${field}`)}
          organismRef={index === organisms.length - 1 ? focusAdded : undefined}
          onChange={(newOrganism) => replace(index, newOrganism)}
          onRemove={() => onChange(organisms.filter((_, i) => i !== index))}
        />
      ))}
      <div>
        <Button
          ref={addButton}
          disabled={isLocked}
          onClick={() => {
            isAdding.current = true;
            onChange([...organisms, blankOrganism]);
          }}
        >
          Add Organism
        </Button>
      </div>
    </div>
  );
}

/** Focuses the first value to type, after a button has removed itself. */
function focusFirstValue(panel: HTMLElement | null): void {
  const values = [...(panel?.querySelectorAll<HTMLInputElement>('input[data-mic]') ?? [])];
  const target = values.find(({ value }) => value === '') ?? values[0];
  (target ?? panel?.querySelector('select'))?.focus();
}

interface OrganismPanelProps {
  number: number;
  organism: OrganismValues;
  checkedOrganism: CultureCheck['organisms'][number] | undefined;
  lists: MicrobiologyLists;
  isLocked: boolean;
  findError: (field: string) => string | undefined;
  /** Receives the field of the organism. */
  organismRef: RefCallback<HTMLSelectElement> | undefined;
  onChange: (organism: OrganismValues) => void;
  onRemove: () => void;
}

function OrganismPanel(props: OrganismPanelProps) {
  const { number, organism, checkedOrganism, lists, isLocked, findError, onChange, onRemove } =
    props;
  const panel = lists.organisms.find(({ code }) => code === organism.code)?.panel ?? [];
  const present = new Set(organism.sensitivity.map(({ antibiotic }) => antibiotic));
  const missingCodes = panel.filter((code) => !present.has(code));
  const change = (values: Partial<OrganismValues>) => onChange({ ...organism, ...values });
  const addAntibiotics = (codes: readonly string[]) =>
    change({
      sensitivity: sortByLabList([...organism.sensitivity, ...codes.map(buildSensitivity)], lists),
    });
  const adding = useAddingSelect((code) => addAntibiotics([code]));
  const area = useRef<HTMLDivElement>(null);
  useLostFocus(area, false, () => focusFirstValue(area.current));
  return (
    <div ref={area} style={{ display: 'contents' }}>
      <Panel
        title={`Organism ${number}`}
        aside={
          <Button variant="minimal" disabled={isLocked} onClick={onRemove}>
            Remove Organism
          </Button>
        }
      >
        <div className={styles['fields']}>
          <SelectField
            label="Organism"
            value={organism.code}
            placeholder="Choose"
            options={toOptions(lists.organisms)}
            error={findError('code')}
            inputRef={props.organismRef}
            disabled={isLocked}
            onChange={(code) => change({ code })}
          />
          <SelectField
            label="Quantity"
            value={organism.quantity}
            placeholder="Not given"
            options={toOptions(lists.quantities)}
            disabled={isLocked}
            onChange={(quantity) => change({ quantity })}
          />
          <SelectField
            label="Mark"
            value={organism.mark}
            placeholder="None"
            options={toOptions(lists.marks)}
            disabled={isLocked}
            onChange={(mark) => change({ mark })}
          />
          <TextField
            label="Comment"
            value={organism.comment}
            disabled={isLocked}
            onChange={(comment) => change({ comment })}
          />
        </div>
        {organism.sensitivity.length > 0 ? (
          <PanelEntry
            rows={organism.sensitivity}
            checkedRows={checkedOrganism?.sensitivity ?? []}
            lists={lists}
            label={`Susceptibilities of organism ${number}`}
            isLocked={isLocked}
            findError={findError}
            onChange={(sensitivity) => change({ sensitivity })}
          />
        ) : null}
        <div className={styles['head']}>
          {missingCodes.length > 0 ? (
            <Button disabled={isLocked} onClick={() => addAntibiotics(missingCodes)}>
              Add Panel ({missingCodes.length})
            </Button>
          ) : null}
          <SelectField
            label={`Add an antibiotic to organism ${number}`}
            {...adding}
            placeholder="Choose"
            options={toOptions(lists.antibiotics.filter(({ code }) => !present.has(code)))}
            disabled={isLocked}
          />
        </div>
      </Panel>
    </div>
  );
}
