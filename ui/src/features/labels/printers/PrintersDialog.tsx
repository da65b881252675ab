import { Button, Callout, NonIdealState } from '@blueprintjs/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { describeError } from '../../../api';
import { ConfirmDialog } from '../../../components/dialogs/ConfirmDialog';
import { FormDialog } from '../../../components/dialogs/FormDialog';
import { ScrollTable } from '../../../components/ScrollTable';
import { toasts } from '../../../components/toasts';
import { messages, say } from '../../../contract';
import { useDevice, type Printer } from '../../../device';
import { printersQuery, reloadPrinters } from '../api';
import { useDefaultPrinter } from '../useDefaultPrinter';
import { NetworkSearch } from './NetworkSearch';
import { PrinterForm, type EditedPrinter } from './PrinterForm';
import { PrinterRow } from './PrinterRow';
import styles from './printers.module.css';

const WIDTH_PX = 900;

interface PrintersDialogProps {
  onClose: () => void;
  /** Called with the printer that is used from now on. */
  onChoose?: (id: string) => void;
}

/** The label printers of this workstation: status, settings, test label, and a search. */
export default function PrintersDialog({ onClose, onChoose }: PrintersDialogProps) {
  const device = useDevice();
  const queries = useQueryClient();
  const printers = useQuery(printersQuery(device));
  const list = printers.data ?? [];
  const defaultPrinter = useDefaultPrinter(list);
  const [editedPrinter, setEditedPrinter] = useState<EditedPrinter | null>(null);
  const [removedPrinter, setRemovedPrinter] = useState<Printer | null>(null);
  const [isSearching, setIsSearching] = useState(false);
  const reload = () => reloadPrinters(queries);
  const choose = ({ id, size }: Printer) => {
    defaultPrinter.choose(id, size);
    onChoose?.(id);
  };
  const removeMutation = useMutation({
    mutationFn: (printer: Printer) => device.removePrinter(printer.id),
    meta: { quiet: true },
    onSuccess: reload,
    onError: (error) => toasts.error(describeError(error)),
    onSettled: () => setRemovedPrinter(null),
  });
  return (
    <FormDialog
      isOpen
      title="Printers"
      width={`min(${WIDTH_PX}px, 94vw)`}
      onClose={onClose}
      closeLabel="Close"
      extra={
        <div className={styles['actions']}>
          <Button text="Add printer" onClick={() => setEditedPrinter({ kind: 'new' })} />
          <Button
            text="Search network"
            disabled={isSearching}
            onClick={() => setIsSearching(true)}
          />
        </div>
      }
    >
      {printers.error ? (
        <Callout intent="danger" icon={false} role="alert">
          {describeError(printers.error)}
        </Callout>
      ) : null}
      {printers.isSuccess && list.length === 0 ? (
        <NonIdealState title={messages.NO_PRINTERS} description={messages.PRINTERS_HINT} />
      ) : null}
      {list.length > 0 ? (
        <ScrollTable
          label="Printers"
          headers={['Default', 'Printer', 'Status', 'Labels', 'Actions']}
        >
          {list.map((printer) => (
            <PrinterRow
              key={printer.id}
              printer={printer}
              isDefault={printer.id === defaultPrinter.findForSize(printer.size)?.id}
              onChoose={() => choose(printer)}
              onEdit={() => setEditedPrinter({ kind: 'stored', printer })}
              onRemove={() => setRemovedPrinter(printer)}
            />
          ))}
        </ScrollTable>
      ) : null}
      {isSearching ? (
        <NetworkSearch
          printers={list}
          onAdd={(answering) => setEditedPrinter({ kind: 'answering', answering })}
          onClose={() => setIsSearching(false)}
        />
      ) : null}
      {editedPrinter ? (
        <PrinterForm
          editedPrinter={editedPrinter}
          onClose={() => setEditedPrinter(null)}
          onSaved={(printer) => {
            if (editedPrinter.kind !== 'stored' && (onChoose || list.length === 0)) choose(printer);
            setEditedPrinter(null);
            void reload();
          }}
        />
      ) : null}
      <ConfirmDialog
        isOpen={removedPrinter !== null}
        title="Remove printer"
        message={say(messages.PRINTER_REMOVAL, { printer: removedPrinter?.name ?? '' })}
        confirmLabel="Remove"
        intent="danger"
        onConfirm={() => (removedPrinter ? removeMutation.mutate(removedPrinter) : undefined)}
        onClose={() => setRemovedPrinter(null)}
      />
    </FormDialog>
  );
}
