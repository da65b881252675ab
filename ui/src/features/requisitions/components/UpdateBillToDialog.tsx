import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import { describe, isStale, newIdempotencyKey } from '../../../api';
import { FormDialog } from '../../../components/dialogs/FormDialog';
import { SelectField } from '../../../components/fields/SelectField';
import { toasts } from '../../../components/toasts';
import { limits, messages } from '../../../contract';
import { changeBillTo, type RequisitionRow } from '../api';
import { billToOptions } from '../form';

interface UpdateBillToDialogProps {
  rows: readonly RequisitionRow[];
  onClose: () => void;
  onChanged: () => void;
  /** One of them changed since it was read; the person has been told. */
  onStale: () => void;
}

/** Changes who is billed for one or many, all or none (O 2.5). */
export function UpdateBillToDialog({ rows, onClose, onChanged, onStale }: UpdateBillToDialogProps) {
  const [billTo, setBillTo] = useState('Insurance');
  const [key, setKey] = useState(newIdempotencyKey);
  const sending = useMutation({
    mutationFn: () => changeBillTo(rows, billTo, key),
    meta: { quiet: true },
    onSuccess: () => {
      toasts.success(messages.BILL_TO_UPDATED);
      onChanged();
    },
    onError: (error) => {
      toasts.error(describe(error));
      if (isStale(error)) onStale();
    },
  });
  const [width, height] = limits.DIALOG_UPDATE_BILL_TO_PX;
  return (
    <FormDialog
      isOpen
      title="Update Bill To"
      width={width}
      height={height}
      onClose={onClose}
      onSubmit={() => sending.mutate()}
      submitLabel="Send"
      busy={sending.isPending}
    >
      <SelectField
        label="Bill To"
        hideLabel
        options={billToOptions}
        value={billTo}
        onChange={(choice) => {
          setBillTo(choice);
          // Another choice is another act.
          setKey(newIdempotencyKey());
        }}
      />
    </FormDialog>
  );
}
