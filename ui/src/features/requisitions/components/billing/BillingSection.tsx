import { Button } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useWatch, type UseFormReturn } from 'react-hook-form';

import { usePermissions } from '../../../../api';
import { Panel } from '../../../../components/Panel';
import { RadioField, SelectField } from '../../../../components/fields/SelectField';
import { Bound } from '../../../../components/forms/Bound';
import { collectErrorMessages } from '../../../../components/forms/errorMessages';
import { ListArea } from '../../../../components/rows/ListArea';
import { ListToolbar } from '../../../../components/rows/ListToolbar';
import { RowGrid, type RowColumn } from '../../../../components/rows/RowGrid';
import {
  useListActions,
  type ListControls,
  type ListEdits,
} from '../../../../components/rows/useListActions';
import { sortRows } from '../../../../lib/ordering';
import { PlusIcon, WarningSignIcon } from '../../../../components/icons';
import { BillTo, limits, messages, say } from '../../../../contract';
import { patientInsuranceQuery, toInsurances } from '../../../billing/api';
import { MissingMark } from '../../../billing/components/MissingMark';
import {
  blankLine,
  getControls,
  findMissingFields,
  formatInsuranceName,
  removeInsurances,
  type Insurance,
} from '../../../billing/rules';
import {
  listAddableRows,
  buildBilledRows,
  compareWithPatient,
  buildOfferedRows,
  addRow,
  replaceRow,
} from '../../billing';
import type { Requisition } from '../../api';
import { parseBillTo, billToOptions } from '../../billTo';
import { getPatientLists, type RequisitionValues } from '../../fields';
import { labels } from '../../form';
import styles from './billing.module.css';
import { InsuranceDetails } from './InsuranceDetails';
import { PatientInsurance } from './PatientInsurance';

interface BillingSectionProps {
  form: UseFormReturn<RequisitionValues>;
  requisition: Requisition | null;
  disabled: boolean;
}

/** Whom to bill, and the insurance rows in their order (O 2.3, O 4). */
export function BillingSection({ form, requisition, disabled }: BillingSectionProps) {
  const { control } = form;
  const patient = useWatch({ control, name: 'patient' });
  const billTo = parseBillTo(useWatch({ control, name: 'billTo' }));
  const patientId = patient?.id ?? null;
  const [selectedKeys, setSelectedKeys] = useState<ReadonlySet<string>>(new Set());
  const [viewedRow, setViewedRow] = useState<Insurance | null>(null);
  /** The patient's row that is open for completing, or a new one without a key. */
  const [editedRow, setEditedRow] = useState<{ key: string | null } | null>(null);
  const mayChangePatient = usePermissions().may('changePatient');
  const canComplete = mayChangePatient && !disabled;

  const patientInsurance = useQuery({
    ...patientInsuranceQuery(patientId ?? 0),
    select: buildOfferedRows,
    // A physician's requisition may have a patient whom they do not see otherwise.
    enabled: patientId !== null && mayChangePatient,
  });
  const patientRows = patientInsurance.data ?? null;
  const reload = async () => {
    const { data, error } = await patientInsurance.refetch();
    if (error) throw error;
    return data;
  };

  // Undo restores the last saved rows, or for a new requisition the patient's rows.
  const savedRows =
    requisition !== null && requisition.patientId === patientId
      ? buildBilledRows(requisition.billingInformation)
      : getPatientLists(patient).billing;

  return (
    <Bound control={control} name="billing">
      {({ value, onChange }) => {
        const rows = sortRows(value);
        const listControls = getControls(rows, selectedKeys, blankLine, billTo);
        const isInsurance = billTo === BillTo.INSURANCE;
        const replace = (next: Insurance[]) => {
          setSelectedKeys(new Set());
          onChange(next);
        };
        return (
          <Panel title="Bill To and Billing Information" className={styles['panel']}>
            <ListArea>
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
                    addableRows={isInsurance ? listAddableRows(rows, patientRows ?? []) : []}
                    selected={selectedKeys}
                    controls={listControls}
                    onChange={onChange}
                    onReplace={replace}
                    remove={removeInsurances}
                    reload={patientId === null || patientInsurance.isFetching ? null : reload}
                    savedRows={patientId === null ? null : savedRows}
                    onNew={
                      canComplete &&
                      patientId !== null &&
                      rows.length < limits.REQUISITION_INSURANCE_MAX
                        ? () => setEditedRow({ key: null })
                        : null
                    }
                  />
                )}
              </div>
              {!isInsurance && rows.length > 0 && !disabled ? (
                <div className="quiet">{messages.INSURANCE_ORDER_HINT}</div>
              ) : null}
              <ErrorMessages error={form.formState.errors.billTo} />
              <ErrorMessages error={form.formState.errors.billing} />
              <RowGrid
                label={labels.billing}
                openVerb="View"
                rows={rows}
                getRowKey={(row) => row.key}
                getRowName={formatInsuranceName}
                columns={buildColumns(
                  patientRows,
                  canComplete ? (key) => setEditedRow({ key }) : null,
                )}
                selected={selectedKeys}
                onSelect={setSelectedKeys}
                onOpen={setViewedRow}
                empty={getEmptyText(patientId, patientRows)}
              />
              {editedRow === null || patientId === null ? null : (
                <PatientInsurance
                  patientId={patientId}
                  rowKey={editedRow.key}
                  onClose={() => setEditedRow(null)}
                  onSaved={({ insuranceInformation }, savedKey) => {
                    setEditedRow(null);
                    const current = toInsurances(insuranceInformation);
                    const addedRow = current.find(
                      ({ key }) => editedRow.key === null && key === savedKey,
                    );
                    if (addedRow) onChange(addRow(rows, addedRow));
                    else if (savedKey !== null) onChange(replaceRow(rows, savedKey, current));
                    // Undo in a new requisition restores the patient's rows from here.
                    if (patient?.insuranceInformation) {
                      form.setValue('patient', { ...patient, insuranceInformation });
                    }
                  }}
                />
              )}
              {viewedRow === null ? null : (
                <InsuranceDetails
                  row={viewedRow}
                  patientRows={patientRows}
                  onClose={() => setViewedRow(null)}
                />
              )}
            </ListArea>
          </Panel>
        );
      }}
    </Bound>
  );
}

interface BillingToolsProps extends Omit<ListEdits<Insurance>, 'onAdd' | 'controls'> {
  controls: ListControls;
  /** The patient's rows that are not on the list. */
  addableRows: readonly Insurance[];
  /** Adds a new row to the patient and the list; null if the user cannot. */
  onNew: (() => void) | null;
}

/** Adds one of the patient's rows, and offers all actions on the rows of the list. */
function BillingTools({ addableRows, onNew, controls: listControls, ...edits }: BillingToolsProps) {
  const [chosenKey, setChosenKey] = useState('');
  const rowToAdd = addableRows.find(({ key }) => key === chosenKey) ?? addableRows[0];
  const actions = useListActions({
    ...edits,
    controls: { ...listControls, add: rowToAdd !== undefined },
    // Without a row to add, a second button beside Add Insurance would only confuse.
    onAdd:
      rowToAdd === undefined
        ? undefined
        : () => {
            edits.onChange(addRow(edits.rows, rowToAdd));
            setChosenKey('');
          },
  });
  return (
    <div className={styles['tools']}>
      {addableRows.length > 0 ? (
        <SelectField
          label="Patient's insurance"
          hideLabel
          className={styles['addable']}
          value={rowToAdd?.key ?? ''}
          options={addableRows.map((row) => ({ value: row.key, label: formatRowName(row) }))}
          onChange={setChosenKey}
        />
      ) : null}
      {onNew === null ? null : (
        <Button size="small" variant="outlined" icon={<PlusIcon />} onClick={onNew}>
          Add Insurance
        </Button>
      )}
      <ListToolbar label="Billing" actions={actions} />
    </div>
  );
}

const formatRowName = (row: Insurance): string =>
  [row.payer?.name, row.insuranceId].filter(Boolean).join(', ');

function getEmptyText(patientId: number | null, patientRows: readonly Insurance[] | null): string {
  if (patientId === null) return 'Select a patient to see their insurance.';
  return patientRows?.length === 0 ? 'The patient has no insurance.' : 'No insurance chosen.';
}

function ErrorMessages({ error }: { error: unknown }) {
  const texts = collectErrorMessages(error);
  return texts.length === 0 ? null : (
    <div role="alert" className={styles['problem']}>
      {texts.join('. ')}
    </div>
  );
}

const buildColumns = (
  patientRows: readonly Insurance[] | null,
  /** Opens a row for completing; null for users who cannot. */
  complete: ((key: string) => void) | null,
): readonly RowColumn<Insurance>[] => [
  {
    id: 'position',
    title: '#',
    width: '34px',
    card: 'hidden',
    render: (row) => row.order,
  },
  { id: 'payer', title: 'Payer', card: 'title', render: (row) => row.payer?.name },
  { id: 'billType', title: 'Bill Type', render: (row) => row.billType?.name },
  { id: 'insuranceId', title: 'Insurance Id', render: (row) => row.insuranceId },
  { id: 'groupNumber', title: 'Group Number', render: (row) => row.groupNumber },
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
  {
    id: 'claim',
    title: 'Claim',
    render: (row) => <Claim row={row} patientRows={patientRows} complete={complete} />,
  },
];

/** What prevents a claim, and whether the patient's row has changed since. */
function Claim({
  row,
  patientRows,
  complete,
}: {
  row: Insurance;
  patientRows: readonly Insurance[] | null;
  complete: ((key: string) => void) | null;
}) {
  const warnings = [];
  const isMissing = findMissingFields(row).length > 0;
  const difference = compareWithPatient(row, patientRows);
  const isPatientRow = patientRows?.some(({ key }) => key === row.key) === true;
  if (difference.kind === 'changed') {
    warnings.push(say(messages.INSURANCE_CHANGED_SINCE, { fields: difference.fields.join(', ') }));
  }
  if (difference.kind === 'gone') warnings.push(messages.INSURANCE_NO_LONGER);
  if (warnings.length === 0 && !isMissing) return <span className="quiet">Complete</span>;
  return (
    <>
      {isMissing ? (
        <MissingMark
          name={formatInsuranceName(row)}
          onComplete={complete !== null && isPatientRow ? () => complete(row.key) : undefined}
        />
      ) : null}
      {warnings.map((warning) => (
        <span key={warning} className={styles['mark']}>
          <WarningSignIcon size={12} /> {warning}
        </span>
      ))}
    </>
  );
}
