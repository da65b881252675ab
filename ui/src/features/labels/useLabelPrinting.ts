import { useMutation, useQuery } from '@tanstack/react-query';

import { describeError, useCapabilities } from '../../api';
import { toasts } from '../../components/toasts';
import { messages, say } from '../../contract';
import { useDevice, usePreference, type Label, type Printer } from '../../device';
import { buildLabelsDocument, labelsQuery, printersQuery } from './api';

/**
 * The labels of some requisitions and their destination: a printer of this workstation, or a PDF.
 */
export function useLabelPrinting(ids: readonly number[], onPrinted: () => void) {
  const device = useDevice();
  const { canPrintLabels } = useCapabilities();
  const [chosenId, setChosenId] = usePreference<string>('printer');
  const labels = useQuery(labelsQuery(ids));
  const printers = useQuery({
    ...printersQuery(device),
    enabled: canPrintLabels,
  });
  const availablePrinters: readonly Printer[] = printers.data ?? [];
  const printer =
    availablePrinters.find((candidate) => candidate.id === chosenId) ??
    availablePrinters.find((candidate) => candidate.isDefault) ??
    availablePrinters[0];

  // Not `useWrite`: printing has no idempotency key, and the user decides whether to print again.
  const printJob = useMutation({
    mutationFn: async (job: { labels: readonly Label[]; copies: number }) => {
      if (!canPrintLabels) return device.openDocument(buildLabelsDocument(ids));
      if (!printer) throw new Error(messages.NO_PRINTERS);
      return device.print({ printerId: printer.id, copies: job.copies, labels: [...job.labels] });
    },
    meta: { quiet: true },
    onSuccess: () => {
      if (printer) toasts.success(say(messages.LABELS_PRINTED, { printer: printer.name }));
      onPrinted();
    },
    onError: (error) => toasts.error(describeError(error)),
  });
  return {
    canPrintLabels,
    labels,
    printers: availablePrinters,
    /** Why the printers of this workstation could not be listed. */
    printersError: printers.error,
    hasNoPrinter: canPrintLabels && printers.isSuccess && availablePrinters.length === 0,
    printer,
    choosePrinter: setChosenId,
    handlePrinterAdded: (added: Printer) => {
      setChosenId(added.id);
      void printers.refetch();
    },
    canPrint:
      labels.isSuccess &&
      !labels.isFetching &&
      labels.data.length > 0 &&
      (!canPrintLabels || printer !== undefined),
    printJob,
  };
}

export type LabelPrinting = ReturnType<typeof useLabelPrinting>;
