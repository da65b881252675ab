import { Switch } from '@blueprintjs/core';
import { zodResolver } from '@hookform/resolvers/zod';
import { useMemo, useRef, useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { z } from 'zod';

import { ConfirmDialog } from '../../../components/dialogs/ConfirmDialog';
import { GuardedDialog } from '../../../components/dialogs/GuardedDialog';
import { DateField } from '../../../components/fields/DateField';
import { SelectField } from '../../../components/fields/SelectField';
import { MaskedField, TextField } from '../../../components/fields/TextField';
import { Bound } from '../../../components/forms/Bound';
import { useScreen } from '../../../components/useMedia';
import { isIsoDate, today } from '../../../lib/dates';
import { masks } from '../../../lib/mask';
import { WarningSignIcon } from '../../../components/icons';
import { Gender, limits, messages } from '../../../contract';
import { AddressFields } from '../../addresses/components/AddressFields';
import { addressRules, useFindPlace, type FindPlace } from '../../addresses/schema';
import {
  CLAIM_FIELDS,
  heldOf,
  missingFields,
  noPerson,
  SELF,
  completeFromPatient,
  withDifference,
  withRelationship,
  type Held,
  type Insurance,
  type InsuredPerson,
} from '../rules';
import styles from './billing.module.css';
import { entryLabels, relationships } from './InsuranceEntry';

type Values = InsuredPerson & Pick<Insurance, 'relationship' | 'differentThanPatient'>;

const NAME_MAX = 100;
const PHONE_DIGITS = 10;
const genders = Object.values(Gender).map((value) => ({ value, label: value }));
const names = [
  ['lastName', 'Last Name'],
  ['firstName', 'First Name'],
  ['middleName', 'Middle Name'],
] as const;
const nothingRequired = { address: false, zipCodeName: false, zipCodePlus4: false };

function birthDateProblem(date: string): string | null {
  if (date === '') return null;
  if (!isIsoDate(date)) return messages.DATE_INVALID;
  const inRange = date >= limits.EARLIEST_BIRTH_DATE && date <= today();
  return inRange ? null : messages.BIRTH_DATE_OUT_OF_RANGE;
}

/** What is typed must be well formed; whatever is missing can follow later (O 5). */
const schemaOf = (findPlace: FindPlace): z.ZodType<Values, Values> =>
  z.object({
    lastName: z.string(),
    firstName: z.string(),
    middleName: z.string(),
    birthDate: z.string().superRefine((date, context) => {
      const message = birthDateProblem(date);
      if (message !== null) context.addIssue({ code: 'custom', message });
    }),
    gender: z.string(),
    relationship: z.string(),
    differentThanPatient: z.boolean(),
    phone: z.string().refine((phone) => phone === '' || phone.length === PHONE_DIGITS, {
      message: messages.PHONE_INVALID,
    }),
    ...addressRules(findPlace, nothingRequired),
  });

const valuesOf = (row: Insurance): Values => ({
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
}

/** Who is insured, and where that person lives; 900 wide, 90vw on handhelds (P 9). */
export function BillingPopup({ row, patient, onClose, onSave }: BillingPopupProps) {
  const handheld = useScreen() !== 'desktop';
  const findPlace = useFindPlace();
  const schema = useMemo(() => schemaOf(findPlace), [findPlace]);
  const form = useForm<Values>({
    resolver: zodResolver(schema),
    defaultValues: valuesOf(completeFromPatient(row, patient)),
    mode: 'onTouched',
  });
  const { control } = form;
  const values = useWatch({ control }) as Values;
  const held = useRef<Held | null>(heldOf(row, patient));
  const [asking, setAsking] = useState<Insurance | null>(null);

  const own = values.relationship === SELF && !values.differentThanPatient;
  const current = (): Insurance => completeFromPatient({ ...row, ...form.getValues() }, patient);
  const missing = missingFields(completeFromPatient({ ...row, ...values }, patient));
  const hint = (name: (typeof CLAIM_FIELDS)[number]) =>
    missing.includes(name) ? (
      <span className={styles['missing']}>
        <WarningSignIcon size={12} /> {messages.MISSING_INFORMATION}
      </span>
    ) : undefined;

  const fill = (next: Values) => {
    for (const name of Object.keys(next) as (keyof Values)[]) {
      form.setValue(name, next[name], { shouldDirty: true });
    }
    form.clearErrors();
  };
  const differ = (different: boolean) => {
    const now = form.getValues();
    // What was typed of somebody else is theirs whichever way the switch goes.
    held.current = heldOf(now, patient) ?? held.current;
    fill(withDifference(now, different, patient, held.current));
  };
  const relate = (relationship: string) => {
    const now = form.getValues();
    held.current = heldOf(now, patient) ?? held.current;
    fill(withRelationship(now, relationship, patient, held.current));
  };
  const submit = form.handleSubmit(() => {
    const next = current();
    if (missingFields(next).length > 0) setAsking(next);
    else onSave(next);
  });

  return (
    <>
      <GuardedDialog
        isOpen
        title={`Edit Billing: ${row.payer?.name ?? ''}`}
        width={handheld ? '90vw' : limits.DIALOG_BILLING_EDIT_WIDTH_PX}
        onClose={onClose}
        isDirty={form.formState.isDirty}
        onSubmit={() => void submit()}
      >
        <div className={styles['person']}>
          <Bound control={control} name="relationship">
            {(field) => (
              <SelectField
                {...field}
                label={entryLabels.relationship}
                placeholder=""
                options={relationships}
                helperText={hint('relationship')}
                onChange={relate}
              />
            )}
          </Bound>
          <Switch
            className={styles['different'] ?? ''}
            label="Different than patient"
            checked={values.differentThanPatient}
            onChange={(event) => differ(event.currentTarget.checked)}
          />
          {names.map(([name, label]) => (
            <Bound key={name} control={control} name={name}>
              {(field) => (
                <TextField
                  {...field}
                  label={label}
                  upper
                  maxLength={NAME_MAX}
                  readOnly={own}
                  helperText={name === 'middleName' ? undefined : hint(name)}
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
                max={today()}
                disabled={own}
                helperText={hint('birthDate')}
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
                disabled={own}
                helperText={hint('gender')}
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
            address: own,
            zipCodeName: !values.differentThanPatient,
            zipCodePlus4: !values.differentThanPatient,
          }}
          hints={{ address: hint('address'), zipCodeName: hint('zipCodeName') }}
        />
      </GuardedDialog>
      <ConfirmDialog
        isOpen={asking !== null}
        title={messages.CONFIRM_MISSING_INSURANCE_TITLE}
        message={messages.CONFIRM_MISSING_INSURANCE}
        confirmLabel="Save"
        onClose={() => setAsking(null)}
        onConfirm={() => {
          if (asking !== null) onSave(asking);
        }}
      />
    </>
  );
}
