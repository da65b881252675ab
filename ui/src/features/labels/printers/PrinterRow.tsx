import { Button, Radio, Tag } from '@blueprintjs/core';
import { useMutation, useQuery } from '@tanstack/react-query';

import { describeError } from '../../../api';
import { ActButton } from '../../../components/ActButton';
import { toasts } from '../../../components/toasts';
import { messages, say } from '../../../contract';
import { useDevice, type Printer, type PrinterStatus } from '../../../device';
import { formatInstant } from '../../../lib/instants';
import { printerStatusQuery } from '../api';
import { describeFailure, describeProblems } from '../progress';
import { formatSize } from '../size';
import { usePrintJob } from '../usePrintJob';
import { formatChanges } from './printerFields';
import styles from './printers.module.css';

interface PrinterRowProps {
  printer: Printer;
  isDefault: boolean;
  onChoose: () => void;
  onEdit: () => void;
  onRemove: () => void;
}

/** A printer with its live status, and what can be done with it. */
export function PrinterRow({ printer, isDefault, onChoose, onEdit, onRemove }: PrinterRowProps) {
  const device = useDevice();
  const status = useQuery(printerStatusQuery(device, printer.id));
  const printJob = usePrintJob();
  const testMutation = useMutation({
    mutationFn: () => {
      const id = crypto.randomUUID();
      return printJob.run(id, () => device.startRuler(printer.id, id));
    },
    meta: { quiet: true },
    onSuccess: (record) =>
      record.state === 'failed'
        ? toasts.error(describeFailure(record))
        : toasts.success(say(messages.TEST_LABEL_SENT, { printer: printer.name })),
    onError: (error) => toasts.error(describeError(error)),
  });
  return (
    <tr>
      <td>
        <Radio
          name={`default-printer-${printer.size}`}
          checked={isDefault}
          aria-label={`Use ${printer.name}`}
          className={styles['radio']}
          onChange={onChoose}
        />
      </td>
      <td>
        {printer.name}
        <div className={styles['quiet']}>{printer.address}</div>
        {printer.changedBy && printer.changedAt ? (
          <div className={styles['quiet']}>
            {say(
              printer.changedSettings.length > 0
                ? messages.PRINTER_SETTINGS_CHANGED
                : messages.PRINTER_CHANGED,
              {
                person: printer.changedBy,
                time: formatInstant(printer.changedAt),
                settings: formatChanges(printer.changedSettings),
              },
            )}
          </div>
        ) : null}
      </td>
      <td>
        <StatusTags status={status.data} isOff={status.isError} />
      </td>
      <td className={styles['short']}>
        {printer.language?.toUpperCase() ?? 'Images'}, {printer.dpi} dpi
        <div className={styles['quiet']}>{formatSize(printer.size)}</div>
      </td>
      <td>
        <div className={styles['buttons']}>
          <ActButton
            size="small"
            text="Test label"
            isRunning={testMutation.isPending}
            aria-label={`Print a test label on ${printer.name}`}
            onClick={() => testMutation.mutate()}
          />
          <Button size="small" text="Edit" aria-label={`Edit ${printer.name}`} onClick={onEdit} />
          {printer.kind === 'tcp' ? (
            <Button
              size="small"
              variant="minimal"
              text="Remove"
              aria-label={`Remove ${printer.name}`}
              onClick={onRemove}
            />
          ) : null}
        </div>
      </td>
    </tr>
  );
}

function StatusTags({ status, isOff }: { status: PrinterStatus | undefined; isOff: boolean }) {
  if (isOff)
    return (
      <Tag minimal intent="danger">
        does not answer
      </Tag>
    );
  if (!status) return <span className={styles['quiet']}>asking...</span>;
  if (!status.isKnown) return <Tag minimal>answers without a status</Tag>;
  if (status.problems.length > 0)
    return (
      <Tag minimal intent="warning">
        {describeProblems(status.problems)}
      </Tag>
    );
  return (
    <Tag minimal intent="success">
      {status.waiting > 0 ? `${status.waiting} waiting` : 'ready'}
    </Tag>
  );
}
