import { useRef, useState } from 'react';

import { RadioField } from '../../../components/fields/SelectField';
import { EditableList } from '../../../components/rows/EditableList';
import type { RowColumn } from '../../../components/rows/RowGrid';
import { sortRows, findOnlySelected } from '../../../lib/ordering';
import { BillTo, BillToLabels, messages, say } from '../../../contract';
import {
  addInsurance,
  getControls,
  isComplete,
  findMissingFields,
  formatInsuranceName,
  removeInsurances,
  updateInsurance,
  completeFromPatient,
  type Insurance,
  type InsuredPerson,
} from '../rules';
import type { Billing } from '../useBilling';
import styles from './billing.module.css';
import { BillingPopup } from './BillingPopup';
import { fieldLabels, InsuranceFields } from './InsuranceFields';
import { MissingMark } from './MissingMark';

const billToOptions = [BillTo.INSURANCE, BillTo.CLIENT, BillTo.PATIENT].map((value) => ({
  value: String(value),
  label: BillToLabels[value] ?? '',
}));

interface BillingEditorProps {
  billing: Billing;
  rows: readonly Insurance[];
  onChange: (rows: Insurance[]) => void;
  /** The patient whose data the rows copy. */
  patient: InsuredPerson;
  /** The last saved rows, which Undo restores. */
  savedRows: readonly Insurance[];
  /** Reloads the patient's rows; undefined for an unsaved patient. */
  reload?: (() => Promise<Insurance[]>) | undefined;
  /** Whether another part of the screen decides who is billed. */
  hidesBillTo?: boolean | undefined;
  /** Returns the portal's messages about the row at an index. */
  getRowProblems?: ((index: number) => readonly string[]) | undefined;
}

/**
 * Bill-to, fields, and the insurance rows with their actions (O 4, O 5, R 5, P 5). `rules.ts`
 * decides which actions are enabled.
 */
export function BillingEditor({ billing, rows, onChange, patient, ...props }: BillingEditorProps) {
  const [showsErrors, setShowsErrors] = useState(false);
  const addedCount = useRef(0);

  const { line, selected } = billing;
  const listControls = getControls(rows, selected, line, billing.billTo);
  const selectedRow = findOnlySelected(rows, selected);

  const replace = (next: Insurance[]) => {
    setShowsErrors(false);
    billing.reset();
    onChange(next);
  };
  const add = () => {
    addedCount.current += 1;
    replace(addInsurance(rows, line, `new-${addedCount.current}`, patient));
  };
  const save = () => {
    if (selectedRow === null) return;
    setShowsErrors(!isComplete(line));
    if (!isComplete(line)) return;
    const next = updateInsurance(rows, selectedRow.key, line, patient);
    onChange(next);
    billing.select(next, selected);
  };
  return (
    <div className={styles['editor']}>
      <div className={styles['billTo']}>
        {props.hidesBillTo ? null : (
          <RadioField
            label="Bill To"
            options={billToOptions}
            value={String(billing.billTo)}
            onChange={(value) => {
              const chosenOption = billToOptions.find((option) => option.value === value);
              if (chosenOption) billing.setBillTo(Number(chosenOption.value) as BillTo);
            }}
          />
        )}
        {billing.billTo !== BillTo.INSURANCE && rows.length > 0 ? (
          <span className="quiet">{messages.INSURANCE_ORDER_HINT}</span>
        ) : null}
      </div>
      <InsuranceFields
        line={line}
        onChange={billing.changeLine}
        getError={(name) =>
          showsErrors && !line[name]
            ? say(messages.SELECTION_REQUIRED, { label: fieldLabels[name] })
            : undefined
        }
        onEnter={() => {
          if (selectedRow !== null) save();
          else if (listControls.add) add();
        }}
      />
      <EditableList
        label="Insurance Information"
        actionsLabel="Insurance"
        rows={sortRows(rows)}
        show={(row) => completeFromPatient(row, patient)}
        selected={selected}
        onSelect={(next) => {
          setShowsErrors(false);
          billing.select(rows, next);
        }}
        controls={listControls}
        onAdd={add}
        onSave={save}
        remove={removeInsurances}
        onChange={onChange}
        onReplace={replace}
        reload={props.reload ?? null}
        savedRows={props.savedRows}
        hasPendingText={billing.findUnfinished(rows) !== null}
        getRowName={formatInsuranceName}
        columns={columns}
        getProblems={({ key }) =>
          props.getRowProblems?.(rows.findIndex((candidate) => candidate.key === key)) ?? []
        }
        empty="No insurance yet. Fill in the fields above, then Add."
        renderEditor={(row, close) =>
          row && (
            <BillingPopup
              row={row}
              patient={patient}
              onClose={close}
              onSave={(changedRow) => {
                const next = rows.map((current) =>
                  current.key === changedRow.key ? changedRow : current,
                );
                onChange(next);
                billing.select(next, new Set([changedRow.key]));
                close();
              }}
            />
          )
        }
      />
    </div>
  );
}

const formatInsured = (row: Insurance): string =>
  [row.lastName, row.firstName].filter((name) => name !== '').join(', ');

const columns: readonly RowColumn<Insurance>[] = [
  {
    id: 'order',
    title: '#',
    width: '34px',
    card: 'hidden',
    render: (row) => row.order,
  },
  { id: 'payer', title: 'Payer', card: 'title', render: (row) => row.payer?.name },
  { id: 'billType', title: 'Bill Type', render: (row) => row.billType?.name },
  { id: 'insuranceId', title: 'Insurance Id', render: (row) => row.insuranceId },
  { id: 'groupNumber', title: 'Group Number', render: (row) => row.groupNumber },
  { id: 'relationship', title: 'Relationship', render: (row) => row.relationship },
  { id: 'insured', title: 'Insured', render: formatInsured },
  {
    id: 'missing',
    title: 'Claim',
    render: (row, open) =>
      findMissingFields(row).length > 0 ? (
        <MissingMark name={formatInsuranceName(row)} onComplete={open} />
      ) : (
        <span className="quiet">Complete</span>
      ),
  },
];
