import { Button } from '@blueprintjs/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';

import { ApiError, describeError } from '../../../../api';
import { ChosenList } from '../../../../components/ChosenList';
import { ConfirmDialog } from '../../../../components/dialogs/ConfirmDialog';
import { toasts } from '../../../../components/toasts';
import { useWrite } from '../../../../components/useWrite';
import { UploadIcon } from '../../../../components/icons';
import { messages } from '../../../../contract';
import { useDevice } from '../../../../device';
import {
  DOCUMENT_KINDS,
  toPortalDocument,
  documentsQuery,
  refreshDocuments,
  validateDocument,
  removeDocument,
  uploadDocument,
  type RequisitionDocument,
} from '../../documents';
import styles from './form.module.css';

interface DocumentsProps {
  requisitionId: number;
  readOnly: boolean;
}

const TOO_LARGE = 413;

/** The documents of a saved requisition: open, upload, remove (O 2.3, O 8). */
export function Documents({ requisitionId, readOnly }: DocumentsProps) {
  const device = useDevice();
  const queries = useQueryClient();
  const chooser = useRef<HTMLInputElement>(null);
  const [removing, setRemoving] = useState<RequisitionDocument | null>(null);
  const documents = useQuery(documentsQuery(requisitionId));
  const reload = () => refreshDocuments(queries, requisitionId);

  const upload = useWrite({
    send: (file: File, idempotencyKey) => uploadDocument(requisitionId, file, idempotencyKey),
    identify: ({ name, size, lastModified }) => ({ name, size, lastModified }),
    onDone: () => {
      toasts.success(messages.FILE_UPLOADED);
      reload();
    },
    explain: (error) => {
      const isLost = !(error instanceof ApiError) || error.status === 0;
      if (isLost) toasts.error(messages.UPLOAD_FAILED);
      else toasts.error(error.status === TOO_LARGE ? messages.FILE_TOO_BIG : describeError(error));
      return true;
    },
  });
  const remove = useWrite({
    send: ({ id }: RequisitionDocument, idempotencyKey) =>
      removeDocument(requisitionId, id, idempotencyKey),
    onDone: reload,
    explain: () => {
      reload();
      return false;
    },
  });

  const choose = (file: File | undefined) => {
    if (!file) return;
    const error = validateDocument(file);
    if (error === null) upload.run(file);
    else toasts.error(error);
  };

  return (
    <>
      <ChosenList
        label="Documents"
        items={documents.data ?? []}
        itemKey={({ id }) => id}
        itemName={({ name }) => name}
        empty={
          documents.isError
            ? describeError(documents.error)
            : documents.isPending
              ? 'Loading…'
              : 'No documents'
        }
        render={(document) => (
          <Button
            variant="minimal"
            size="small"
            intent="primary"
            onClick={() => {
              device.openDocument(toPortalDocument(requisitionId, document)).catch(toasts.failure);
            }}
          >
            {document.name}
          </Button>
        )}
        onRemove={readOnly ? undefined : setRemoving}
      />
      {readOnly ? null : (
        <>
          <Button
            size="small"
            variant="outlined"
            className={styles['start'] ?? ''}
            icon={<UploadIcon />}
            loading={upload.isRunning}
            onClick={() => chooser.current?.click()}
          >
            Upload document
          </Button>
          <input
            ref={chooser}
            type="file"
            hidden
            aria-label="Document"
            accept={DOCUMENT_KINDS}
            onChange={(event) => {
              choose(event.target.files?.[0]);
              event.target.value = '';
            }}
          />
        </>
      )}
      <ConfirmDialog
        isOpen={removing !== null}
        title="Remove document"
        message={messages.CONFIRM_DOCUMENT_REMOVAL}
        intent="danger"
        onClose={() => setRemoving(null)}
        onConfirm={() => {
          if (removing !== null) remove.run(removing);
          setRemoving(null);
        }}
      />
    </>
  );
}
