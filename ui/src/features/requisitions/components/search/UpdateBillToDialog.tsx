import { useState } from 'react';

import { FormDialog } from '../../../../components/dialogs/FormDialog';
import { SelectField } from '../../../../components/fields/SelectField';
import { toasts } from '../../../../components/toasts';
import { useWrite } from '../../../../components/useWrite';
import { limits, messages } from '../../../../contract';
import { changeBillTo, type RequisitionRow } from '../../api';
import { billToOptions } from '../../billTo';

interface UpdateBillToDialogProps {
  rows: readonly RequisitionRow[];
  onClose: () => void;
  onChanged: () => void;
  /** Called when a requisition has changed since it was loaded, after the user was notified. */
  onStale: () => void;
}

/** Changes the bill-to of all chosen requisitions, or of none (O 2.5). */
export function UpdateBillToDialog({ rows, onClose, onChanged, onStale }: UpdateBillToDialogProps) {
  const [billTo, setBillTo] = useState('Insurance');
  const update = useWrite({
    send: (choice: string, key) => changeBillTo(rows, choice, key),
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
