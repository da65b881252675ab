import { Button, Callout, Spinner } from '@blueprintjs/core';
import { lazy, Suspense, useState } from 'react';

import { describeError, useCapabilities } from '../../api';
import { SelectField } from '../../components/fields/SelectField';
import { messages } from '../../contract';
import { DownloadConfirmation } from './DownloadConfirmation';
import { formatSize } from './size';
import styles from './labels.module.css';
import type { LabelPrinting } from './useLabelPrinting';

const PrintersDialog = lazy(() => import('./printers/PrintersDialog'));

/** The printer to use, saved on this workstation; in a plain browser a note that a PDF opens. */
export function PrinterChoice({ labelPrinting }: { labelPrinting: LabelPrinting }) {
  const { canPrintLabels, labels, printersError } = labelPrinting;
  const errors = [labels.error, printersError].filter((error) => error !== null);
  const downloadUrl = useCapabilities().lab?.desktopAppUrl;
  const { printClientFailure } = labelPrinting;
  const [answeredFailure, setAnsweredFailure] = useState<Error | null>(null);
  return (
    <>
      {downloadUrl && printClientFailure !== null && printClientFailure !== answeredFailure ? (
        <DownloadConfirmation
          url={downloadUrl}
          onClose={() => setAnsweredFailure(printClientFailure)}
        />
      ) : null}
      {labels.isFetching ? <Spinner size={24} aria-label="Loading labels" /> : null}
      {errors.map((error) => (
        <Callout key={String(error)} intent="danger" icon={false} role="alert">
          {describeError(error)}
        </Callout>
      ))}
      {!canPrintLabels ? <p className={styles['hint']}>{messages.LABELS_AS_PDF}</p> : null}
      {canPrintLabels && labelPrinting.hasNoPrinter ? (
        <div role="status">{messages.NO_PRINTERS}</div>
      ) : null}
      {canPrintLabels && !labelPrinting.hasNoPrinter && printersError === null ? (
        <>
          {labelPrinting.sizes.length > 1 ? (
            <div className={styles['size']}>
              <SelectField
                label="Label size"
                value={labelPrinting.printer?.size ?? ''}
                options={labelPrinting.sizes.map((size) => ({
                  value: size,
                  label: formatSize(size),
                }))}
                onChange={labelPrinting.chooseSize}
              />
            </div>
          ) : null}
          <SelectField
            label="Printer"
            value={labelPrinting.printer?.id ?? ''}
            options={labelPrinting.printers.map((printer) => ({
              value: printer.id,
              label: printer.name,
            }))}
            onChange={labelPrinting.choosePrinter}
          />
        </>
      ) : null}
    </>
  );
}

/**
 * Opens the printers of this workstation. A browser has no print client, and offers its download
 * page instead, if the lab has one.
 */
export function PrintersButton({ labelPrinting }: { labelPrinting: LabelPrinting }) {
  const [isDialogOpen, setIsDialogOpen] = useState(false);
  const downloadUrl = useCapabilities().lab?.desktopAppUrl;
  if (!labelPrinting.canPrintLabels && !downloadUrl) return null;
  const close = () => setIsDialogOpen(false);
  return (
    <>
      <Button variant="minimal" size="small" onClick={() => setIsDialogOpen(true)}>
        Printers
      </Button>
      {isDialogOpen && !labelPrinting.canPrintLabels && downloadUrl ? (
        <DownloadConfirmation url={downloadUrl} onClose={close} />
      ) : null}
      {isDialogOpen && labelPrinting.canPrintLabels ? (
        <Suspense>
          <PrintersDialog onClose={close} onChoose={labelPrinting.choosePrinter} />
        </Suspense>
      ) : null}
    </>
  );
}
