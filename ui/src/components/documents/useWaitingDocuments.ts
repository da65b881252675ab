import { useCallback, useRef, useState } from 'react';

import { mintIdempotencyKey } from '../../api';
import { messages } from '../../contract';
import { notifyAlreadyListed } from '../forms/useLatestList';
import { toasts } from '../toasts';
import {
  describeUploadFailure,
  isRejection,
  validateDocument,
  type UploadProblem,
} from './documentFiles';

/** A chosen file that the portal does not have yet. */
export interface WaitingDocument {
  /** Identifies the row, and its upload to the portal: trying again adds the file only once. */
  key: string;
  file: File;
  isUploading: boolean;
  /** Whether its upload begins after those of other files. */
  isQueued: boolean;
  /** Why the last upload failed, or why the file cannot be uploaded. */
  problem: UploadProblem | null;
  /** Whether the portal accepts no such file, so that it can only be removed. */
  isRejected: boolean;
}

export interface WaitingDocuments {
  rows: readonly WaitingDocument[];
  /**
   * Whether there are files that can still be uploaded, even when called after a wait. The function
   * is stable.
   */
  hasRows: () => boolean;
  /** Adds the chosen files; each has its own row, upload, and error. */
  add: (files: readonly File[]) => void;
  remove: (key: string) => void;
  clear: () => void;
  /** Removes and returns the rows that are not being uploaded. */
  takeAll: () => readonly WaitingDocument[];
  /** Adds rows that were removed, unless their file was chosen again. */
  putBack: (removedRows: readonly WaitingDocument[]) => void;
  retry: (key: string) => void;
  /** Uploads all rows that can be uploaded to the record that was just created. */
  uploadTo: (recordId: number) => void;
}

const unsent = { isUploading: false, isQueued: false, problem: null, isRejected: false };

const canUpload = ({ isUploading, isRejected }: WaitingDocument): boolean =>
  !isUploading && !isRejected;

const isSameFile = (a: File, b: File): boolean =>
  a.name === b.name && a.size === b.size && a.lastModified === b.lastModified;

interface Failure {
  name: string;
  message: string;
}

const addNames = (sentence: string, names: readonly string[]) =>
  `${sentence.replace(/\.$/, '')}: ${names.join(', ')}`;

/** Returns one line for each kind of failure, with the names of its files. */
function describeFailures(
  failures: readonly Failure[],
  { hasNames }: { hasNames: boolean },
): string[] {
  const sentences = [...new Set(failures.map(({ message }) => message))];
  if (!hasNames) return sentences;
  return sentences.map((sentence) =>
    addNames(
      sentence,
      failures.filter(({ message }) => message === sentence).map(({ name }) => name),
    ),
  );
}

/**
 * Returns the lines about a failed upload. For several files, they name those that were stored and
 * those that were not, after the unchanged sentences of the specification.
 */
function describeUploads(uploadedNames: readonly string[], failures: readonly Failure[]): string[] {
  const hasNames = uploadedNames.length + failures.length > 1;
  return [
    ...(uploadedNames.length === 0 ? [] : [addNames(messages.FILE_UPLOADED, uploadedNames)]),
    ...describeFailures(failures, { hasNames }),
  ];
}

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

  /** Uploads one row. Returns why it failed, or null. */
  const upload = async (
    id: number,
    { key, file }: WaitingDocument,
  ): Promise<UploadProblem | null> => {
    update(key, { isQueued: false });
    try {
      const document = await options.upload(id, file, key);
      options.onAdded?.(id, document);
      remove(key);
      return null;
    } catch (error) {
      const problem = describeUploadFailure(error);
      update(key, { isUploading: false, problem, isRejected: isRejection(error) });
      return problem;
    }
  };

  /** Uploads rows one after another. `failureText` explains a failure that the rows do not show. */
  const uploadAll = async (
    id: number,
    waitingRows: readonly WaitingDocument[],
    failureText: readonly string[] = [],
  ): Promise<void> => {
    for (const { key } of waitingRows)
      update(key, { isUploading: true, isQueued: true, problem: null });
    const uploadedNames: string[] = [];
    const failures: Failure[] = [];
    for (const row of waitingRows) {
      const problem = await upload(id, row);
      if (problem === null) uploadedNames.push(row.file.name);
      else failures.push({ name: row.file.name, message: problem.message });
    }
    if (uploadedNames.length > 0) options.onUploaded(id);
    if (failures.length === 0) toasts.success(messages.FILE_UPLOADED);
    else toasts.error([...describeUploads(uploadedNames, failures), ...failureText]);
  };

  const uploadRows = (keys: readonly string[]) => {
    const waitingRows = latest.current.filter((row) => keys.includes(row.key) && canUpload(row));
    if (target.current !== null && waitingRows.length > 0)
      void uploadAll(target.current, waitingRows);
  };

  /** Adds a row for a chosen file, unless it has one. */
  const addRow = (file: File) => {
    const problem = validateDocument(file);
    const listedRow = latest.current.find((row) => isSameFile(row.file, file));
    if (listedRow) return { row: listedRow, problem, isListed: true };
    const key = mintIdempotencyKey();
    const row = { ...unsent, key, file, problem, isRejected: problem !== null };
    change([...latest.current, row]);
    return { row, problem, isListed: false };
  };

  return {
    rows,
    hasRows: useCallback(() => latest.current.some(({ isRejected }) => !isRejected), []),
    add: (files) => {
      const added = files.map(addRow);
      const failures = added.flatMap(({ row, problem }) =>
        problem === null ? [] : [{ name: row.file.name, message: problem.message }],
      );
      if (failures.length > 0) {
        const sentences = describeFailures(failures, { hasNames: files.length > 1 });
        toasts.error(sentences);
      }
      const acceptable = added.filter(({ problem }) => problem === null);
      if (target.current === null) {
        for (const { row, isListed } of acceptable)
          if (isListed) notifyAlreadyListed(row.file.name);
      }
      uploadRows(acceptable.map(({ row }) => row.key));
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
    retry: (key) => uploadRows([key]),
    uploadTo: (id) => {
      target.current = id;
      // After the first save, the dialog of the next steps covers the rows.
      void uploadAll(id, latest.current.filter(canUpload), [messages.DOCUMENTS_NOT_UPLOADED]);
    },
  };
}
