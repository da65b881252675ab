import { useQuery, useQueryClient } from '@tanstack/react-query';

import { DocumentChooser } from '../../../../components/documents/DocumentChooser';
import { DocumentList } from '../../../../components/documents/DocumentList';
import type { WaitingDocuments } from '../../../../components/documents/useWaitingDocuments';
import { messages } from '../../../../contract';
import {
  documentsQuery,
  refreshDocuments,
  removeDocument,
  toPortalDocument,
} from '../../documents';
import styles from './form.module.css';

interface DocumentsProps {
  /** Null before the first save. */
  requisitionId: number | null;
  waiting: WaitingDocuments;
  readOnly: boolean;
}

/** The documents of a requisition, and those to upload: open, add, remove (O 2.3, O 8). */
export function Documents({ requisitionId, waiting, readOnly }: DocumentsProps) {
  const queries = useQueryClient();
  const id = requisitionId ?? 0;
  const documents = useQuery({ ...documentsQuery(id), enabled: requisitionId !== null });
  return (
    <>
      <DocumentList
        documents={documents}
        waiting={waiting}
        canUpload={!readOnly}
        isRemovable={() => !readOnly}
        toPortalDocument={(document) => toPortalDocument(id, document)}
        remove={(document, key) => removeDocument(id, document.id, key)}
        reload={() => refreshDocuments(queries, id)}
        question={{ title: 'Remove document', message: messages.CONFIRM_DOCUMENT_REMOVAL }}
      />
      {readOnly ? null : (
        <DocumentChooser
          label={requisitionId === null ? 'Add document' : 'Upload document'}
          className={styles['start']}
          onChoose={waiting.add}
        />
      )}
    </>
  );
}
