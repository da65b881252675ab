import { Button, Callout, Spinner } from '@blueprintjs/core';
import { useState } from 'react';

import { describe } from '../../api';
import { SelectField } from '../../components/fields/SelectField';
import { messages } from '../../contract';
import { AddPrinterDialog } from './AddPrinterDialog';
import styles from './labels.module.css';
import type { LabelPrinting } from './useLabelPrinting';

/** The printer to use, kept on this workstation; in a plain browser that a PDF will open. */
export function PrinterChoice({ printing }: { printing: LabelPrinting }) {
  const { canPrintLabels, labels, printersError } = printing;
  const failures = [labels.error, printersError].filter((failure) => failure !== null);
  return (
    <>
      {labels.isFetching ? <Spinner size={24} aria-label="Loading labels" /> : null}
      {failures.map((failure) => (
        <Callout key={String(failure)} intent="danger" icon={false} role="alert">
          {describe(failure)}
        </Callout>
      ))}
      {!canPrintLabels ? <p className={styles['hint']}>{messages.LABELS_AS_PDF}</p> : null}
      {canPrintLabels && printing.noPrinter ? (
        <div role="status">{messages.NO_PRINTERS}</div>
      ) : null}
      {canPrintLabels && !printing.noPrinter && printersError === null ? (
        <SelectField
          label="Printer"
          value={printing.printer?.id ?? ''}
          options={printing.printers.map((one) => ({ value: one.id, label: one.name }))}
          onChange={printing.choosePrinter}
        />
      ) : null}
    </>
  );
}

/** Sets up a label printer on the network; only where labels are printed at all. */
export function AddPrinter({ printing }: { printing: LabelPrinting }) {
  const [adding, setAdding] = useState(false);
  if (!printing.canPrintLabels) return null;
  return (
    <>
      <Button variant="minimal" size="small" onClick={() => setAdding(true)}>
        Add printer
      </Button>
      {adding ? (
        <AddPrinterDialog
          onClose={() => setAdding(false)}
          onAdded={(added) => {
            setAdding(false);
            printing.addedPrinter(added);
          }}
        />
      ) : null}
    </>
  );
}
