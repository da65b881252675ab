import { Button } from '@blueprintjs/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';

import { ApiError, describe, newIdempotencyKey } from '../../../api';
import { ChosenList } from '../../../components/ChosenList';
import { ConfirmDialog } from '../../../components/dialogs/ConfirmDialog';
import { toasts } from '../../../components/toasts';
import { UploadIcon } from '../../../components/icons';
import { messages } from '../../../contract';
import { useDevice } from '../../../device';
import {
  DOCUMENT_KINDS,
  documentFile,
  documentsKey,
  loadDocuments,
  refuseDocument,
  removeDocument,
  uploadDocument,
  type RequisitionDocument,
} from '../documents';
import styles from './form.module.css';

interface DocumentsProps {
  requisitionId: number;
  readOnly: boolean;
}

const TOO_LARGE = 413;

/** The documents of a saved requisition: opened by name, uploaded, taken off (O 2.3, O 8). */
export function Documents({ requisitionId, readOnly }: DocumentsProps) {
  const device = useDevice();
  const queries = useQueryClient();
  const chooser = useRef<HTMLInputElement>(null);
  const [removing, setRemoving] = useState<RequisitionDocument | null>(null);
  const key = documentsKey(requisitionId);
  const documents = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => loadDocuments(requisitionId, signal),
    meta: { quiet: true },
  });
  const again = () => queries.invalidateQueries({ queryKey: key });

  const upload = useMutation({
    mutationFn: (file: File) => uploadDocument(requisitionId, file, newIdempotencyKey()),
    meta: { quiet: true },
    onSuccess: () => {
      toasts.success(messages.FILE_UPLOADED);
      void again();
    },
    onError: (error) => {
      if (!(error instanceof ApiError) || error.status === 0) {
        toasts.error(messages.UPLOAD_FAILED);
      } else {
        toasts.error(error.status === TOO_LARGE ? messages.FILE_TOO_BIG : describe(error));
      }
    },
  });
  const remove = useMutation({
    mutationFn: (document: RequisitionDocument) => removeDocument(requisitionId, document.id),
    onSettled: () => void again(),
  });

  const choose = (file: File | undefined) => {
    if (!file) return;
    const refusal = refuseDocument(file);
    if (refusal === null) upload.mutate(file);
    else toasts.error(refusal);
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
            ? describe(documents.error)
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
              device.openDocument(documentFile(requisitionId, document)).catch(toasts.failure);
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
            loading={upload.isPending}
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
          if (removing !== null) remove.mutate(removing);
          setRemoving(null);
        }}
      />
    </>
  );
}
