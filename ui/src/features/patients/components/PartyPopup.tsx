import { zodResolver } from '@hookform/resolvers/zod';
import { useMemo } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';

import { GuardedDialog } from '../../../components/dialogs/GuardedDialog';
import { MaskedField, TextField } from '../../../components/fields/TextField';
import { Bound } from '../../../components/forms/Bound';
import { buildDigitsRule, buildRequiredRule } from '../../../components/forms/textRules';
import { toasts } from '../../../components/toasts';
import { useScreen } from '../../../components/useMedia';
import { masks, PHONE_DIGITS } from '../../../lib/mask';
import { limits, messages, say } from '../../../contract';
import { AddressFields } from '../../addresses/components/AddressFields';
import { buildAddressRules, useFindZipCode, type FindZipCode } from '../../addresses/schema';
import { lengths } from '../form';
import { blankParty, type PartyValues } from '../parties';
import styles from './patientForm.module.css';

/** The rules of O 5: names, phone, address and zip plus 4. A toast reports a missing zip code. */
const buildSchema = (findZipCode: FindZipCode): z.ZodType<PartyValues, PartyValues> =>
  z.object({
    lastName: buildRequiredRule(messages.LAST_NAME_REQUIRED),
    firstName: buildRequiredRule(messages.FIRST_NAME_REQUIRED),
    phone: z
      .string()
      .min(1, say(messages.SELECTION_REQUIRED, { label: 'Phone' }))
      .pipe(buildDigitsRule(PHONE_DIGITS, messages.PHONE_INVALID)),
    mobile: buildDigitsRule(PHONE_DIGITS, messages.MOBILE_INVALID),
    fax: buildDigitsRule(PHONE_DIGITS, messages.FAX_INVALID),
    ...buildAddressRules(findZipCode, { address: true, zipCodeName: true, zipCodePlus4: true }),
  });

const names = [
  ['lastName', 'Last Name'],
  ['firstName', 'First Name'],
] as const;
const numbers = [
  ['phone', 'Phone'],
  ['mobile', 'Mobile'],
  ['fax', 'Fax'],
] as const;

interface PartyPopupProps {
  /** null for a new party. */
  party: PartyValues | null;
  onClose: () => void;
  onSave: (values: PartyValues) => void;
}

/** The dialog of a responsible party; 840 wide, 90vw on phones (O 2.5). */
export function PartyPopup({ party, onClose, onSave }: PartyPopupProps) {
  const isTablet = useScreen() === 'tablet';
  const findZipCode = useFindZipCode();
  const schema = useMemo(() => buildSchema(findZipCode), [findZipCode]);
  const form = useForm<PartyValues>({
    resolver: zodResolver(schema),
    defaultValues: party ?? blankParty,
    mode: 'onTouched',
  });
  const { control } = form;
  const submit = form.handleSubmit(
    (values) => onSave(values),
    () => {
      if (form.getValues('zipCodeName') === '') toasts.error(messages.MISSING_ADDRESS);
    },
  );

  return (
    <GuardedDialog
      isOpen
      title={party === null ? 'New Responsible Party' : 'Edit Responsible Party'}
      width={isTablet ? '90vw' : limits.DIALOG_RESPONSIBLE_PARTY_WIDTH_PX}
      onClose={onClose}
      isDirty={form.formState.isDirty}
      onSubmit={() => void submit()}
    >
      <div className={styles['row']}>
        {names.map(([name, label]) => (
          <Bound key={name} control={control} name={name}>
            {(field) => (
              <TextField
                {...field}
                label={label}
                className={`${styles['w6']} ${styles['wide']}`}
                required
                upper
                maxLength={lengths.name}
              />
            )}
          </Bound>
        ))}
        {numbers.map(([name, label]) => (
          <Bound key={name} control={control} name={name}>
            {(field) => (
              <MaskedField
                {...field}
                label={label}
                className={`${styles['w4']} ${name === 'phone' ? styles['wide'] : ''}`}
                required={name === 'phone'}
                mask={masks.phone}
              />
            )}
          </Bound>
        ))}
      </div>
      <AddressFields form={form} required />
    </GuardedDialog>
  );
}
