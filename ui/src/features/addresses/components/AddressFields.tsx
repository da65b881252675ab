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

/** The parts of an address that are typed; city and state follow the zip code. */
export interface AddressValues {
  address: string;
  zipCodeName: string;
  zipCodePlus4: string;
}

type Part = keyof AddressValues;

interface AddressFieldsProps<Values extends AddressValues> {
  /** A form that holds an address among its values. */
  form: UseFormReturn<Values>;
  required?: boolean;
  /** Parts that are copied from elsewhere. */
  readOnly?: Readonly<Partial<Record<Part, boolean>>>;
  /** What to say under a part while nothing is wrong with it. */
  hints?: Readonly<Partial<Record<Part, ReactNode>>>;
}

/**
 * Address, zip code and zip plus 4, with city and state from the zip code (O 5). Where address
 * and zip are known and the four digits are empty, the address service is asked for them.
 */
export function AddressFields<Values extends AddressValues>(props: AddressFieldsProps<Values>) {
  const { required, readOnly = {}, hints = {} } = props;
  // react-hook-form's types do not let a form pass for one of a part of its values.
  const form = props.form as unknown as UseFormReturn<AddressValues>;
  const [address, zip] = useWatch({
    control: form.control,
    name: ['address', 'zipCodeName'],
  });
  const place = useQuery({ ...zipCodeQuery(zip), enabled: zip.length === ZIP_DIGITS });
  const found = zip.length === ZIP_DIGITS ? place.data : undefined;
  const unknown = found === null ? say(messages.ZIP_CODE_UNKNOWN, { code: zip }) : undefined;
  const [typing, setTyping] = useState(false);
  const lookup = usePlus4(
    form,
    readOnly.zipCodePlus4 ?? false,
    found ? { address: address.trim(), zip } : null,
    typing,
  );

  return (
    <div className={styles['address']}>
      <div
        role="presentation"
        className={styles['line']}
        onFocus={() => setTyping(true)}
        onBlur={() => setTyping(false)}
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
            error={field.error ?? unknown}
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
      <TextField label="City" value={found?.city ?? ''} readOnly tabIndex={-1} onChange={nothing} />
      <TextField
        label="State"
        value={found?.state ?? ''}
        readOnly
        tabIndex={-1}
        onChange={nothing}
      />
    </div>
  );
}

const nothing = () => undefined;

/** Asks once for each address, when the person has left it, and fills only an empty field. */
function usePlus4(
  form: UseFormReturn<AddressValues>,
  locked: boolean,
  known: { address: string; zip: string } | null,
  typing: boolean,
) {
  const question = known && known.address !== '' ? `${known.zip} ${known.address}` : null;
  const asked = useRef<string | null>(null);
  // A question, asked when somebody has left the field and not by what is drawn.
  const lookup = useMutation({
    mutationFn: ({ zip, address }: { zip: string; address: string }) => findZipPlus4(zip, address),
    meta: { quiet: true },
  });
  const { mutate } = lookup;
  const { isDirty } = useFormState({ control: form.control });

  useEffect(() => {
    if (question === null || typing || known === null) return;
    if (asked.current === question) return;
    asked.current = question;
    // What was here from the start is not looked up: opening a record changes nothing.
    if (!isDirty || locked || form.getValues('zipCodePlus4') !== '') return;
    mutate(known, {
      onSuccess: (digits) => {
        const { address, zipCodeName } = form.getValues();
        const same = `${zipCodeName} ${address.trim()}` === question;
        if (!same || form.getValues('zipCodePlus4') !== '') return;
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
