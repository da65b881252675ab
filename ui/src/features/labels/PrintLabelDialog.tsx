import { FormDialog } from '../../components/dialogs/FormDialog';
import { limits } from '../../contract';
import { PrintersButton, PrinterChoice } from './PrinterChoice';
import { PrintProgress } from './PrintProgress';
import { useLabelPrinting } from './useLabelPrinting';

interface PrintLabelDialogProps {
  /** The requisitions whose labels are printed. */
  ids: readonly number[];
  onClose: () => void;
}

/** Prints all labels of one or more requisitions on a printer of this workstation (O 2.5). */
export function PrintLabelDialog({ ids, onClose }: PrintLabelDialogProps) {
  const labelPrinting = useLabelPrinting(ids, { hasPreview: false, onPrinted: onClose });
  const [width, height] = limits.DIALOG_PRINT_LABEL_PX;
  // The reason for a failure needs more room than the choice of a printer.
  const isSmall = labelPrinting.printJob.record === null && labelPrinting.sizes.length < 2;
  return (
    <FormDialog
      isOpen
      title="Print Label"
      width={width}
      height={isSmall ? height : undefined}
      onClose={onClose}
      onSubmit={() => labelPrinting.printMutation.mutate({ copies: 1 })}
      submitLabel="Print"
      submitDisabled={!labelPrinting.canPrint}
      busy={labelPrinting.printMutation.isPending}
      extra={<PrintersButton labelPrinting={labelPrinting} />}
    >
      <PrintProgress printJob={labelPrinting.printJob} />
      <PrinterChoice labelPrinting={labelPrinting} />
    </FormDialog>
  );
}
