import { Button } from '@blueprintjs/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';

import { ApiError, describeError } from '../../../api';
import { ActButton } from '../../../components/ActButton';
import { ChosenList } from '../../../components/ChosenList';
import { ConfirmDialog } from '../../../components/dialogs/ConfirmDialog';
import { UploadIcon } from '../../../components/icons';
import { toasts } from '../../../components/toasts';
import { useWrite } from '../../../components/useWrite';
import { messages } from '../../../contract';
import { useDevice } from '../../../device';
import { DOCUMENT_KINDS, validateDocument } from '../../requisitions/documents';
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

const TOO_LARGE = 413;
/** The portal rejected the file itself, and its answer says why. */
const REJECTED_STATUSES: readonly number[] = [400, 409, 415];

function describeFailure(error: unknown): string {
  if (!(error instanceof ApiError)) return messages.UPLOAD_FAILED;
  if (error.status === TOO_LARGE) return messages.FILE_TOO_BIG;
  return REJECTED_STATUSES.includes(error.status) ? describeError(error) : messages.UPLOAD_FAILED;
}

/** The documents of an order: open, upload, remove (R 2.2, R 8). */
export function OrderDocuments({ order }: { order: Order }) {
  const device = useDevice();
  const queries = useQueryClient();
  const chooser = useRef<HTMLInputElement>(null);
  const [removing, setRemoving] = useState<OrderDocument | null>(null);
  const documents = useQuery(orderDocumentsQuery(order.id));
  const reload = () => refreshOrderDocuments(queries, order.id);
  const uploading = useWrite({
    send: (file: File, key) => uploadOrderDocument(order.id, file, key),
    identify: ({ name, size, lastModified }) => [name, size, lastModified],
    onDone: () => {
      toasts.success(messages.FILE_UPLOADED);
      reload();
    },
    explain: (error) => {
      toasts.error(describeFailure(error));
      return true;
    },
  });
  const removal = useWrite({
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
  const choose = (file: File) => {
    const error = validateDocument(file);
    if (error === null) uploading.run(file);
    else toasts.error(`${file.name}: ${error}`);
  };
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
          items={documents.data ?? []}
          getItemKey={({ id }) => id}
          getItemName={({ name }) => name}
          empty={documents.isError ? describeError(documents.error) : emptyText}
          render={(document) => (
            <Button
              variant="minimal"
              size="small"
              intent="primary"
              onClick={() => {
                device
                  .openDocument(toOrderPortalDocument(order.id, document))
                  .catch(toasts.failure);
              }}
            >
              {document.name}
            </Button>
          )}
          isRemovable={({ canRemove }) => canRemove.allowed}
          onRemove={setRemoving}
        />
        {order.canAttach.allowed ? (
          <>
            <ActButton
              size="small"
              variant="outlined"
              icon={<UploadIcon />}
              isRunning={uploading.isRunning}
              onClick={() => chooser.current?.click()}
            >
              Upload document
            </ActButton>
            <input
              ref={chooser}
              type="file"
              hidden
              aria-label="Document"
              accept={DOCUMENT_KINDS}
              onChange={(event) => {
                const file = event.target.files?.[0];
                if (file) choose(file);
                event.target.value = '';
              }}
            />
          </>
        ) : null}
      </div>
      <ConfirmDialog
        isOpen={removing !== null}
        title={messages.DELETE_DOCUMENT_TITLE}
        message={messages.CONFIRM_ORDER_DOCUMENT_REMOVAL}
        cancelLabel="No"
        intent="danger"
        onClose={() => setRemoving(null)}
        onConfirm={() => {
          if (removing !== null) removal.run(removing);
          setRemoving(null);
        }}
      />
    </section>
  );
}
