import { Button } from '@blueprintjs/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';

import { describeError } from '../../../../api';
import { DOCUMENT_KINDS } from '../../../../components/documents/documentFiles';
import type {
  WaitingDocument,
  WaitingDocuments,
} from '../../../../components/documents/useWaitingDocuments';
import { WaitingRow } from '../../../../components/documents/WaitingRow';
import { ChosenList } from '../../../../components/ChosenList';
import { ConfirmDialog } from '../../../../components/dialogs/ConfirmDialog';
import { toasts } from '../../../../components/toasts';
import { useWrite } from '../../../../components/useWrite';
import { UploadIcon } from '../../../../components/icons';
import { messages } from '../../../../contract';
import { useDevice } from '../../../../device';
import {
  toPortalDocument,
  documentsQuery,
  refreshDocuments,
  removeDocument,
  type RequisitionDocument,
} from '../../documents';
import styles from './form.module.css';

interface DocumentsProps {
  /** Null before the first save. */
  requisitionId: number | null;
  waiting: WaitingDocuments;
  readOnly: boolean;
}

type Row = { saved: RequisitionDocument } | { waiting: WaitingDocument };

/** The documents of a requisition, and those to upload: open, add, remove (O 2.3, O 8). */
export function Documents({ requisitionId, waiting, readOnly }: DocumentsProps) {
  const device = useDevice();
  const queries = useQueryClient();
  const chooser = useRef<HTMLInputElement>(null);
  const [documentToRemove, setDocumentToRemove] = useState<RequisitionDocument | null>(null);
  const id = requisitionId ?? 0;
  const documents = useQuery({ ...documentsQuery(id), enabled: requisitionId !== null });
  const reload = () => refreshDocuments(queries, id);
  const removeWrite = useWrite({
    send: (document: RequisitionDocument, idempotencyKey) =>
      removeDocument(id, document.id, idempotencyKey),
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
                device.openDocument(toPortalDocument(id, row.saved)).catch(toasts.failure);
              }}
            >
              {row.saved.name}
            </Button>
          ) : (
            <WaitingRow
              row={row.waiting}
              onRetry={readOnly ? null : () => waiting.retry(row.waiting.key)}
            />
          )
        }
        isRemovable={(row) => ('saved' in row ? !readOnly : !row.waiting.isUploading)}
        onRemove={(row) => {
          if ('saved' in row) setDocumentToRemove(row.saved);
          else waiting.remove(row.waiting.key);
        }}
      />
      {readOnly ? null : (
        <>
          <Button
            size="small"
            variant="outlined"
            className={styles['start'] ?? ''}
            icon={<UploadIcon />}
            onClick={() => chooser.current?.click()}
          >
            {requisitionId === null ? 'Add document' : 'Upload document'}
          </Button>
          <input
            ref={chooser}
            type="file"
            multiple
            hidden
            aria-label="Document"
            accept={DOCUMENT_KINDS}
            onChange={(event) => {
              // Copied, because the next line empties the list.
              waiting.add([...(event.target.files ?? [])]);
              event.target.value = '';
            }}
          />
        </>
      )}
      <ConfirmDialog
        isOpen={documentToRemove !== null}
        title="Remove document"
        message={messages.CONFIRM_DOCUMENT_REMOVAL}
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
