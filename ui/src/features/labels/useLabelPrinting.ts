import { useMutation, useQuery } from '@tanstack/react-query';

import { describe, useCapabilities } from '../../api';
import { toasts } from '../../components/toasts';
import { messages, say } from '../../contract';
import { useDevice, usePreference, type Label, type Printer } from '../../device';
import { labelsDocument, labelsQuery, printersQuery } from './api';

/** The labels of some requisitions and where they can go: a printer of this workstation, or a PDF. */
export function useLabelPrinting(ids: readonly number[], onPrinted: () => void) {
  const device = useDevice();
  const { canPrintLabels } = useCapabilities();
  const [chosen, choose] = usePreference<string>('printer');
  const labels = useQuery(labelsQuery(ids));
  const printers = useQuery({
    ...printersQuery(device),
    enabled: canPrintLabels,
  });
  const known: readonly Printer[] = printers.data ?? [];
  const printer =
    known.find((one) => one.id === chosen) ?? known.find((one) => one.isDefault) ?? known[0];

  // No write to the portal: printing has no key, and the person says whether to print again.
  const printing = useMutation({
    mutationFn: async (job: { labels: readonly Label[]; copies: number }) => {
      if (!canPrintLabels) return device.openDocument(labelsDocument(ids));
      if (!printer) throw new Error(messages.NO_PRINTERS);
      return device.print({ printerId: printer.id, copies: job.copies, labels: [...job.labels] });
    },
    meta: { quiet: true },
    onSuccess: () => {
      if (printer) toasts.success(say(messages.LABELS_PRINTED, { printer: printer.name }));
      onPrinted();
    },
    onError: (error) => toasts.error(describe(error)),
  });
  return {
    canPrintLabels,
    labels,
    printers: known,
    /** Why the printers of this workstation could not be listed. */
    printersError: printers.error,
    noPrinter: canPrintLabels && printers.isSuccess && known.length === 0,
    printer,
    choosePrinter: choose,
    addedPrinter: (added: Printer) => {
      choose(added.id);
      void printers.refetch();
    },
    ready:
      labels.isSuccess &&
      !labels.isFetching &&
      labels.data.length > 0 &&
      (!canPrintLabels || printer !== undefined),
    printing,
  };
}

export type LabelPrinting = ReturnType<typeof useLabelPrinting>;
