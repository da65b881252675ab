/** Checks files before they are uploaded as documents, and explains failed uploads. */
import { ApiError, describeError } from '../../api';
import { isUnreachable } from '../../api/problem';
import { limits, messages } from '../../contract';

/** The file types that the file chooser offers; the portal checks the content. */
export const DOCUMENT_KINDS = '.pdf,.png,.jpg,.jpeg,.tif,.tiff';

const TOO_LARGE = 413;
const WRONG_KIND = 415;
const SERVER_ERROR = 500;

/** Why the portal does not have a file. */
export interface UploadProblem {
  /** A sentence of the specification, where it has one (P 5, R 8). */
  message: string;
  /** What happened, and what to do about it. */
  advice: string | null;
}

const TOO_BIG: UploadProblem = {
  message: messages.FILE_TOO_BIG,
  advice: messages.FILE_TOO_BIG_ADVICE,
};
const OTHER_KIND: UploadProblem = {
  message: messages.DOCUMENT_KINDS_ONLY,
  advice: messages.DOCUMENT_KINDS_ADVICE,
};

/** Returns why a file cannot be uploaded, or null. */
export function validateDocument(file: File): UploadProblem | null {
  const name = file.name.toLowerCase();
  if (!DOCUMENT_KINDS.split(',').some((kind) => name.endsWith(kind))) return OTHER_KIND;
  if (file.size === 0) return { message: messages.FILE_EMPTY, advice: null };
  return file.size > limits.UPLOAD_MAX_BYTES ? TOO_BIG : null;
}

/** Whether the portal rejected the file itself, so that trying again cannot help. */
export const isRejection = (error: unknown): boolean =>
  error instanceof ApiError && [TOO_LARGE, WRONG_KIND].includes(error.status);

/** Returns why an upload failed. */
export function describeUploadFailure(error: unknown): UploadProblem {
  if (error instanceof ApiError && error.status === TOO_LARGE) return TOO_BIG;
  if (error instanceof ApiError && error.status === WRONG_KIND) {
    const { detail } = error;
    return ['', OTHER_KIND.message].includes(detail)
      ? OTHER_KIND
      : { message: detail, advice: null };
  }
  const advice = explainFailure(error);
  return {
    message: messages.UPLOAD_FAILED,
    advice: advice === messages.UPLOAD_FAILED ? null : advice,
  };
}

function explainFailure(error: unknown): string {
  if (isUnreachable(error)) return messages.UPLOAD_NOT_SENT;
  if (!(error instanceof ApiError)) return messages.UPLOAD_NOT_READ;
  const { status, detail } = error;
  const hasReason = detail !== '' && detail !== messages.UPLOAD_FAILED;
  if (status >= SERVER_ERROR && !(status === 503 && hasReason)) return messages.UPLOAD_NOT_STORED;
  return describeError(error);
}
