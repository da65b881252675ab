import { Checkbox, NumericInput } from '@blueprintjs/core';
import { useState } from 'react';

import { FormDialog } from '../../components/dialogs/FormDialog';
import { FormField } from '../../components/fields/FormField';
import { limits } from '../../contract';
import { LabelPrints } from './LabelPrints';
import { PrintersButton, PrinterChoice } from './PrinterChoice';
import { PrintProgress } from './PrintProgress';
import styles from './labels.module.css';
import { useLabelPrinting } from './useLabelPrinting';

interface PrinterAndLabelDialogProps {
  requisitionId: number;
  /** The order that the requisition became, if its specimens are labeled. */
  orderId?: number;
  onClose: () => void;
}

/** Prints chosen labels of a requisition or its order: which, how often, and where (O 2.5). */
export function PrinterAndLabelDialog({
  requisitionId,
  orderId,
  onClose,
}: PrinterAndLabelDialogProps) {
  const [ids] = useState(() => [requisitionId]);
  const labelPrinting = useLabelPrinting(ids, {
    hasPreview: true,
    orderId: orderId ?? null,
    onPrinted: onClose,
  });
  const [excludedIndexes, setExcluded] = useState<ReadonlySet<number>>(new Set());
  // Text, so that the field can be emptied to type another number.
  const [typedText, setTypedText] = useState('1');
  const copies = Math.min(
    Math.max(1, Number.parseInt(typedText, 10) || 1),
    limits.LABEL_COPIES_MAX,
  );
  const labels = labelPrinting.labels.data ?? [];
  const includedLabels = labels.filter((_, index) => !excludedIndexes.has(index));
  const toggle = (index: number) => {
    const next = new Set(excludedIndexes);
    if (!next.delete(index)) next.add(index);
    setExcluded(next);
  };
  const [width, height] = limits.DIALOG_PRINTER_AND_LABEL_PX;
  return (
    <FormDialog
      isOpen
      title="Labels"
      width={width}
      height={height}
      onClose={onClose}
      onSubmit={() => labelPrinting.printMutation.mutate({ only: includedLabels, copies })}
      submitLabel="Print"
      submitDisabled={!labelPrinting.canPrint || includedLabels.length === 0}
      busy={labelPrinting.printMutation.isPending}
      extra={<PrintersButton labelPrinting={labelPrinting} />}
    >
      <PrintProgress printJob={labelPrinting.printJob} />
      <div className={styles['choice']}>
        <PrinterChoice labelPrinting={labelPrinting} />
        {labelPrinting.canPrintLabels ? (
          <FormField label="Copies">
            {(input) => (
              <NumericInput
                {...input}
                min={1}
                max={limits.LABEL_COPIES_MAX}
                clampValueOnBlur
                minorStepSize={null}
                value={typedText}
                onValueChange={(_, text) => setTypedText(text)}
                fill
              />
            )}
          </FormField>
        ) : null}
      </div>
      <LabelPrints requisitionId={requisitionId} />
      <ul
        className={styles['labels']}
        aria-label="Labels"
        // Without checkboxes, the keyboard scrolls through the pictures.
        tabIndex={labelPrinting.canPrintLabels ? undefined : 0}
      >
        {labels.map((label, index) => (
          <li key={label.key}>
            {labelPrinting.canPrintLabels ? (
              <Checkbox
                checked={!excludedIndexes.has(index)}
                label={label.title}
                onChange={() => toggle(index)}
              />
            ) : (
              <div className={styles['title']}>{label.title}</div>
            )}
            <img src={`data:image/png;base64,${label.image}`} alt={`Label: ${label.title}`} />
          </li>
        ))}
      </ul>
    </FormDialog>
  );
}
