import { Button, Callout } from '@blueprintjs/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { describeError, isStale } from '../../../api';
import { GuardedDialog } from '../../../components/dialogs/GuardedDialog';
import { TextAreaField } from '../../../components/fields/TextField';
import { toasts } from '../../../components/toasts';
import { useWrite } from '../../../components/useWrite';
import { limits, messages } from '../../../contract';
import { formatTimestamp } from '../../../lib/dates';
import {
  orderCommentsQuery,
  reloadOrderWithParts,
  writeOrderComment,
  type OrderComment,
} from '../../orders/api';
import type { EntryHeader } from '../api';
import styles from './results.module.css';

const WIDTH_PX = 560;

interface CommentDialogProps {
  order: EntryHeader;
  onClose: () => void;
}

/** Writes, changes, or removes the comment on an order, which everybody reads at once (R 2.2). */
export function CommentDialog({ order, onClose }: CommentDialogProps) {
  const queries = useQueryClient();
  const stored = order.reportComment ?? '';
  // The comment that the user has seen. The typed text may replace only this one.
  const [seen, setSeen] = useState(stored);
  const [text, setText] = useState(stored);
  const isInConflict = stored !== seen;
  const comment = text.trim();
  const isDirty = comment !== seen;
  const write = useWrite({
    send: (body: { comment: string | null; version: number }, idempotencyKey) =>
      writeOrderComment(order.orderId, body.comment, { version: body.version, idempotencyKey }),
    onDone: (_, body) => {
      toasts.success(
        body.comment === null ? messages.ORDER_COMMENT_REMOVED : messages.ORDER_COMMENT_SAVED,
      );
      reloadOrderWithParts(queries, order.orderId);
      onClose();
    },
    explain: (error) => {
      if (!isStale(error)) return false;
      toasts.warning(messages.ORDER_CHANGED_FIRST);
      return true;
    },
    onStale: () => reloadOrderWithParts(queries, order.orderId),
  });
  return (
    <GuardedDialog
      isOpen
      title="Order Comments"
      width={WIDTH_PX}
      isDirty={isDirty}
      submitLabel="Save"
      submitDisabled={!isDirty || isInConflict}
      busy={write.isRunning}
      onSubmit={() =>
        write.run({ comment: comment === '' ? null : comment, version: order.version })
      }
      onClose={onClose}
    >
      <p className="quiet">
        {messages.ORDER_COMMENT_VISIBLE}
        {order.reported === null ? null : ` ${messages.ORDER_COMMENT_REPORTED}`}
      </p>
      {isInConflict ? (
        <Callout intent="warning" compact role="alert">
          <p>
            {stored === ''
              ? messages.ORDER_COMMENT_CONFLICT_REMOVED
              : messages.ORDER_COMMENT_CONFLICT}
          </p>
          {stored === '' ? null : <p className={styles['commentText']}>{stored}</p>}
          <Button size="small" text="Keep Mine" onClick={() => setSeen(stored)} />{' '}
          <Button
            size="small"
            text="Use Newer"
            onClick={() => {
              setSeen(stored);
              setText(stored);
            }}
          />
        </Callout>
      ) : null}
      <TextAreaField
        label="Comment"
        value={text}
        rows={5}
        maxLength={limits.ORDER_COMMENT_MAX_LENGTH}
        onChange={setText}
      />
      <EarlierComments orderId={order.orderId} />
    </GuardedDialog>
  );
}

/** '11/28/2026 09:10 AM · Una User'. */
const describeOrigin = ({ writtenAt, writtenBy }: OrderComment): string =>
  `${formatTimestamp(writtenAt)} · ${writtenBy}`;

/** The comments that the order has had, for the lab alone. */
function EarlierComments({ orderId }: { orderId: number }) {
  const comments = useQuery(orderCommentsQuery(orderId));
  if (comments.isError) return <p role="alert">{describeError(comments.error)}</p>;
  if (comments.data === undefined || comments.data.length === 0) return null;
  return (
    <section aria-label="History" className={styles['history']}>
      <h3>History</h3>
      <ul className={styles['records']}>
        {comments.data.map((comment, index) => (
          <li key={index}>
            {describeOrigin(comment)}:{' '}
            <span className={styles['commentText']}>{comment.comment ?? 'removed'}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
