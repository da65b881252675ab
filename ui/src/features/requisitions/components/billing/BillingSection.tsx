import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useWatch, type UseFormReturn } from 'react-hook-form';

import { Panel } from '../../../../components/Panel';
import { RadioField, SelectField } from '../../../../components/fields/SelectField';
import { Bound } from '../../../../components/forms/Bound';
import { errorMessages } from '../../../../components/forms/errorMessages';
import { ListToolbar } from '../../../../components/rows/ListToolbar';
import { RowGrid, type RowColumn } from '../../../../components/rows/RowGrid';
import {
  useListActions,
  type ListControls,
  type ListEdits,
} from '../../../../components/rows/useListActions';
import { inOrder } from '../../../../lib/ordering';
import { WarningSignIcon } from '../../../../components/icons';
import { BillTo, messages, say } from '../../../../contract';
import { patientInsuranceQuery } from '../../../billing/api';
import {
  blankEntry,
  controls,
  missingFields,
  removed,
  type Insurance,
} from '../../../billing/rules';
import { addable, billedOf, differenceOf, offeredOf, withRow } from '../../billing';
import type { Requisition } from '../../api';
import { billToOf, billToOptions } from '../../billTo';
import { listsOf, type RequisitionValues } from '../../fields';
import { labels } from '../../form';
import styles from './billing.module.css';
import { InsuranceDetails } from './InsuranceDetails';

interface BillingSectionProps {
  form: UseFormReturn<RequisitionValues>;
  requisition: Requisition | null;
  disabled: boolean;
}

/** Whom to bill, and the insurance rows in their order (O 2.3, O 4). */
export function BillingSection({ form, requisition, disabled }: BillingSectionProps) {
  const { control } = form;
  const patient = useWatch({ control, name: 'patient' });
  const billTo = billToOf(useWatch({ control, name: 'billTo' }));
  const patientId = patient?.id ?? null;
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [viewed, setViewed] = useState<Insurance | null>(null);

  const known = useQuery({
    ...patientInsuranceQuery(patientId ?? 0),
    select: offeredOf,
    enabled: patientId !== null,
  });
  const patientRows = known.data ?? null;
  const reload = async () => {
    const { data, error } = await known.refetch();
    if (error) throw error;
    return data;
  };

  // What Undo brings back: as it was last saved; before that, as the patient's rows came.
  const saved =
    requisition !== null && requisition.patientId === patientId
      ? billedOf(requisition.billingInformation)
      : listsOf(patient).billing;

  return (
    <Bound control={control} name="billing">
      {({ value, onChange }) => {
        const rows = inOrder(value);
        const works = controls(rows, selected, blankEntry, billTo);
        const insurance = billTo === BillTo.INSURANCE;
        const replace = (next: Insurance[]) => {
          setSelected(new Set());
          onChange(next);
        };
        return (
          <Panel title="Bill To and Billing Information" className={styles['panel']}>
            <div className={styles['billTo']}>
              <Bound control={control} name="billTo">
                {(field) => (
                  <RadioField
                    label={labels.billTo}
                    options={billToOptions}
                    value={field.value}
                    disabled={disabled}
                    onChange={field.onChange}
                  />
                )}
              </Bound>
              {disabled ? null : (
                <BillingTools
                  rows={rows}
                  others={insurance ? addable(rows, patientRows ?? []) : []}
                  selected={selected}
                  controls={works}
                  onChange={onChange}
                  onReplace={replace}
                  remove={removed}
                  reload={patientId === null || known.isFetching ? null : reload}
                  saved={saved}
                />
              )}
            </div>
            {!insurance && rows.length > 0 && !disabled ? (
              <div className="quiet">{messages.INSURANCE_ORDER_HINT}</div>
            ) : null}
            <Problems error={form.formState.errors.billTo} />
            <Problems error={form.formState.errors.billing} />
            <RowGrid
              label={labels.billing}
              opens="View"
              rows={rows}
              rowKey={(row) => row.key}
              rowName={(row) => `insurance ${row.order}, ${row.payer?.name ?? ''}`}
              columns={columnsOf(patientRows)}
              selected={selected}
              onSelect={setSelected}
              onOpen={setViewed}
              empty={emptyText(patientId, patientRows)}
            />
            {viewed === null ? null : (
              <InsuranceDetails
                row={viewed}
                patientRows={patientRows}
                onClose={() => setViewed(null)}
              />
            )}
          </Panel>
        );
      }}
    </Bound>
  );
}

interface BillingToolsProps extends Omit<ListEdits<Insurance>, 'onAdd' | 'controls'> {
  controls: ListControls;
  /** The patient's rows that are not billed to. */
  others: readonly Insurance[];
}

/** Adds one of the patient's rows to bill to, and all that can be done to those that are. */
function BillingTools({ others, controls: works, ...edits }: BillingToolsProps) {
  const [chosen, setChosen] = useState('');
  const adding = others.find(({ key }) => key === chosen) ?? others[0];
  const actions = useListActions({
    ...edits,
    controls: { ...works, add: adding !== undefined },
    onAdd: () => {
      if (adding) edits.onChange(withRow(edits.rows, adding));
      setChosen('');
    },
  });
  return (
    <div className={styles['tools']}>
      {others.length > 0 ? (
        <SelectField
          label="Patient's insurance"
          hideLabel
          className={styles['others']}
          value={adding?.key ?? ''}
          options={others.map((row) => ({ value: row.key, label: nameOf(row) }))}
          onChange={setChosen}
        />
      ) : null}
      <ListToolbar label="Billing" actions={actions} />
    </div>
  );
}

const nameOf = (row: Insurance): string =>
  [row.payer?.name, row.insuranceId].filter(Boolean).join(', ');

function emptyText(patientId: number | null, patientRows: readonly Insurance[] | null): string {
  if (patientId === null) return 'Select a patient: their insurance is offered here.';
  return patientRows?.length === 0 ? 'The patient has no insurance.' : 'No insurance chosen.';
}

function Problems({ error }: { error: unknown }) {
  const said = errorMessages(error);
  return said.length === 0 ? null : (
    <div role="alert" className={styles['problem']}>
      {said.join('. ')}
    </div>
  );
}

const columnsOf = (patientRows: readonly Insurance[] | null): readonly RowColumn<Insurance>[] => [
  {
    id: 'position',
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
  {
    id: 'insured',
    title: 'Insured',
    render: (row) => (
      <span>
        {[row.lastName, row.firstName].filter((name) => name !== '').join(', ')}{' '}
        <span className="quiet">{row.relationship}</span>
      </span>
    ),
  },
  { id: 'claim', title: 'Claim', render: (row) => <Claim row={row} patientRows={patientRows} /> },
];

/** What stands in the way of a claim, and whether the patient's row says something else by now. */
function Claim(props: { row: Insurance; patientRows: readonly Insurance[] | null }) {
  const marks = [];
  if (missingFields(props.row).length > 0) marks.push(messages.MISSING_INFORMATION);
  const difference = differenceOf(props.row, props.patientRows);
  if (difference.kind === 'changed') {
    marks.push(say(messages.INSURANCE_CHANGED_SINCE, { fields: difference.fields.join(', ') }));
  }
  if (difference.kind === 'gone') marks.push(messages.INSURANCE_NO_LONGER);
  if (marks.length === 0) return <span className="quiet">Complete</span>;
  return marks.map((mark) => (
    <span key={mark} className={styles['mark']}>
      <WarningSignIcon size={12} /> {mark}
    </span>
  ));
}
