import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useWatch, type UseFormReturn } from 'react-hook-form';

import { describeError, useProfile } from '../../../api';
import { ConfirmDialog } from '../../../components/dialogs/ConfirmDialog';
import { GuardedDialog } from '../../../components/dialogs/GuardedDialog';
import { DateField } from '../../../components/fields/DateField';
import { SelectField } from '../../../components/fields/SelectField';
import { Bound } from '../../../components/forms/Bound';
import {
  collectErrorMessages,
  getListMessage,
  getRowMessages,
} from '../../../components/forms/errorMessages';
import { useRecordForm } from '../../../components/forms/useRecordForm';
import { Loaded, toLoadState } from '../../../components/records/Loaded';
import { RichTextField } from '../../../components/richText/RichTextField';
import { toasts } from '../../../components/toasts';
import { useScreen } from '../../../components/useMedia';
import { Gender, limits, messages } from '../../../contract';
import { getToday } from '../../../lib/dates';
import { formatDateTime } from '../../../lib/dateTimes';
import { BillingEditor } from '../../billing/components/BillingEditor';
import { useBilling, type Billing } from '../../billing/useBilling';
import { ResponsibleParties } from '../../patients/components/ResponsibleParties';
import { PhysicianPicker } from '../../physicians/components/PhysicianPicker';
import { parseBillTo } from '../../requisitions/billTo';
import { Diagnoses, useValidity } from '../../requisitions/components/form/Diagnoses';
import { listOrderedTests } from '../../requisitions/diagnoses';
import { loadOrderBilling, orderBillingQuery, reloadOrder, saveOrderBilling } from '../api';
import {
  blankMissingInfo,
  buildMissingInfoSchema,
  buildOrderBillingWrite,
  describeMissing,
  fields,
  hasIncompleteInsurance,
  missingInfoOptions,
  toInsuredPatient,
  toMissingInfoValues,
  type MissingInfoValues,
  type OrderBilling,
} from '../missingInfo';
import styles from './orders.module.css';

interface MissingInfoDialogProps {
  orderId: number;
  onClose: () => void;
  /** Called after the order was saved. */
  onSaved: () => void;
}

const UNFINISHED_INSURANCE = {
  new: messages.INSURANCE_NOT_ADDED,
  changed: messages.INSURANCE_NOT_SAVED,
} as const;

/** Fills in the missing data of an order and its patient; 800 wide, 90vw on handhelds (R 2.4). */
export default function MissingInfoDialog({ orderId, onClose, onSaved }: MissingInfoDialogProps) {
  // Loaded only once: a newer copy would disturb the edits.
  const loadState = toLoadState(useQuery({ ...orderBillingQuery(orderId), staleTime: Infinity }));
  return loadState.data ? (
    <LoadedDialog record={loadState.data} onClose={onClose} onSaved={onSaved} />
  ) : (
    <GuardedDialog
      isOpen
      isDirty={false}
      title={messages.MISSING_INFORMATION}
      width={limits.DIALOG_MISSING_INFO_WIDTH_PX}
      onClose={onClose}
    >
      <Loaded loadState={loadState} explain={describeError}>
        {() => null}
      </Loaded>
    </GuardedDialog>
  );
}

type LoadedDialogProps = Omit<MissingInfoDialogProps, 'orderId'> & { record: OrderBilling };

function LoadedDialog({ record: initial, onClose, onSaved }: LoadedDialogProps) {
  const queries = useQueryClient();
  const { lastName, firstName } = useProfile();
  const isHandheld = useScreen() !== 'desktop';
  const billing = useBilling(parseBillTo(initial.billTo));
  const [error, setError] = useState<string | null>(null);
  const [isInsuranceUnfinished, setInsuranceUnfinished] = useState(false);
  const [isConfirming, setIsConfirming] = useState(false);
  const { form, submit, isSaving, isDirty, notices, ...recordForm } = useRecordForm<
    MissingInfoValues,
    OrderBilling
  >({
    schema: buildMissingInfoSchema(initial),
    defaults: blankMissingInfo,
    record: initial,
    toValues: toMissingInfoValues,
    save: (values, context, record = initial) =>
      saveOrderBilling(
        record.orderId,
        buildOrderBillingWrite(values, record, `${lastName}, ${firstName}`),
        context,
      ),
    reload: ({ orderId }) => loadOrderBilling(orderId),
    ...missingInfoOptions,
    showError: setError,
    onSaved: (order) => {
      toasts.success(messages.MISSING_INFO_SAVED);
      queries.setQueryData(orderBillingQuery(order.orderId).queryKey, order);
      reloadOrder(queries, order.orderId);
      onSaved();
    },
  });
  const record = recordForm.record ?? initial;
  const values = useWatch({ control: form.control }) as MissingInfoValues;

  const unfinishedKind = billing.findUnfinished(values.insurance);
  // Hide the message once the insurance was added, saved, or cleared.
  if (isInsuranceUnfinished && unfinishedKind === null) setInsuranceUnfinished(false);
  const problem =
    isInsuranceUnfinished && unfinishedKind !== null ? UNFINISHED_INSURANCE[unfinishedKind] : error;

  const save = async () => {
    setError(null);
    setInsuranceUnfinished(unfinishedKind !== null);
    if (unfinishedKind !== null) return;
    if (hasIncompleteInsurance(form.getValues(), record) && (await form.trigger())) {
      setIsConfirming(true);
    } else {
      await submit();
    }
  };
  return (
    <>
      <GuardedDialog
        isOpen
        isDirty={isDirty}
        title={messages.MISSING_INFORMATION}
        width={isHandheld ? '90vw' : limits.DIALOG_MISSING_INFO_WIDTH_PX}
        height={`${limits.DIALOG_MISSING_INFO_HEIGHT_VH}vh`}
        onClose={onClose}
        onSubmit={() => void save()}
        submitLabel="Save Information"
        submitDisabled={!record.canChange.allowed}
        busy={isSaving}
      >
        {notices}
        {problem === null ? null : (
          <p role="alert" className={styles['problem']}>
            {problem}
          </p>
        )}
        <p>
          <strong>
            {record.lastName}, {record.firstName}
          </strong>{' '}
          <span className="quiet">{record.orderCode}</span>
        </p>
        <p role="status">{describeMissing(values, record)}</p>
        <div className={styles['missingRow']}>
          <Bound control={form.control} name="birthDate">
            {(field) => (
              <DateField
                {...field}
                label={fields.birthDate.label}
                min={limits.EARLIEST_BIRTH_DATE}
                max={getToday()}
                required={record.canChangeBirthDate.allowed}
                disabled={!record.canChangeBirthDate.allowed}
                helperText={record.canChangeBirthDate.reason ?? undefined}
              />
            )}
          </Bound>
          <SelectField
            label="Gender"
            value={record.gender}
            options={Object.values(Gender).map((value) => ({ value, label: value }))}
            onChange={() => undefined}
            disabled
          />
          <Bound control={form.control} name="physician">
            {(field) => (
              <PhysicianPicker
                {...field}
                label={fields.physician.label}
                required
                disabled={!record.canChangePhysician.allowed}
                helperText={record.canChangePhysician.reason ?? undefined}
              />
            )}
          </Bound>
        </div>
        <DiagnosesSection form={form} record={record} />
        <BillingSections form={form} record={record} billing={billing} />
        <Section title={fields.comment.label}>
          <Bound control={form.control} name="comment">
            {(field) => (
              <RichTextField
                {...field}
                label={fields.comment.label}
                hideLabel
                disabled={!record.canChangeComment.allowed}
                helperText={record.canChangeComment.reason ?? undefined}
              />
            )}
          </Bound>
        </Section>
        {record.completions.length > 0 ? (
          <ul className="quiet">
            {record.completions.map(({ parts, userName, completedAt, wasSigned }) => (
              <li key={completedAt}>
                {parts.includes('billTo') ? 'Bill To changed' : 'Filled in'} by {userName} on{' '}
                {formatDateTime(completedAt)}
                {wasSigned ? ', after the order was signed' : ''}
              </li>
            ))}
          </ul>
        ) : null}
      </GuardedDialog>
      <ConfirmDialog
        isOpen={isConfirming}
        title={messages.CONFIRM_MISSING_INSURANCE_TITLE}
        message={messages.CONFIRM_MISSING_INSURANCE}
        confirmLabel="Save"
        onClose={() => setIsConfirming(false)}
        onConfirm={() => {
          setIsConfirming(false);
          void submit();
        }}
      />
    </>
  );
}

interface SectionProps {
  form: UseFormReturn<MissingInfoValues>;
  record: OrderBilling;
}

function DiagnosesSection({ form, record }: SectionProps) {
  const diagnoses = useWatch({ control: form.control, name: 'diagnoses' });
  const day = record.collectionDate.slice(0, 'yyyy-MM-dd'.length);
  const validity = useValidity(
    day,
    diagnoses.map(({ id }) => id),
  );
  return (
    <Section title={fields.diagnoses.label} reason={record.canChangeDiagnoses.reason}>
      <Bound control={form.control} name="diagnoses">
        {({ value, onChange }) => (
          <Diagnoses
            value={value}
            onChange={onChange}
            tests={listOrderedTests(record.tests)}
            day={day}
            validity={validity}
            error={collectErrorMessages(form.formState.errors.diagnoses).join('. ') || undefined}
            disabled={!record.canChangeDiagnoses.allowed}
          />
        )}
      </Bound>
    </Section>
  );
}

/** Insurance and responsible parties, which people who do not manage the patient cannot change. */
function BillingSections({ form, record, billing }: SectionProps & { billing: Billing }) {
  const { allowed, reason } = record.canChangeBilling;
  const values = useWatch({ control: form.control }) as MissingInfoValues;
  if (!allowed) {
    return (
      <Section title="Insurance Information and Responsible Parties" reason={reason}>
        {null}
      </Section>
    );
  }
  const { errors, defaultValues } = form.formState;
  return (
    <>
      <Section title={fields.insurance.label} reason={getListMessage(errors.insurance) ?? null}>
        <Bound control={form.control} name="insurance">
          {({ value, onChange }) => (
            <BillingEditor
              billing={billing}
              rows={value}
              onChange={onChange}
              patient={toInsuredPatient(values, record)}
              savedRows={(defaultValues?.insurance ?? []) as MissingInfoValues['insurance']}
              hidesBillTo
              getRowProblems={(index) => getRowMessages(errors.insurance, index)}
            />
          )}
        </Bound>
      </Section>
      <Section title={fields.parties.label} reason={getListMessage(errors.parties) ?? null}>
        <Bound control={form.control} name="parties">
          {({ value, onChange }) => (
            <ResponsibleParties
              parties={value}
              onChange={onChange}
              getRowProblems={(index) => getRowMessages(errors.parties, index)}
            />
          )}
        </Bound>
      </Section>
    </>
  );
}

interface SectionFrameProps {
  title: string;
  /** Why the section is locked, or what is wrong with it. */
  reason?: string | null;
  children: ReactNode;
}

function Section({ title, reason = null, children }: SectionFrameProps) {
  return (
    <section aria-label={title} className={styles['missingSection']}>
      <h3>{title}</h3>
      {reason === null ? null : <p className="quiet">{reason}</p>}
      {children}
    </section>
  );
}
