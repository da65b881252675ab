import { Button } from '@blueprintjs/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';

import { describeError } from '../../api';
import { messages } from '../../contract';
import { useDevice, type PortalDocument } from '../../device';
import { ChosenList } from '../ChosenList';
import { ConfirmDialog } from '../dialogs/ConfirmDialog';
import { toasts } from '../toasts';
import { useWrite } from '../useWrite';
import styles from './documents.module.css';
import type { WaitingDocument, WaitingDocuments } from './useWaitingDocuments';
import { WaitingRow } from './WaitingRow';

interface SavedDocument {
  id: number;
  name: string;
}

interface DocumentListProps<Saved> {
  documents: UseQueryResult<Saved[]>;
  waiting: WaitingDocuments;
  /** Whether the record accepts documents. */
  canUpload: boolean;
  isRemovable: (document: Saved) => boolean;
  toPortalDocument: (document: Saved) => PortalDocument;
  /** Removes a document from the record. */
  remove: (document: Saved, idempotencyKey: string) => Promise<unknown>;
  reload: () => void;
  /** The dialog that asks before a document is removed. */
  question: { title: string; message: string; cancelLabel?: string };
}

type Row<Saved> = { saved: Saved } | { waiting: WaitingDocument };

/** The documents of a record, then those to upload; each can be opened and removed. */
export function DocumentList<Saved extends SavedDocument>({
  documents,
  waiting,
  ...props
}: DocumentListProps<Saved>) {
  const device = useDevice();
  const [documentToRemove, setDocumentToRemove] = useState<Saved | null>(null);
  const removeWrite = useWrite({
    send: props.remove,
    onDone: () => {
      toasts.success(messages.FILE_REMOVED);
      props.reload();
    },
    explain: () => {
      props.reload();
      return false;
    },
  });
  const rows: Row<Saved>[] = [
    ...(documents.data ?? []).map((saved) => ({ saved })),
    ...waiting.rows.map((row) => ({ waiting: row })),
  ];
  const emptyText = documents.isLoading ? 'Loading…' : 'No documents';
  return (
    <>
      {documents.isError && rows.length > 0 ? (
        <div className={styles['problem']}>{describeError(documents.error)}</div>
      ) : null}
      <ChosenList
        label="Documents"
        items={rows}
        getItemKey={(row) => ('saved' in row ? row.saved.id : row.waiting.key)}
        getItemName={(row) => ('saved' in row ? row.saved.name : row.waiting.file.name)}
        empty={documents.isError ? describeError(documents.error) : emptyText}
        render={(row) =>
          'saved' in row ? (
            <Button
              variant="minimal"
              size="small"
              intent="primary"
              className={styles['document'] ?? ''}
              onClick={() => {
                device.openDocument(props.toPortalDocument(row.saved)).catch(toasts.failure);
              }}
            >
              {row.saved.name}
            </Button>
          ) : (
            <WaitingRow
              row={row.waiting}
              onRetry={props.canUpload ? () => waiting.retry(row.waiting.key) : null}
            />
          )
        }
        isRemovable={(row) =>
          'saved' in row ? props.isRemovable(row.saved) : !row.waiting.isUploading
        }
        onRemove={(row) => {
          if ('saved' in row) setDocumentToRemove(row.saved);
          else waiting.remove(row.waiting.key);
        }}
      />
      <ConfirmDialog
        {...props.question}
        isOpen={documentToRemove !== null}
        intent="danger"
        onClose={() => setDocumentToRemove(null)}
        onConfirm={() => {
          if (documentToRemove !== null) removeWrite.run(documentToRemove);
          setDocumentToRemove(null);
        }}
      />
    </>
  );
}
