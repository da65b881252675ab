import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useFormState, useWatch, type UseFormReturn } from 'react-hook-form';

import { MaskedField, TextField } from '../../../components/fields/TextField';
import { Bound } from '../../../components/forms/Bound';
import { masks } from '../../../lib/mask';
import { messages, say } from '../../../contract';
import { ADDRESS_MAX, findZipPlus4, ZIP_DIGITS, ZIP_PLUS4_DIGITS, zipCodeQuery } from '../api';
import { addressLabels } from '../fieldLabels';
import styles from './address.module.css';

/** The typed parts of an address; city and state follow the zip code. */
export interface AddressValues {
  address: string;
  zipCodeName: string;
  zipCodePlus4: string;
}

type Part = keyof AddressValues;

interface AddressFieldsProps<Values extends AddressValues> {
  /** A form with an address among its values. */
  form: UseFormReturn<Values>;
  required?: boolean;
  /** Parts that are copied from elsewhere. */
  readOnly?: Readonly<Partial<Record<Part, boolean>>>;
  /** Texts to show below a part that has no error. */
  hints?: Readonly<Partial<Record<Part, ReactNode>>>;
}

/**
 * Address, zip code and zip plus 4, with city and state from the zip code (O 5). Once address and
 * zip code are known, an empty zip plus 4 is looked up by the address service.
 */
export function AddressFields<Values extends AddressValues>(props: AddressFieldsProps<Values>) {
  const { required, readOnly = {}, hints = {} } = props;
  // For react-hook-form's types, a form with further values is not a form with these values.
  const form = props.form as unknown as UseFormReturn<AddressValues>;
  const [address, zip] = useWatch({
    control: form.control,
    name: ['address', 'zipCodeName'],
  });
  const zipCodeResult = useQuery({ ...zipCodeQuery(zip), enabled: zip.length === ZIP_DIGITS });
  const zipCode = zip.length === ZIP_DIGITS ? zipCodeResult.data : undefined;
  const unknownZipError =
    zipCode === null ? say(messages.ZIP_CODE_UNKNOWN, { code: zip }) : undefined;
  const [isTyping, setIsTyping] = useState(false);
  const lookup = useZipPlus4Lookup(
    form,
    readOnly.zipCodePlus4 ?? false,
    zipCode ? { address: address.trim(), zip } : null,
    isTyping,
  );

  return (
    <div className={styles['address']}>
      <div
        role="presentation"
        className={styles['line']}
        onFocus={() => setIsTyping(true)}
        onBlur={() => setIsTyping(false)}
      >
        <Bound control={form.control} name="address">
          {(field) => (
            <TextField
              {...field}
              label={addressLabels.address}
              required={required}
              upper
              maxLength={ADDRESS_MAX}
              readOnly={readOnly.address}
              helperText={hints.address}
            />
          )}
        </Bound>
      </div>
      <Bound control={form.control} name="zipCodeName">
        {(field) => (
          <MaskedField
            {...field}
            label={addressLabels.zipCodeName}
            required={required}
            mask={masks.zip}
            error={field.error ?? unknownZipError}
            readOnly={readOnly.zipCodeName}
            helperText={hints.zipCodeName}
          />
        )}
      </Bound>
      <Bound control={form.control} name="zipCodePlus4">
        {(field) => (
          <MaskedField
            {...field}
            label={addressLabels.zipCodePlus4}
            required={required}
            mask={masks.zipPlus4}
            readOnly={readOnly.zipCodePlus4}
            helperText={
              lookup.isError && field.value === ''
                ? messages.ZIP_CODE_PLUS4_UNAVAILABLE
                : hints.zipCodePlus4
            }
          />
        )}
      </Bound>
      <TextField
        label="City"
        value={zipCode?.city ?? ''}
        readOnly
        tabIndex={-1}
        onChange={ignoreChange}
      />
      <TextField
        label="State"
        value={zipCode?.state ?? ''}
        readOnly
        tabIndex={-1}
        onChange={ignoreChange}
      />
    </div>
  );
}

const ignoreChange = () => undefined;

/**
 * Looks up zip plus 4 once per address, after the user has left the field, and fills only an empty
 * field.
 */
function useZipPlus4Lookup(
  form: UseFormReturn<AddressValues>,
  isLocked: boolean,
  knownAddress: { address: string; zip: string } | null,
  isTyping: boolean,
) {
  const lookupKey =
    knownAddress && knownAddress.address !== ''
      ? `${knownAddress.zip} ${knownAddress.address}`
      : null;
  const lastLookupKey = useRef<string | null>(null);
  // A mutation, since it is triggered by leaving the field and not by rendering.
  const lookup = useMutation({
    mutationFn: ({ zip, address }: { zip: string; address: string }) => findZipPlus4(zip, address),
    meta: { quiet: true },
  });
  const { mutate } = lookup;
  const { isDirty } = useFormState({ control: form.control });

  useEffect(() => {
    if (lookupKey === null || isTyping || knownAddress === null) return;
    if (lastLookupKey.current === lookupKey) return;
    lastLookupKey.current = lookupKey;
    // The initial address is not looked up: opening a record must not change it.
    if (!isDirty || isLocked || form.getValues('zipCodePlus4') !== '') return;
    mutate(knownAddress, {
      onSuccess: (digits) => {
        const { address, zipCodeName } = form.getValues();
        const isUnchanged = `${zipCodeName} ${address.trim()}` === lookupKey;
        if (!isUnchanged || form.getValues('zipCodePlus4') !== '') return;
        if (!/^\d+$/.test(digits) || digits.length !== ZIP_PLUS4_DIGITS) return;
        form.setValue('zipCodePlus4', digits, {
          shouldDirty: true,
          shouldValidate: true,
        });
      },
    });
  });
  return lookup;
}
