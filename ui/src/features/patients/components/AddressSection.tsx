import { Switch } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useWatch, type UseFormReturn } from 'react-hook-form';

import { Bound, MaskedField, masks, Panel, TextField } from '../../../components';
import { messages, say } from '../../../contract';
import type { ClientRow } from '../../clients/api';
import { findZipCode } from '../api';
import { labels, lengths, ZIP_DIGITS, type PatientValues } from '../form';
import styles from './patientForm.module.css';

/** Copies the client's address and zip, or clears them when there is no client (O 5). */
export function fillFromClient(
  { setValue, formState }: UseFormReturn<PatientValues>,
  client: ClientRow | null,
): void {
  const change = { shouldDirty: true, shouldValidate: formState.isSubmitted };
  setValue('sameAsClientAddress', client !== null, change);
  setValue('address', client?.address ?? '', change);
  setValue('zipCodeName', client?.zipCode?.code ?? '', change);
  setValue('zipCodePlus4', client?.zipCodePlus4 ?? '', change);
}

/** Where the patient lives; city and state follow the zip code. */
export function AddressSection({ form }: { form: UseFormReturn<PatientValues> }) {
  const { control } = form;
  const client = useWatch({ control, name: 'client' });
  const same = useWatch({ control, name: 'sameAsClientAddress' });
  const zip = useWatch({ control, name: 'zipCodeName' });
  const complete = zip.length === ZIP_DIGITS;
  const place = useQuery({
    queryKey: ['zip-codes', zip],
    queryFn: ({ signal }) => findZipCode(zip, signal),
    enabled: complete,
    staleTime: Infinity,
    meta: { quiet: true },
  });
  const found = complete ? place.data : undefined;
  const unknown = found === null ? say(messages.ZIP_CODE_UNKNOWN, { code: zip }) : undefined;
  // What the client has is copied as it is; what it lacks can still be typed.
  const copied = (part: string | null | undefined) => same && Boolean(part);

  return (
    <Panel
      title="Address"
      aside={
        <Switch
          className={styles['same'] ?? ''}
          label={labels.sameAsClientAddress}
          checked={same}
          disabled={client === null}
          onChange={(event) => fillFromClient(form, event.currentTarget.checked ? client : null)}
        />
      }
    >
      <div className={styles['row']}>
        <Bound control={control} name="address">
          {(field) => (
            <TextField
              {...field}
              label={labels.address}
              className={`${styles['w4']} ${styles['wide']}`}
              required
              upper
              maxLength={lengths.address}
              readOnly={copied(client?.address)}
            />
          )}
        </Bound>
        <Bound control={control} name="zipCodeName">
          {(field) => (
            <MaskedField
              {...field}
              label={labels.zipCodeName}
              className={styles['w2']}
              required
              mask={masks.zip}
              error={field.error ?? unknown}
              readOnly={copied(client?.zipCode?.code)}
            />
          )}
        </Bound>
        <Bound control={control} name="zipCodePlus4">
          {(field) => (
            <MaskedField
              {...field}
              label={labels.zipCodePlus4}
              className={styles['w2']}
              required
              mask={masks.zipPlus4}
              readOnly={copied(client?.zipCodePlus4)}
            />
          )}
        </Bound>
        <TextField
          label="City"
          className={styles['w2']}
          value={found?.city ?? ''}
          readOnly
          onChange={() => undefined}
        />
        <TextField
          label="State"
          className={styles['w2']}
          value={found?.state ?? ''}
          readOnly
          onChange={() => undefined}
        />
      </div>
    </Panel>
  );
}
