import { FormDialog } from '../../components/dialogs/FormDialog';
import { limits } from '../../contract';
import { AddPrinter, PrinterChoice } from './PrinterChoice';
import { useLabelPrinting } from './useLabelPrinting';

interface PrintLabelDialogProps {
  /** The requisitions whose labels are printed. */
  ids: readonly number[];
  onClose: () => void;
}

/** Prints all labels of one or more requisitions on a printer of this workstation (O 2.5). */
export function PrintLabelDialog({ ids, onClose }: PrintLabelDialogProps) {
  const labelPrinting = useLabelPrinting(ids, onClose);
  const [width, height] = limits.DIALOG_PRINT_LABEL_PX;
  return (
    <FormDialog
      isOpen
      title="Print Label"
      width={width}
      height={height}
      onClose={onClose}
      onSubmit={() =>
        labelPrinting.printJob.mutate({ labels: labelPrinting.labels.data ?? [], copies: 1 })
      }
      submitLabel="Print"
      submitDisabled={!labelPrinting.canPrint}
      busy={labelPrinting.printJob.isPending}
      extra={<AddPrinter labelPrinting={labelPrinting} />}
    >
      <PrinterChoice labelPrinting={labelPrinting} />
    </FormDialog>
  );
}
