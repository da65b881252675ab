import { Callout } from '@blueprintjs/core';

import { useHasRole } from '../../../../api';
import { messages, RequisitionStatusLabels, Role, say } from '../../../../contract';
import { formatTimestamp } from '../../../../lib/dates';
import { formatInstant } from '../../../../lib/instants';
import type { Requisition } from '../../api';
import type { RequisitionCopy } from '../../copying';
import styles from './form.module.css';

interface FormNoticeProps {
  requisition: Requisition | null;
  isReadOnly: boolean;
  isSigned: boolean;
}

/** Explains why parts of the form cannot be changed. */
export function FormNotice({ requisition, isReadOnly, isSigned }: FormNoticeProps) {
  const isPatient = useHasRole(Role.PATIENT);
  if (requisition === null) return null;
  const { code, status, cancelComment, canceledAt, canceledByName } = requisition;
  const { orderCode, signature } = requisition;
  const { canChange, canChangeExtras } = requisition;
  const signedContent = say(messages.REQUISITION_SIGNED_CONTENT, { code });
  let text: string | null;
  if (isReadOnly) {
    text = say(messages.REQUISITION_READ_ONLY, {
      code,
      status: RequisitionStatusLabels[status] ?? '',
    });
  } else if (canChangeExtras.allowed && !canChange.allowed) {
    // A signature also covers what a physician could change otherwise.
    text = isSigned
      ? `${signedContent} ${messages.REQUISITION_SIGNED_OPEN_EXTRAS}`
      : (canChange.reason ?? '');
  } else if (isSigned) {
    // People who can change nothing, such as patients, need only the line with the signer.
    text = canChange.allowed ? `${signedContent} ${messages.REQUISITION_SIGNED_OPEN_PARTS}` : null;
  } else if (isPatient && requisition.canSign.allowed) {
    text = messages.REQUISITION_PATIENT_PARTS;
  } else {
    return null;
  }
  return (
    <Callout className={styles['wide']} icon={false} compact>
      {text}
      {signature === null ? null : (
        <div>
          {say(messages.REQUISITION_SIGNED_BY, {
            name: signature.userName,
            when: formatTimestamp(signature.signedDateTime),
          })}
        </div>
      )}
      {canceledAt === null ? null : <div>{describeCancellation(canceledByName, canceledAt)}</div>}
      {cancelComment ? <div>Comment: {cancelComment}</div> : null}
      {orderCode ? <div>Order: {orderCode}</div> : null}
    </Callout>
  );
}

function describeCancellation(name: string | null, at: string): string {
  const when = formatInstant(at);
  return name === null
    ? say(messages.REQUISITION_CANCELED_ON, { when })
    : say(messages.REQUISITION_CANCELED_BY, { name, when });
}

/** Names the source of a copy and the parts that could not be copied. */
export function CopyNotice({ copy }: { copy: RequisitionCopy }) {
  const { sourceCode: code, omittedParts } = copy;
  return (
    <Callout
      className={styles['wide']}
      icon={false}
      compact
      intent={omittedParts.length > 0 ? 'warning' : 'primary'}
      role="status"
    >
      {say(messages.REQUISITION_COPIED, { code })}
      {omittedParts.length > 0 ? (
        <div>{say(messages.REQUISITION_NOT_COPIED, { code, left: omittedParts.join(', ') })}</div>
      ) : null}
    </Callout>
  );
}
