import { useCallback, useRef, useState } from 'react';

import { mintIdempotencyKey } from '../../api';
import { limits, messages } from '../../contract';
import { notifyAlreadyListed } from '../forms/useLatestList';
import { toasts } from '../toasts';
import { describeUploadFailure, isRejection, validateDocument } from './documentFiles';

/** A chosen file that the portal does not have yet. */
export interface WaitingDocument {
  /** Identifies the row, and its upload to the portal: trying again adds the file only once. */
  key: string;
  file: File;
  isUploading: boolean;
  /** Why the last upload failed. */
  error: string | null;
  /** Whether the portal rejected the file, so that it can only be removed. */
  isRejected: boolean;
}

export interface WaitingDocuments {
  rows: readonly WaitingDocument[];
  /** Whether there are rows now, even when called after a wait. The function is stable. */
  hasRows: () => boolean;
  add: (file: File) => void;
  remove: (key: string) => void;
  clear: () => void;
  /** Removes and returns the rows that are not being uploaded. */
  takeAll: () => readonly WaitingDocument[];
  /** Adds rows that were removed, unless their file was chosen again. */
  putBack: (removedRows: readonly WaitingDocument[]) => void;
  retry: (key: string) => void;
  /** Uploads all rows to the record that was just created. */
  uploadTo: (recordId: number) => void;
}

const unsent = { isUploading: false, error: null, isRejected: false };

const isSameFile = (a: File, b: File): boolean =>
  a.name === b.name && a.size === b.size && a.lastModified === b.lastModified;

interface WaitingDocumentsOptions<Added> {
  /** The record's id; null before the first save. */
  recordId: number | null;
  upload: (recordId: number, file: File, idempotencyKey: string) => Promise<Added>;
  /** Called for each uploaded document. */
  onAdded?: ((recordId: number, document: Added) => void) | undefined;
  /** Called when the portal's list has changed. */
  onUploaded: (recordId: number) => void;
}

/**
 * The documents of a record that the portal does not have yet (O 2.3). Before the record's first
 * save, they wait for that save. After a failed upload a document stays until it is uploaded or
 * removed.
 */
export function useWaitingDocuments<Added>({
  recordId,
  ...options
}: WaitingDocumentsOptions<Added>): WaitingDocuments {
  const [rows, setRows] = useState<readonly WaitingDocument[]>([]);
  // Read after waits, and by the guard of unsaved changes.
  const latest = useRef(rows);
  const target = useRef(recordId);
  const change = (next: readonly WaitingDocument[]) => {
    latest.current = next;
    setRows(next);
  };
  const update = (key: string, changes: Partial<WaitingDocument>) =>
    change(latest.current.map((row) => (row.key === key ? { ...row, ...changes } : row)));
  const remove = (key: string) => change(latest.current.filter((row) => row.key !== key));

  /** Uploads one row. Returns whether the portal has the document. */
  const upload = async (id: number, { key, file }: WaitingDocument): Promise<boolean> => {
    try {
      const document = await options.upload(id, file, key);
      options.onAdded?.(id, document);
      remove(key);
      return true;
    } catch (error) {
      update(key, {
        isUploading: false,
        error: describeUploadFailure(error),
        isRejected: isRejection(error),
      });
      return false;
    }
  };

  /** Uploads rows one after another. Returns whether the portal has all of them. */
  const uploadAll = async (
    id: number,
    waitingRows: readonly WaitingDocument[],
  ): Promise<boolean> => {
    for (const { key } of waitingRows) update(key, { isUploading: true, error: null });
    let uploadCount = 0;
    for (const row of waitingRows) if (await upload(id, row)) uploadCount += 1;
    if (uploadCount > 0) {
      toasts.success(messages.FILE_UPLOADED);
      options.onUploaded(id);
    }
    return uploadCount === waitingRows.length;
  };

  const retry = (key: string) => {
    const waitingRows = latest.current.filter((row) => row.key === key && !row.isUploading);
    if (target.current !== null) void uploadAll(target.current, waitingRows);
  };

  return {
    rows,
    hasRows: useCallback(() => latest.current.length > 0, []),
    add: (file) => {
      const error = validateDocument(file);
      if (error !== null) {
        toasts.error(`${file.name}: ${error}`, limits.UNDO_MS);
        return;
      }
      const chosenRow = latest.current.find((row) => isSameFile(row.file, file));
      const key = chosenRow?.key ?? mintIdempotencyKey();
      if (!chosenRow) change([...latest.current, { ...unsent, key, file }]);
      else if (target.current === null) notifyAlreadyListed(file.name);
      retry(key);
    },
    remove,
    clear: () => change([]),
    takeAll: () => {
      const removedRows = latest.current.filter((row) => !row.isUploading);
      change(latest.current.filter((row) => row.isUploading));
      return removedRows;
    },
    putBack: (removedRows) => {
      const isListed = ({ file }: WaitingDocument) =>
        latest.current.some((row) => isSameFile(row.file, file));
      change([...latest.current, ...removedRows.filter((row) => !isListed(row))]);
    },
    retry,
    uploadTo: (id) => {
      target.current = id;
      void uploadAll(id, latest.current).then((isComplete) => {
        // After the first save, the dialog of the next steps covers the rows.
        if (!isComplete) toasts.error(messages.DOCUMENTS_NOT_UPLOADED);
      });
    },
  };
}
