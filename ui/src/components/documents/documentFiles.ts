/** Checks files before they are uploaded as documents, and explains failed uploads. */
import { ApiError, describeError } from '../../api';
import { isUnreachable } from '../../api/problem';
import { limits, messages } from '../../contract';

/** The file types that the file chooser offers; the portal checks the content. */
export const DOCUMENT_KINDS = '.pdf,.png,.jpg,.jpeg,.tif,.tiff';

const TOO_LARGE = 413;
const WRONG_KIND = 415;
const SERVER_ERROR = 500;

const TOO_BIG_ADVICE = `${messages.FILE_TOO_BIG} ${messages.FILE_TOO_BIG_ADVICE}`;
const KINDS_ADVICE = `${messages.DOCUMENT_KINDS_ONLY} ${messages.DOCUMENT_KINDS_ADVICE}`;

/** Returns why a file cannot be uploaded and what to do, or null. */
export function validateDocument(file: File): string | null {
  const name = file.name.toLowerCase();
  if (!DOCUMENT_KINDS.split(',').some((kind) => name.endsWith(kind))) return KINDS_ADVICE;
  if (file.size === 0) return messages.FILE_EMPTY;
  return file.size > limits.UPLOAD_MAX_BYTES ? TOO_BIG_ADVICE : null;
}

/** Whether the portal rejected the file itself, so that trying again cannot help. */
export const isRejection = (error: unknown): boolean =>
  error instanceof ApiError && [TOO_LARGE, WRONG_KIND].includes(error.status);

/** Returns why an upload failed and what to do. */
export function describeUploadFailure(error: unknown): string {
  if (isUnreachable(error)) return messages.UPLOAD_NOT_SENT;
  if (!(error instanceof ApiError)) return messages.UPLOAD_NOT_READ;
  const { status, detail } = error;
  if (status === TOO_LARGE) return TOO_BIG_ADVICE;
  if (status === WRONG_KIND && ['', messages.DOCUMENT_KINDS_ONLY].includes(detail))
    return KINDS_ADVICE;
  const hasReason = detail !== '' && detail !== messages.UPLOAD_FAILED;
  if (status >= SERVER_ERROR && !(status === 503 && hasReason)) return messages.UPLOAD_NOT_STORED;
  return describeError(error);
}
