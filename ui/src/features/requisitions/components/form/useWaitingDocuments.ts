import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';

import { ApiError, describeError, mintIdempotencyKey } from '../../../../api';
import { sayAlreadyListed } from '../../../../components/forms/useLatestList';
import { toasts } from '../../../../components/toasts';
import { messages } from '../../../../contract';
import { refreshDocuments, storeDocument, uploadDocument, validateDocument } from '../../documents';

const TOO_LARGE = 413;
/** The portal rejected the file itself, so that trying again cannot help. */
const REJECTED_STATUSES: readonly number[] = [400, TOO_LARGE, 415];

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
  /** Whether there are rows, current even after a wait. Stable. */
  hasRows: () => boolean;
  add: (file: File) => void;
  remove: (key: string) => void;
  clear: () => void;
  /** Removes and returns the rows that are not being uploaded. */
  takeAll: () => readonly WaitingDocument[];
  /** Adds rows that were removed, unless their file was chosen again. */
  putBack: (removed: readonly WaitingDocument[]) => void;
  retry: (key: string) => void;
  /** Uploads all rows to the requisition that was just created. */
  uploadTo: (requisitionId: number) => void;
}

const unsent = { isUploading: false, error: null, isRejected: false };

const isSameFile = (a: File, b: File): boolean =>
  a.name === b.name && a.size === b.size && a.lastModified === b.lastModified;

const isRejection = (error: unknown): boolean =>
  error instanceof ApiError && REJECTED_STATUSES.includes(error.status);

function describeFailure(error: unknown): string {
  if (!(error instanceof ApiError) || error.status === 0) return messages.UPLOAD_FAILED;
  return error.status === TOO_LARGE ? messages.FILE_TOO_BIG : describeError(error);
}

/**
 * The documents of a form that the portal does not have yet (O 2.3). Before the first save they
 * wait for it. After a failed upload a document stays until it is uploaded or removed.
 * @param requisitionId null before the first save
 */
export function useWaitingDocuments(requisitionId: number | null): WaitingDocuments {
  const queries = useQueryClient();
  const [rows, setRows] = useState<readonly WaitingDocument[]>([]);
  // Read after waits, and by the guard of unsaved changes.
  const latest = useRef(rows);
  const target = useRef(requisitionId);
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
      const added = await uploadDocument(id, file, key);
      storeDocument(queries, id, added);
      remove(key);
      return true;
    } catch (error) {
      update(key, {
        isUploading: false,
        error: describeFailure(error),
        isRejected: isRejection(error),
      });
      return false;
    }
  };

  /** Uploads rows one after another. Returns whether the portal has all of them. */
  const uploadAll = async (id: number, waiting: readonly WaitingDocument[]): Promise<boolean> => {
    for (const { key } of waiting) update(key, { isUploading: true, error: null });
    let uploaded = 0;
    for (const row of waiting) if (await upload(id, row)) uploaded += 1;
    if (uploaded > 0) {
      toasts.success(messages.FILE_UPLOADED);
      refreshDocuments(queries, id);
    }
    return uploaded === waiting.length;
  };

  const retry = (key: string) => {
    const waiting = latest.current.filter((row) => row.key === key && !row.isUploading);
    if (target.current !== null) void uploadAll(target.current, waiting);
  };

  return {
    rows,
    hasRows: useCallback(() => latest.current.length > 0, []),
    add: (file) => {
      const error = validateDocument(file);
      if (error !== null) {
        toasts.error(`${file.name}: ${error}`);
        return;
      }
      const chosen = latest.current.find((row) => isSameFile(row.file, file));
      const key = chosen?.key ?? mintIdempotencyKey();
      if (!chosen) change([...latest.current, { ...unsent, key, file }]);
      else if (target.current === null) sayAlreadyListed(file.name);
      retry(key);
    },
    remove,
    clear: () => change([]),
    takeAll: () => {
      const removed = latest.current.filter((row) => !row.isUploading);
      change(latest.current.filter((row) => row.isUploading));
      return removed;
    },
    putBack: (removed) => {
      const isListed = ({ file }: WaitingDocument) =>
        latest.current.some((row) => isSameFile(row.file, file));
      change([...latest.current, ...removed.filter((row) => !isListed(row))]);
    },
    retry,
    uploadTo: (id) => {
      target.current = id;
      void uploadAll(id, latest.current).then((isComplete) => {
        // The next steps after the first save cover the rows.
        if (!isComplete) toasts.error(messages.DOCUMENTS_NOT_UPLOADED);
      });
    },
  };
}
