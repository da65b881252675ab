import { FormDialog } from '../../components/dialogs/FormDialog';
import { limits } from '../../contract';
import { AddPrinter, PrinterChoice } from './PrinterChoice';
import { useLabelPrinting } from './useLabelPrinting';

interface PrintLabelDialogProps {
  /** The requisitions whose labels are printed. */
  ids: readonly number[];
  onClose: () => void;
}

/** Print Label (O 2.5): all labels of one or many requisitions to a printer of this workstation. */
export function PrintLabelDialog({ ids, onClose }: PrintLabelDialogProps) {
  const printing = useLabelPrinting(ids, onClose);
  const [width, height] = limits.DIALOG_PRINT_LABEL_PX;
  return (
    <FormDialog
      isOpen
      title="Print Label"
      width={width}
      height={height}
      onClose={onClose}
      onSubmit={() => printing.printing.mutate({ labels: printing.labels.data ?? [], copies: 1 })}
      submitLabel="Print"
      submitDisabled={!printing.ready}
      busy={printing.printing.isPending}
      extra={<AddPrinter printing={printing} />}
    >
      <PrinterChoice printing={printing} />
    </FormDialog>
  );
}
