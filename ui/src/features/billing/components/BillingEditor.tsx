import { useRef, useState } from 'react';

import { RadioField } from '../../../components/fields/SelectField';
import { ListToolbar, type ListAction } from '../../../components/rows/ListToolbar';
import { RowGrid, type RowColumn } from '../../../components/rows/RowGrid';
import { toasts } from '../../../components/toasts';
import { inOrder, moved, onlySelected } from '../../../lib/ordering';
import { describe } from '../../../api';
import {
  ArrowDownIcon,
  ArrowUpIcon,
  FloppyDiskIcon,
  PlusIcon,
  RefreshIcon,
  TrashIcon,
  UndoIcon,
  WarningSignIcon,
} from '../../../components/icons';
import { BillTo, BillToLabels, messages, say } from '../../../contract';
import {
  added,
  controls,
  isComplete,
  missingFields,
  removed,
  saved,
  settled,
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
  const [edited, setEdited] = useState<Insurance | null>(null);
  const [complaining, setComplaining] = useState(false);
  const [loading, setLoading] = useState(false);
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
  const refresh = async () => {
    if (!props.reload || loading) return;
    setLoading(true);
    try {
      replace(await props.reload());
    } catch (error) {
      toasts.error(describe(error));
    } finally {
      setLoading(false);
    }
  };

  const actions: ListAction[] = [
    { label: 'Add', icon: <PlusIcon />, always: true, disabled: !works.add, onClick: add },
    { label: 'Save', icon: <FloppyDiskIcon />, always: true, disabled: !works.save, onClick: save },
    {
      label: 'Remove',
      icon: <TrashIcon />,
      disabled: !works.remove,
      onClick: () => replace(removed(rows, selected)),
    },
    {
      label: 'Move Up',
      icon: <ArrowUpIcon />,
      disabled: !works.up,
      onClick: () => onChange(moved(rows, selected, 'up')),
    },
    {
      label: 'Move Down',
      icon: <ArrowDownIcon />,
      disabled: !works.down,
      onClick: () => onChange(moved(rows, selected, 'down')),
    },
    {
      label: 'Refresh',
      icon: <RefreshIcon />,
      disabled: !works.refresh || props.reload === undefined || loading,
      onClick: () => void refresh(),
    },
    {
      label: 'Undo',
      icon: <UndoIcon />,
      disabled: !works.undo,
      onClick: () => replace([...props.saved]),
    },
  ];

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
      <ListToolbar label="Insurance" actions={actions} />
      <RowGrid
        label="Insurance Information"
        rows={inOrder(rows).map((row) => settled(row, patient))}
        rowKey={(row) => row.key}
        rowName={(row) => `insurance ${row.order}, ${row.payer?.name ?? ''}`}
        columns={columns}
        selected={selected}
        onSelect={(next) => {
          setComplaining(false);
          billing.select(rows, next);
        }}
        onOpen={setEdited}
        problems={(row) => props.problems?.(rows.findIndex(({ key }) => key === row.key)) ?? []}
        empty="No insurance yet. Fill in the fields above, then Add."
      />
      {edited === null ? null : (
        <BillingPopup
          row={edited}
          patient={patient}
          onClose={() => setEdited(null)}
          onSave={(row) => {
            const next = rows.map((one) => (one.key === row.key ? row : one));
            onChange(next);
            billing.select(next, new Set([row.key]));
            setEdited(null);
          }}
        />
      )}
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
