import { useState } from 'react';

import { FormDialog } from '../../../../components/dialogs/FormDialog';
import { SelectField } from '../../../../components/fields/SelectField';
import { toasts } from '../../../../components/toasts';
import { useWrite } from '../../../../components/useWrite';
import { limits, messages } from '../../../../contract';
import { changeBillTo } from '../../api';
import { billToOptions } from '../../billTo';

interface Versioned {
  id: number;
  version: number;
}

interface UpdateBillToDialogProps {
  rows: readonly Versioned[];
  /** Changes requisitions by default; pass another function for orders. */
  change?: (rows: readonly Versioned[], billTo: string, idempotencyKey: string) => Promise<unknown>;
  onClose: () => void;
  onChanged: () => void;
  /** Called when a record has changed since it was loaded, after the user was notified. */
  onStale: () => void;
}

/** Changes the bill-to of all chosen requisitions or orders, or of none (O 2.5, R 2.1). */
export function UpdateBillToDialog({
  rows,
  change = changeBillTo,
  onClose,
  onChanged,
  onStale,
}: UpdateBillToDialogProps) {
  const [billTo, setBillTo] = useState('Insurance');
  const update = useWrite({
    send: (choice: string, key) => change(rows, choice, key),
    onDone: () => {
      toasts.success(messages.BILL_TO_UPDATED);
      onChanged();
    },
    onStale,
  });
  const [width, height] = limits.DIALOG_UPDATE_BILL_TO_PX;
  return (
    <FormDialog
      isOpen
      title="Update Bill To"
      width={width}
      height={height}
      onClose={onClose}
      onSubmit={() => update.run(billTo)}
      submitLabel="Send"
      busy={update.isRunning}
    >
      <SelectField
        label="Bill To"
        hideLabel
        options={billToOptions}
        value={billTo}
        onChange={setBillTo}
      />
    </FormDialog>
  );
}
