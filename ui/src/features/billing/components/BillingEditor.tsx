import { useRef, useState } from 'react';

import { RadioField } from '../../../components/fields/SelectField';
import { EditableList } from '../../../components/rows/EditableList';
import type { RowColumn } from '../../../components/rows/RowGrid';
import { inOrder, onlySelected } from '../../../lib/ordering';
import { WarningSignIcon } from '../../../components/icons';
import { BillTo, BillToLabels, messages, say } from '../../../contract';
import {
  added,
  controls,
  isComplete,
  missingFields,
  removed,
  saved,
  completeFromPatient,
  type Insurance,
  type InsuredPerson,
} from '../rules';
import type { Billing } from '../useBilling';
import styles from './billing.module.css';
import { BillingPopup } from './BillingPopup';
import { entryLabels, InsuranceEntry } from './InsuranceEntry';

const billToOptions = [BillTo.INSURANCE, BillTo.CLIENT, BillTo.PATIENT].map((value) => ({
  value: String(value),
  label: BillToLabels[value] ?? '',
}));

interface BillingEditorProps {
  billing: Billing;
  rows: readonly Insurance[];
  onChange: (rows: Insurance[]) => void;
  /** Whose data rows take over. */
  patient: InsuredPerson;
  /** The rows as they were last saved: what Undo brings back. */
  saved: readonly Insurance[];
  /** The patient's rows as the portal has them now; absent while there is no such patient. */
  reload?: (() => Promise<Insurance[]>) | undefined;
  /** What the portal refused, by the row's place. */
  problems?: ((place: number) => readonly string[]) | undefined;
}

/**
 * Bill-to, entry fields and the insurance rows with all that can be done to them (O 4, O 5, R 5,
 * P 5). What works when is decided in `rules.ts`.
 */
export function BillingEditor({ billing, rows, onChange, patient, ...props }: BillingEditorProps) {
  const [complaining, setComplaining] = useState(false);
  const count = useRef(0);

  const { entry, selected } = billing;
  const works = controls(rows, selected, entry, billing.billTo);
  const editing = onlySelected(rows, selected);

  const replace = (next: Insurance[]) => {
    setComplaining(false);
    billing.reset();
    onChange(next);
  };
  const add = () => {
    count.current += 1;
    replace(added(rows, entry, `new-${count.current}`, patient));
  };
  const save = () => {
    if (editing === null) return;
    setComplaining(!isComplete(entry));
    if (!isComplete(entry)) return;
    const next = saved(rows, editing.key, entry, patient);
    onChange(next);
    billing.select(next, selected);
  };
  return (
    <div className={styles['editor']}>
      <div className={styles['billTo']}>
        <RadioField
          label="Bill To"
          options={billToOptions}
          value={String(billing.billTo)}
          onChange={(value) => {
            const chosen = billToOptions.find((option) => option.value === value);
            if (chosen) billing.setBillTo(Number(chosen.value) as BillTo);
          }}
        />
        {billing.billTo !== BillTo.INSURANCE && rows.length > 0 ? (
          <span className="quiet">{messages.INSURANCE_ORDER_HINT}</span>
        ) : null}
      </div>
      <InsuranceEntry
        entry={entry}
        onChange={billing.setEntry}
        errors={(name) =>
          complaining && !entry[name]
            ? say(messages.SELECTION_REQUIRED, { label: entryLabels[name] })
            : undefined
        }
        onEnter={() => {
          if (editing !== null) save();
          else if (works.add) add();
        }}
      />
      <EditableList
        label="Insurance Information"
        actionsLabel="Insurance"
        rows={inOrder(rows)}
        show={(row) => completeFromPatient(row, patient)}
        selected={selected}
        onSelect={(next) => {
          setComplaining(false);
          billing.select(rows, next);
        }}
        controls={works}
        onAdd={add}
        onSave={save}
        remove={removed}
        onChange={onChange}
        onReplace={replace}
        reload={props.reload ?? null}
        saved={props.saved}
        rowName={(row) => `insurance ${row.order}, ${row.payer?.name ?? ''}`}
        columns={columns}
        problems={({ key }) => props.problems?.(rows.findIndex((one) => one.key === key)) ?? []}
        empty="No insurance yet. Fill in the fields above, then Add."
        editor={(row, close) =>
          row && (
            <BillingPopup
              row={row}
              patient={patient}
              onClose={close}
              onSave={(changed) => {
                const next = rows.map((one) => (one.key === changed.key ? changed : one));
                onChange(next);
                billing.select(next, new Set([changed.key]));
                close();
              }}
            />
          )
        }
      />
    </div>
  );
}

const insured = (row: Insurance): string =>
  [row.lastName, row.firstName].filter((name) => name !== '').join(', ');

const columns: readonly RowColumn<Insurance>[] = [
  {
    id: 'order',
    title: '#',
    width: '34px',
    numeric: true,
    card: 'hidden',
    render: (row) => row.order,
  },
  { id: 'payer', title: 'Payer', card: 'title', render: (row) => row.payer?.name },
  { id: 'billType', title: 'Bill Type', render: (row) => row.billType?.name },
  { id: 'insuranceId', title: 'Insurance Id', numeric: true, render: (row) => row.insuranceId },
  { id: 'groupNumber', title: 'Group Number', numeric: true, render: (row) => row.groupNumber },
  { id: 'relationship', title: 'Relationship', render: (row) => row.relationship },
  { id: 'insured', title: 'Insured', render: insured },
  {
    id: 'missing',
    title: 'Claim',
    render: (row) =>
      missingFields(row).length > 0 ? (
        <span className={styles['missing']}>
          <WarningSignIcon size={12} /> {messages.MISSING_INFORMATION}
        </span>
      ) : (
        <span className="quiet">Complete</span>
      ),
  },
];
