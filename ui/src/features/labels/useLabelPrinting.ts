import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';

import { ApiError, describeError, NO_RESPONSE, useCapabilities } from '../../api';
import { toasts } from '../../components/toasts';
import { messages, say } from '../../contract';
import { useDevice, type Printer, type PrintRecord } from '../../device';
import {
  buildLabelsDocument,
  getStock,
  labelsQuery,
  printersQuery,
  startLabelPrint,
  type PrintedLabel,
} from './api';
import { describeFailure } from './progress';
import { useDefaultPrinter } from './useDefaultPrinter';
import { usePrintJob } from './usePrintJob';

export interface ChosenLabels {
  /** The labels to print; if absent, all labels of the requisitions. */
  only?: readonly PrintedLabel[];
  copies: number;
}

interface Options {
  /** Whether the labels are shown before they are printed. */
  hasPreview: boolean;
  /** The order whose labels are shown, in place of those of `ids`. */
  orderId?: number | null;
  onPrinted: () => void;
}

/**
 * The labels of some requisitions and their destination: a printer of this workstation, or a PDF.
 */
export function useLabelPrinting(ids: readonly number[], options: Options) {
  const { hasPreview, orderId = null, onPrinted } = options;
  const device = useDevice();
  const { canPrintLabels, lab, workstation = '' } = useCapabilities();
  const printers = useQuery({ ...printersQuery(device), enabled: canPrintLabels });
  const availablePrinters: readonly Printer[] = printers.data ?? [];
  const defaultPrinter = useDefaultPrinter(availablePrinters);
  const { printer } = defaultPrinter;
  const hasDestination = !canPrintLabels || !printers.isPending;
  const labels = useQuery({
    ...labelsQuery(ids, orderId, getStock(printer)),
    enabled: hasPreview && hasDestination,
  });
  const printJob = usePrintJob();
  // A job that failed before the printer got it keeps its id, so that it counts as one print.
  const claim = useRef({ request: '', job: '' });

  // Not `useWrite`: the job's id is the idempotency key, at the portal and at the printer.
  const printMutation = useMutation({
    mutationFn: async ({ only, copies }: ChosenLabels): Promise<PrintRecord | null> => {
      if (!canPrintLabels) {
        await device.openDocument(buildLabelsDocument(ids));
        return null;
      }
      if (!printer) throw new Error(messages.NO_PRINTERS);
      const choice = only?.map(({ requisitionId, key }) => ({ requisitionId, key }));
      const request = {
        ids: [...ids],
        ...(choice && { only: choice }),
        copies,
        printer: printer.name,
        workstation,
        ...getStock(printer),
      };
      const text = JSON.stringify(request);
      if (claim.current.request !== text)
        claim.current = { request: text, job: crypto.randomUUID() };
      const { job } = claim.current;
      const labelPrint = await startLabelPrint({ ...request, job });
      return printJob.run(job, async () => {
        const record = await device.startPrint({
          id: job,
          printerId: printer.id,
          copies,
          labels: labelPrint.labels.map(({ title, image, zpl, epl }) => ({
            title,
            image,
            zpl,
            epl,
          })),
          codes: labelPrint.codes,
        });
        claim.current = { request: '', job: '' };
        return record;
      });
    },
    meta: { quiet: true },
    onSuccess: (record) => {
      if (record?.state === 'failed') {
        // An open dialog shows the failure. After it was closed, a toast must show it.
        if (!printJob.isShown()) toasts.error(describeFailure(record));
        return;
      }
      if (record) announce(record);
      if (printJob.isShown()) onPrinted();
    },
    onError: (error) => {
      // The next try prints different labels, so it is another print.
      if (error instanceof ApiError && error.code === 'labels_changed')
        claim.current = { request: '', job: '' };
      // Without a response, the app is not running, and its download page is offered.
      if (!lab?.desktopAppUrl || !isNoResponse(error)) toasts.error(describeError(error));
    },
  });
  const failure = [printMutation.error, printers.error].find(isNoResponse) ?? null;
  return {
    canPrintLabels,
    labels,
    printers: availablePrinters,
    /** Why the printers of this workstation could not be listed. */
    printersError: printers.error,
    /** The failure of a desktop app that does not answer: no print client runs (O 8). */
    printClientFailure: canPrintLabels ? failure : null,
    hasNoPrinter: canPrintLabels && printers.isSuccess && availablePrinters.length === 0,
    printer,
    sizes: defaultPrinter.sizes,
    choosePrinter: defaultPrinter.choose,
    chooseSize: defaultPrinter.chooseSize,
    canPrint:
      (!hasPreview || (labels.isSuccess && !labels.isFetching && labels.data.length > 0)) &&
      (!canPrintLabels || printer !== undefined),
    printMutation,
    printJob,
  };
}

const isNoResponse = (error: unknown): boolean =>
  error instanceof ApiError && error.status === NO_RESPONSE;

/** Announces the end of a successful print. */
function announce(record: PrintRecord): void {
  const { printer, labels, printed } = record;
  if (record.state === 'stopped') {
    toasts.warning(say(messages.LABELS_STOPPED, { printed, labels }));
    return;
  }
  const text = record.state === 'confirmed' ? messages.LABELS_CONFIRMED : messages.LABELS_PRINTED;
  toasts.success(say(text, { printer }));
  if (record.form === 'png') toasts.warning(say(messages.LABELS_AS_IMAGES, { printer }));
}

export type LabelPrinting = ReturnType<typeof useLabelPrinting>;
