import { Callout } from '@blueprintjs/core';

import { messages, RequisitionStatusLabels, say } from '../../../../contract';
import type { Requisition } from '../../api';
import type { Copied } from '../../copying';
import styles from './form.module.css';

interface FormNoticeProps {
  requisition: Requisition | null;
  readOnly: boolean;
  signed: boolean;
}

/** Why parts of the form can not be changed. */
export function FormNotice({ requisition, readOnly, signed }: FormNoticeProps) {
  if (requisition === null || (!readOnly && !signed)) return null;
  const { code, status, cancelComment, orderCode } = requisition;
  const text = readOnly
    ? say(messages.REQUISITION_READ_ONLY, { code, status: RequisitionStatusLabels[status] ?? '' })
    : `${say(messages.REQUISITION_SIGNED_CONTENT, { code })} ${messages.REQUISITION_SIGNED_OPEN_PARTS}`;
  return (
    <Callout className={styles['wide']} icon={false} compact>
      {text}
      {cancelComment ? <div>Comment: {cancelComment}</div> : null}
      {orderCode ? <div>Order: {orderCode}</div> : null}
    </Callout>
  );
}

/** What this copy is of, and by name what could not come along. */
export function CopyNotice({ copied }: { copied: Copied }) {
  const { of: code, left } = copied;
  return (
    <Callout
      className={styles['wide']}
      icon={false}
      compact
      intent={left.length > 0 ? 'warning' : 'primary'}
      role="status"
    >
      {say(messages.REQUISITION_COPIED, { code })}
      {left.length > 0 ? (
        <div>{say(messages.REQUISITION_NOT_COPIED, { code, left: left.join(', ') })}</div>
      ) : null}
    </Callout>
  );
}
