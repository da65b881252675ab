import { Switch } from '@blueprintjs/core';
import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { z } from 'zod';

import { ConfirmDialog } from '../../../components/dialogs/ConfirmDialog';
import { GuardedDialog } from '../../../components/dialogs/GuardedDialog';
import { DateField } from '../../../components/fields/DateField';
import { SelectField } from '../../../components/fields/SelectField';
import { MaskedField, TextField } from '../../../components/fields/TextField';
import { Bound } from '../../../components/forms/Bound';
import { useScreen } from '../../../components/useMedia';
import { isIsoDate, getToday } from '../../../lib/dates';
import { masks, PHONE_DIGITS } from '../../../lib/mask';
import { WarningSignIcon } from '../../../components/icons';
import { Gender, limits, messages, say } from '../../../contract';
import { AddressFields } from '../../addresses/components/AddressFields';
import { buildAddressRules, useFindZipCode, type FindZipCode } from '../../addresses/schema';
import {
  CLAIM_FIELDS,
  getOwnData,
  findMissingFields,
  findUnfinished,
  noPerson,
  SELF,
  completeFromPatient,
  isComplete,
  setLine,
  toLine,
  changeDifference,
  changeRelationship,
  type OwnData,
  type Insurance,
  type InsuredPerson,
} from '../rules';
import styles from './billing.module.css';
import { fieldLabels, InsuranceFields, relationships } from './InsuranceFields';

type Values = InsuredPerson & Pick<Insurance, 'relationship' | 'differentThanPatient'>;

const NAME_MAX = 100;
const genders = Object.values(Gender).map((value) => ({ value, label: value }));
const names = [
  ['lastName', 'Last Name'],
  ['firstName', 'First Name'],
  ['middleName', 'Middle Name'],
] as const;
const REQUIRED: readonly string[] = ['billType', 'payer', 'insuranceId'];
const NOTHING_REQUIRED = { address: false, zipCodeName: false, zipCodePlus4: false };

function validateBirthDate(date: string): string | null {
  if (date === '') return null;
  if (!isIsoDate(date)) return messages.DATE_INVALID;
  const isInRange = date >= limits.EARLIEST_BIRTH_DATE && date <= getToday();
  return isInRange ? null : messages.BIRTH_DATE_OUT_OF_RANGE;
}

/** Typed values must be valid; missing values can follow later (O 5). */
const buildSchema = (findZipCode: FindZipCode): z.ZodType<Values, Values> =>
  z.object({
    lastName: z.string(),
    firstName: z.string(),
    middleName: z.string(),
    birthDate: z.string().superRefine((date, context) => {
      const message = validateBirthDate(date);
      if (message !== null) context.addIssue({ code: 'custom', message });
    }),
    gender: z.string(),
    relationship: z.string(),
    differentThanPatient: z.boolean(),
    phone: z.string().refine((phone) => phone === '' || phone.length === PHONE_DIGITS, {
      message: messages.PHONE_INVALID,
    }),
    ...buildAddressRules(findZipCode, NOTHING_REQUIRED),
  });

const toFormValues = (row: Insurance): Values => ({
  ...(Object.fromEntries(
    Object.keys(noPerson).map((name) => [name, row[name as keyof InsuredPerson]]),
  ) as unknown as InsuredPerson),
  relationship: row.relationship,
  differentThanPatient: row.differentThanPatient,
});

interface BillingPopupProps {
  row: Insurance;
  patient: InsuredPerson;
  onClose: () => void;
  onSave: (row: Insurance) => void;
  /** Whether the row is being saved. */
  busy?: boolean;
  /** Whether the row is new, so that its payer and numbers are entered too. */
  isNew?: boolean;
}

/** The insured person and their address; 900 wide, 90vw on handhelds (P 9). */
export function BillingPopup({ row, patient, onClose, onSave, ...props }: BillingPopupProps) {
  const { busy = false, isNew = false } = props;
  const isHandheld = useScreen() !== 'desktop';
  const findZipCode = useFindZipCode();
  const schema = useMemo(() => buildSchema(findZipCode), [findZipCode]);
  const form = useForm<Values>({
    resolver: zodResolver(schema),
    defaultValues: toFormValues(completeFromPatient(row, patient)),
    mode: 'onTouched',
  });
  const { control } = form;
  const values = useWatch({ control }) as Values;
  const ownData = useRef<OwnData | null>(getOwnData(row, patient));
  const [line, changeLine] = useState(() => toLine(row));
  const newFields = useRef<HTMLDivElement>(null);
  /** Counts attempts to save an incomplete line; errors appear after the first. */
  const [rejections, setRejections] = useState(0);
  useEffect(() => {
    if (rejections === 0) return;
    newFields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [rejections]);
  const [rowToConfirm, setRowToConfirm] = useState<Insurance | null>(null);

  const isSelf = values.relationship === SELF && !values.differentThanPatient;
  const buildRow = (): Insurance => completeFromPatient({ ...row, ...form.getValues() }, patient);
  const missingFields = findMissingFields(completeFromPatient({ ...row, ...values }, patient));
  const renderHint = (name: (typeof CLAIM_FIELDS)[number]) =>
    missingFields.includes(name) ? (
      <span className={styles['missing']}>
        <WarningSignIcon size={12} /> {messages.MISSING_INFORMATION}
      </span>
    ) : undefined;

  const setValues = (next: Values) => {
    for (const name of Object.keys(next) as (keyof Values)[]) {
      form.setValue(name, next[name], { shouldDirty: true });
    }
    form.clearErrors();
  };
  const handleDifference = (isDifferent: boolean) => {
    const current = form.getValues();
    // Remember data typed for another person, whether the switch was turned on or off.
    ownData.current = getOwnData(current, patient) ?? ownData.current;
    setValues(changeDifference(current, isDifferent, patient, ownData.current));
  };
  const handleRelationship = (relationship: string) => {
    const current = form.getValues();
    ownData.current = getOwnData(current, patient) ?? ownData.current;
    setValues(changeRelationship(current, relationship, patient, ownData.current));
  };
  const submit = form.handleSubmit(() => {
    if (isNew && !isComplete(line)) {
      setRejections((count) => count + 1);
      return;
    }
    const next = isNew ? setLine(buildRow(), line) : buildRow();
    if (findMissingFields(next).length > 0) setRowToConfirm(next);
    else onSave(next);
  });

  return (
    <>
      <GuardedDialog
        isOpen
        title={isNew ? 'Add Insurance' : `Edit Billing: ${row.payer?.name ?? ''}`}
        width={isHandheld ? '90vw' : limits.DIALOG_BILLING_EDIT_WIDTH_PX}
        onClose={onClose}
        isDirty={form.formState.isDirty || findUnfinished(line, row) !== null}
        onSubmit={() => void submit()}
        busy={busy}
      >
        {isNew ? (
          <div ref={newFields}>
            <InsuranceFields
              line={line}
              onChange={changeLine}
              getError={(name) =>
                rejections > 0 && REQUIRED.includes(name) && !line[name]
                  ? say(messages.SELECTION_REQUIRED, { label: fieldLabels[name] })
                  : undefined
              }
              onEnter={() => void submit()}
              hidesRelationship
            />
          </div>
        ) : null}
        <div className={styles['person']}>
          <Bound control={control} name="relationship">
            {(field) => (
              <SelectField
                {...field}
                label={fieldLabels.relationship}
                placeholder=""
                options={relationships}
                helperText={renderHint('relationship')}
                onChange={handleRelationship}
              />
            )}
          </Bound>
          <Switch
            className={styles['different'] ?? ''}
            label="Different than patient"
            checked={values.differentThanPatient}
            onChange={(event) => handleDifference(event.currentTarget.checked)}
          />
          {names.map(([name, label]) => (
            <Bound key={name} control={control} name={name}>
              {(field) => (
                <TextField
                  {...field}
                  label={label}
                  upper
                  maxLength={NAME_MAX}
                  readOnly={isSelf}
                  helperText={name === 'middleName' ? undefined : renderHint(name)}
                />
              )}
            </Bound>
          ))}
          <Bound control={control} name="birthDate">
            {(field) => (
              <DateField
                {...field}
                label="Birth Date"
                min={limits.EARLIEST_BIRTH_DATE}
                max={getToday()}
                disabled={isSelf}
                helperText={renderHint('birthDate')}
              />
            )}
          </Bound>
          <Bound control={control} name="gender">
            {(field) => (
              <SelectField
                {...field}
                label="Gender"
                placeholder=""
                options={genders}
                disabled={isSelf}
                helperText={renderHint('gender')}
              />
            )}
          </Bound>
          <Bound control={control} name="phone">
            {(field) => <MaskedField {...field} label="Phone" mask={masks.phone} />}
          </Bound>
        </div>
        <AddressFields
          form={form}
          readOnly={{
            address: isSelf,
            zipCodeName: !values.differentThanPatient,
            zipCodePlus4: !values.differentThanPatient,
          }}
          hints={{ address: renderHint('address'), zipCodeName: renderHint('zipCodeName') }}
        />
      </GuardedDialog>
      <ConfirmDialog
        isOpen={rowToConfirm !== null}
        title={messages.CONFIRM_MISSING_INSURANCE_TITLE}
        message={messages.CONFIRM_MISSING_INSURANCE}
        confirmLabel="Save"
        onClose={() => setRowToConfirm(null)}
        onConfirm={() => {
          if (rowToConfirm !== null) onSave(rowToConfirm);
          setRowToConfirm(null);
        }}
      />
    </>
  );
}
