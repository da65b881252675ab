import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import { ConfirmDialog } from '../../../../components/dialogs/ConfirmDialog';
import { FormDialog } from '../../../../components/dialogs/FormDialog';
import { SelectField } from '../../../../components/fields/SelectField';
import { showFailure } from '../../../../components/showFailure';
import { toasts } from '../../../../components/toasts';
import { useWrite } from '../../../../components/useWrite';
import { BillTo, limits, messages, say } from '../../../../contract';
import { changeBillTo, loadWithoutInsurance } from '../../api';
import { billToOptions, parseBillTo } from '../../billTo';

interface VersionedRecord {
  id: number;
  version: number;
}

interface UpdateBillToDialogProps {
  rows: readonly VersionedRecord[];
  /** The requisitions that list the insurance of the rows; by default the rows themselves. */
  requisitionIds?: readonly number[];
  /** Changes requisitions by default; pass another function for orders. */
  change?: (
    rows: readonly VersionedRecord[],
    billTo: string,
    idempotencyKey: string,
  ) => Promise<unknown>;
  onClose: () => void;
  onChanged: () => void;
  /** Called when a record has changed since it was loaded, after the user was notified. */
  onStale: () => void;
}

const TITLE = 'Update Bill To';

/**
 * Changes the bill-to of all chosen requisitions or orders, or of none (O 2.5, R 2.1). Asks before
 * insurance is billed where none is listed, as a save of one requisition does.
 */
export function UpdateBillToDialog({
  rows,
  requisitionIds = rows.map(({ id }) => id),
  change = changeBillTo,
  onClose,
  onChanged,
  onStale,
}: UpdateBillToDialogProps) {
  const [billTo, setBillTo] = useState('Insurance');
  const [withoutInsurance, setWithoutInsurance] = useState(0);
  const updateWrite = useWrite({
    send: (choice: string, key) => change(rows, choice, key),
    onDone: () => {
      toasts.success(messages.BILL_TO_UPDATED);
      onChanged();
    },
    onStale,
  });
  const insuranceCheck = useMutation({
    mutationFn: () => loadWithoutInsurance(requisitionIds),
    meta: { quiet: true },
    onSuccess: ({ length }) => {
      if (length === 0) updateWrite.run(billTo);
      else setWithoutInsurance(length);
    },
    onError: (error) => showFailure(error, { isExplained: false }),
  });
  const submit = () => {
    if (parseBillTo(billTo) === BillTo.INSURANCE) insuranceCheck.mutate();
    else updateWrite.run(billTo);
  };
  const [width, height] = limits.DIALOG_UPDATE_BILL_TO_PX;

  if (withoutInsurance > 0) {
    const counts = { count: withoutInsurance, total: rows.length };
    return (
      <ConfirmDialog
        isOpen
        title={TITLE}
        message={say(messages.BILL_TO_WITHOUT_INSURANCE, counts)}
        confirmLabel="Send anyway"
        cancelLabel="Go back"
        onConfirm={() => {
          setWithoutInsurance(0);
          updateWrite.run(billTo);
        }}
        onClose={() => setWithoutInsurance(0)}
      />
    );
  }
  return (
    <FormDialog
      isOpen
      title={TITLE}
      width={width}
      height={height}
      onClose={onClose}
      onSubmit={submit}
      submitLabel="Send"
      busy={insuranceCheck.isPending || updateWrite.isRunning}
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
