import { useQuery, useQueryClient } from '@tanstack/react-query';

import { DocumentChooser } from '../../../components/documents/DocumentChooser';
import { DocumentList } from '../../../components/documents/DocumentList';
import { useWaitingDocuments } from '../../../components/documents/useWaitingDocuments';
import { useUnsavedGuard } from '../../../components/forms/useUnsavedGuard';
import { messages } from '../../../contract';
import type { Order } from '../api';
import {
  orderDocumentsQuery,
  refreshOrderDocuments,
  removeOrderDocument,
  toOrderPortalDocument,
  uploadOrderDocument,
} from '../documents';
import styles from './orders.module.css';

/** Asks before files are lost that are being uploaded, or whose upload can be tried again. */
function LeaveGuard({ hasRows }: { hasRows: () => boolean }) {
  return useUnsavedGuard(hasRows);
}

/** The documents of an order: open, upload, remove (R 2.2, R 8). */
export function OrderDocuments({ order }: { order: Order }) {
  const queries = useQueryClient();
  const documents = useQuery(orderDocumentsQuery(order.id));
  const reload = () => refreshOrderDocuments(queries, order.id);
  const waiting = useWaitingDocuments({
    recordId: order.id,
    upload: uploadOrderDocument,
    onUploaded: reload,
  });
  return (
    <section
      aria-label="Order Documents"
      className={`${styles['fact']} ${styles['reading']} ${styles['documents']}`}
    >
      <h2>Order Documents</h2>
      <div className={styles['documentList']}>
        <DocumentList
          documents={documents}
          waiting={waiting}
          canUpload={order.canAttach.allowed}
          isRemovable={(document) => document.canRemove.allowed}
          toPortalDocument={(document) => toOrderPortalDocument(order.id, document)}
          remove={(document, key) => removeOrderDocument(order.id, document.id, key)}
          reload={reload}
          question={{
            title: messages.DELETE_DOCUMENT_TITLE,
            message: messages.CONFIRM_ORDER_DOCUMENT_REMOVAL,
            cancelLabel: 'No',
          }}
        />
        {order.canAttach.allowed ? (
          <DocumentChooser
            label="Upload document"
            isRunning={waiting.rows.some(({ isUploading }) => isUploading)}
            onChoose={waiting.add}
          />
        ) : null}
      </div>
      {waiting.rows.length > 0 ? <LeaveGuard hasRows={waiting.hasRows} /> : null}
    </section>
  );
}
