import { Button } from '@blueprintjs/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';

import { describeError } from '../../../api';
import { ActButton } from '../../../components/ActButton';
import { ChosenList } from '../../../components/ChosenList';
import { ConfirmDialog } from '../../../components/dialogs/ConfirmDialog';
import { DOCUMENT_KINDS } from '../../../components/documents/documentFiles';
import {
  useWaitingDocuments,
  type WaitingDocument,
} from '../../../components/documents/useWaitingDocuments';
import { WaitingRow } from '../../../components/documents/WaitingRow';
import { useUnsavedGuard } from '../../../components/forms/useUnsavedGuard';
import { UploadIcon } from '../../../components/icons';
import { toasts } from '../../../components/toasts';
import { useWrite } from '../../../components/useWrite';
import { messages } from '../../../contract';
import { useDevice } from '../../../device';
import type { Order } from '../api';
import {
  orderDocumentsQuery,
  refreshOrderDocuments,
  removeOrderDocument,
  toOrderPortalDocument,
  uploadOrderDocument,
  type OrderDocument,
} from '../documents';
import styles from './orders.module.css';

type Row = { saved: OrderDocument } | { waiting: WaitingDocument };

/** Asks before files are lost that are being uploaded, or whose upload can be tried again. */
function LeaveGuard({ hasRows }: { hasRows: () => boolean }) {
  return useUnsavedGuard(hasRows);
}

/** The documents of an order: open, upload, remove (R 2.2, R 8). */
export function OrderDocuments({ order }: { order: Order }) {
  const device = useDevice();
  const queries = useQueryClient();
  const chooser = useRef<HTMLInputElement>(null);
  const [documentToRemove, setDocumentToRemove] = useState<OrderDocument | null>(null);
  const documents = useQuery(orderDocumentsQuery(order.id));
  const reload = () => refreshOrderDocuments(queries, order.id);
  const waitingDocuments = useWaitingDocuments({
    recordId: order.id,
    upload: uploadOrderDocument,
    onUploaded: reload,
  });
  const removeWrite = useWrite({
    send: (document: OrderDocument, key) => removeOrderDocument(order.id, document.id, key),
    onDone: () => {
      toasts.success(messages.FILE_REMOVED);
      reload();
    },
    explain: () => {
      reload();
      return false;
    },
  });
  const rows: Row[] = [
    ...(documents.data ?? []).map((saved) => ({ saved })),
    ...waitingDocuments.rows.map((row) => ({ waiting: row })),
  ];
  const emptyText = documents.isLoading ? 'Loading…' : 'No documents';
  return (
    <section
      aria-label="Order Documents"
      className={`${styles['fact']} ${styles['reading']} ${styles['documents']}`}
    >
      <h2>Order Documents</h2>
      <div className={styles['documentList']}>
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
                onClick={() => {
                  device
                    .openDocument(toOrderPortalDocument(order.id, row.saved))
                    .catch(toasts.failure);
                }}
              >
                {row.saved.name}
              </Button>
            ) : (
              <WaitingRow
                row={row.waiting}
                onRetry={
                  order.canAttach.allowed ? () => waitingDocuments.retry(row.waiting.key) : null
                }
              />
            )
          }
          isRemovable={(row) =>
            'saved' in row ? row.saved.canRemove.allowed : !row.waiting.isUploading
          }
          onRemove={(row) => {
            if ('saved' in row) setDocumentToRemove(row.saved);
            else waitingDocuments.remove(row.waiting.key);
          }}
        />
        {order.canAttach.allowed ? (
          <>
            <ActButton
              size="small"
              variant="outlined"
              icon={<UploadIcon />}
              isRunning={waitingDocuments.rows.some(({ isUploading }) => isUploading)}
              onClick={() => chooser.current?.click()}
            >
              Upload document
            </ActButton>
            <input
              ref={chooser}
              type="file"
              multiple
              hidden
              aria-label="Document"
              accept={DOCUMENT_KINDS}
              onChange={(event) => {
                // Copied, because the next line empties the list.
                waitingDocuments.add([...(event.target.files ?? [])]);
                event.target.value = '';
              }}
            />
          </>
        ) : null}
      </div>
      {waitingDocuments.rows.length > 0 ? <LeaveGuard hasRows={waitingDocuments.hasRows} /> : null}
      <ConfirmDialog
        isOpen={documentToRemove !== null}
        title={messages.DELETE_DOCUMENT_TITLE}
        message={messages.CONFIRM_ORDER_DOCUMENT_REMOVAL}
        cancelLabel="No"
        intent="danger"
        onClose={() => setDocumentToRemove(null)}
        onConfirm={() => {
          if (documentToRemove !== null) removeWrite.run(documentToRemove);
          setDocumentToRemove(null);
        }}
      />
    </section>
  );
}
