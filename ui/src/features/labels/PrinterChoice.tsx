import { Button, Callout, Spinner } from '@blueprintjs/core';
import { useState } from 'react';

import { describeError } from '../../api';
import { SelectField } from '../../components/fields/SelectField';
import { messages } from '../../contract';
import { AddPrinterDialog } from './AddPrinterDialog';
import styles from './labels.module.css';
import type { LabelPrinting } from './useLabelPrinting';

/** The printer to use, saved on this workstation; in a plain browser a note that a PDF opens. */
export function PrinterChoice({ labelPrinting }: { labelPrinting: LabelPrinting }) {
  const { canPrintLabels, labels, printersError } = labelPrinting;
  const errors = [labels.error, printersError].filter((error) => error !== null);
  return (
    <>
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
        <SelectField
          label="Printer"
          value={labelPrinting.printer?.id ?? ''}
          options={labelPrinting.printers.map((printer) => ({
            value: printer.id,
            label: printer.name,
          }))}
          onChange={labelPrinting.choosePrinter}
        />
      ) : null}
    </>
  );
}

/** Sets up a network label printer; hidden if this host cannot print labels. */
export function AddPrinter({ labelPrinting }: { labelPrinting: LabelPrinting }) {
  const [isDialogOpen, setIsDialogOpen] = useState(false);
  if (!labelPrinting.canPrintLabels) return null;
  return (
    <>
      <Button variant="minimal" size="small" onClick={() => setIsDialogOpen(true)}>
        Add printer
      </Button>
      {isDialogOpen ? (
        <AddPrinterDialog
          onClose={() => setIsDialogOpen(false)}
          onAdded={(added) => {
            setIsDialogOpen(false);
            labelPrinting.handlePrinterAdded(added);
          }}
        />
      ) : null}
    </>
  );
}
