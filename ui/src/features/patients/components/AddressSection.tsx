import { Switch } from '@blueprintjs/core';
import { useWatch, type UseFormReturn } from 'react-hook-form';

import { Panel } from '../../../components/Panel';
import { AddressFields } from '../../addresses/components/AddressFields';
import type { ClientRow } from '../../clients/api';
import { labels, type PatientValues } from '../fields';
import styles from './patientForm.module.css';

/** Copies the client's address and zip code, or clears them without a client (O 5). */
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

/** The patient's address; city and state follow the zip code. */
export function AddressSection({ form }: { form: UseFormReturn<PatientValues> }) {
  const { control } = form;
  const client = useWatch({ control, name: 'client' });
  const isSameAsClient = useWatch({ control, name: 'sameAsClientAddress' });
  // Parts copied from the client are read-only; parts that the client lacks can be typed.
  const isCopied = (part: string | null | undefined) => isSameAsClient && Boolean(part);

  return (
    <Panel
      title="Address"
      aside={
        <Switch
          className={styles['sameAsClient'] ?? ''}
          label={labels.sameAsClientAddress}
          checked={isSameAsClient}
          disabled={client === null}
          onChange={(event) => fillFromClient(form, event.currentTarget.checked ? client : null)}
        />
      }
    >
      <AddressFields
        form={form}
        required
        readOnly={{
          address: isCopied(client?.address),
          zipCodeName: isCopied(client?.zipCode?.code),
          zipCodePlus4: isCopied(client?.zipCodePlus4),
        }}
      />
    </Panel>
  );
}
