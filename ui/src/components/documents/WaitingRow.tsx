import { Button } from '@blueprintjs/core';

import { messages } from '../../contract';
import styles from './documents.module.css';
import type { WaitingDocument } from './useWaitingDocuments';

interface WaitingRowProps {
  row: WaitingDocument;
  /** Uploads the document again; null if the record accepts no documents. */
  onRetry: (() => void) | null;
}

/** A document to upload, with the state of its upload. */
export function WaitingRow({
  row: { file, isUploading, isQueued, problem, isRejected },
  onRetry,
}: WaitingRowProps) {
  const progress = isQueued ? 'Waiting…' : 'Uploading…';
  const state = isUploading ? progress : messages.DOCUMENT_ADDED_WHEN_SAVED;
  return (
    <div className={styles['waiting']}>
      <span className={styles['fileName']}>{file.name}</span>
      {problem === null ? (
        <span role="status" className="quiet">
          {state}
        </span>
      ) : (
        <>
          <span role="alert" className={styles['problem']}>
            {problem.message}
          </span>
          {problem.advice === null ? null : (
            <span className={styles['advice']}>{problem.advice}</span>
          )}
          {onRetry === null || isRejected ? null : (
            <Button
              size="small"
              variant="outlined"
              aria-label={`Try again to upload ${file.name}`}
              onClick={onRetry}
            >
              Try again
            </Button>
          )}
        </>
      )}
    </div>
  );
}
