import { describe, expect, it } from 'vitest';

import { ApiError } from '../../api';
import { messages } from '../../contract';
import { describeUploadFailure, isRejection } from './documentFiles';

const { UPLOAD_FAILED } = messages;
const TOO_BIG = [messages.FILE_TOO_BIG, messages.FILE_TOO_BIG_ADVICE];
const WRONG_KIND = [messages.DOCUMENT_KINDS_ONLY, messages.DOCUMENT_KINDS_ADVICE];
const TOO_MANY = 'At most 50 documents are allowed';

describe('A failed upload', () => {
  it.each([
    [new ApiError(0), [UPLOAD_FAILED, messages.UPLOAD_NOT_SENT]],
    [new ApiError(502, { code: 'portal_unreachable' }), [UPLOAD_FAILED, messages.UPLOAD_NOT_SENT]],
    [new ApiError(413), TOO_BIG],
    [new ApiError(415, { detail: messages.DOCUMENT_KINDS_ONLY }), WRONG_KIND],
    [new ApiError(415, { detail: 'This is not a PDF' }), ['This is not a PDF', null]],
    [new ApiError(400, { detail: TOO_MANY }), [UPLOAD_FAILED, TOO_MANY]],
    [new ApiError(400, { detail: UPLOAD_FAILED }), [UPLOAD_FAILED, null]],
    [new ApiError(500, { detail: 'Oops' }), [UPLOAD_FAILED, messages.UPLOAD_NOT_STORED]],
    [new ApiError(502), [UPLOAD_FAILED, messages.UPLOAD_NOT_STORED]],
    [new ApiError(503, { detail: UPLOAD_FAILED }), [UPLOAD_FAILED, messages.UPLOAD_NOT_STORED]],
    [new ApiError(503, { detail: 'The portal is busy' }), [UPLOAD_FAILED, 'The portal is busy']],
    [new DOMException('gone', 'NotReadableError'), [UPLOAD_FAILED, messages.UPLOAD_NOT_READ]],
  ])('says what happened and what to do: %s', (error, [message, advice]) => {
    expect(describeUploadFailure(error)).toEqual({ message, advice });
  });

  it('can be repeated unless the portal rejected the file itself', () => {
    const statuses = [0, 400, 413, 415, 500, 503];
    const rejections = statuses.filter((status) => isRejection(new ApiError(status)));
    expect(rejections).toEqual([413, 415]);
  });
});
