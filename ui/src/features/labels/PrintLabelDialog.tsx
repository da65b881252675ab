import { Button, Callout, Spinner } from '@blueprintjs/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { describe, useCapabilities } from '../../api';
import { FormDialog, SelectField, toasts } from '../../components';
import { PrintIcon } from '../../components/icons';
import { limits, messages, say } from '../../contract';
import { useDevice, usePreference, type Label } from '../../device';
import { AddPrinterDialog } from './AddPrinterDialog';
import styles from './labels.module.css';
import { printPictures } from './printPictures';

interface PrintLabelDialogProps {
  /** Names what is printed, for caching. */
  queryKey: readonly unknown[];
  load: (signal: AbortSignal) => Promise<Label[]>;
  onClose: () => void;
}

/** Print Label (O 2.5): to a printer of this workstation, else as pictures from the browser. */
export function PrintLabelDialog(props: PrintLabelDialogProps) {
  const { canPrintLabels } = useCapabilities();
  const labels = useQuery({
    queryKey: [...props.queryKey, 'labels'],
    queryFn: ({ signal }) => props.load(signal),
    meta: { quiet: true },
  });
  const content = labels.isPending ? (
    <Spinner size={24} />
  ) : labels.isError ? (
    <Callout intent="danger" icon={false} role="alert">
      {describe(labels.error)}
    </Callout>
  ) : null;
  return canPrintLabels ? (
    <ToPrinter labels={labels.data ?? []} notice={content} onClose={props.onClose} />
  ) : (
    <AsPictures labels={labels.data ?? []} notice={content} onClose={props.onClose} />
  );
}

interface PartProps {
  labels: readonly Label[];
  notice: React.ReactNode;
  onClose: () => void;
}

function ToPrinter({ labels, notice, onClose }: PartProps) {
  const device = useDevice();
  const [chosen, choose] = usePreference<string>('printer');
  const [adding, setAdding] = useState(false);
  const printers = useQuery({
    queryKey: ['device', 'printers'],
    queryFn: () => device.printers(),
    meta: { quiet: true },
  });
  const known = printers.data ?? [];
  const printer =
    known.find((one) => one.id === chosen) ?? known.find((one) => one.isDefault) ?? known[0];

  const printing = useMutation({
    mutationFn: (printerId: string) => device.print({ printerId, copies: 1, labels: [...labels] }),
    meta: { quiet: true },
    onSuccess: () => {
      toasts.success(say(messages.LABELS_PRINTED, { printer: printer?.name ?? '' }));
      onClose();
    },
    onError: (error) => toasts.error(describe(error)),
  });

  const [width, height] = limits.DIALOG_PRINT_LABEL_PX;
  return (
    <FormDialog
      isOpen
      title="Print Label"
      width={width}
      height={height}
      onClose={onClose}
      onSubmit={() => {
        if (printer) printing.mutate(printer.id);
      }}
      submitLabel="Print"
      submitDisabled={!printer || labels.length === 0}
      busy={printing.isPending}
      extra={
        <Button variant="minimal" size="small" onClick={() => setAdding(true)}>
          Add printer
        </Button>
      }
    >
      {notice}
      {printers.isSuccess && known.length === 0 ? (
        <div role="status">{messages.NO_PRINTERS}</div>
      ) : (
        <SelectField
          label="Printer"
          value={printer?.id ?? ''}
          options={known.map((one) => ({ value: one.id, label: one.name }))}
          onChange={choose}
        />
      )}
      {adding ? (
        <AddPrinterDialog
          onClose={() => setAdding(false)}
          onAdded={(added) => {
            choose(added.id);
            setAdding(false);
            void printers.refetch();
          }}
        />
      ) : null}
    </FormDialog>
  );
}

function AsPictures({ labels, notice, onClose }: PartProps) {
  const [width, height] = limits.DIALOG_PRINTER_AND_LABEL_PX;
  return (
    <FormDialog
      isOpen
      title="Print Label"
      width={width}
      height={height}
      onClose={onClose}
      onSubmit={() => printPictures(labels.map((label) => label.image))}
      submitLabel="Print"
      submitDisabled={labels.length === 0}
    >
      {notice}
      <ul className={styles['labels']} aria-label="Labels">
        {labels.map((label, index) => (
          <li key={`${label.title}-${index}`}>
            <div className={styles['title']}>
              <span>{label.title}</span>
              <Button
                variant="minimal"
                size="small"
                icon={<PrintIcon />}
                aria-label={`Print ${label.title}`}
                onClick={() => printPictures([label.image])}
              />
            </div>
            <img src={`data:image/png;base64,${label.image}`} alt={`Label: ${label.title}`} />
          </li>
        ))}
      </ul>
    </FormDialog>
  );
}
