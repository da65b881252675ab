import { useState, type ReactNode } from 'react';

import { usePermissions } from '../../../api';
import { CommentIcon, EyeOpenIcon } from '../../../components/icons';
import { PageToolbar, type PageAction } from '../../../components/PageToolbar';
import { PatientBanner } from '../../../components/records/PatientBanner';
import { toasts } from '../../../components/toasts';
import { messages } from '../../../contract';
import { useDevice } from '../../../device';
import { formatDateTime } from '../../../lib/dateTimes';
import { loadPreview } from '../../orders/api';
import { CollectionTag, OrderStatusTag } from '../../orders/components/OrderStatus';
import type { EntryHeader } from '../api';
import { CommentDialog } from './CommentDialog';
import styles from './results.module.css';

interface EntryToolbarProps {
  order: EntryHeader;
  actions: readonly PageAction[];
  /** Whether there are edits, which the preview does not show. */
  hasUnsaved: boolean;
  /** The next step, beside the status. */
  progress?: ReactNode;
}

/** The order, its patient and the actions of a result entry screen. */
export function EntryToolbar({ order, actions, hasUnsaved, progress }: EntryToolbarProps) {
  const { patient } = order;
  const device = useDevice();
  const canPreview = usePermissions().may('previewResults');
  const [isCommenting, setCommenting] = useState(false);
  const openPreview = async () => device.openFile(await loadPreview(order.orderId));
  return (
    <>
      <PageToolbar
        title={order.codeValue}
        hasMenuInBar
        patient={
          <PatientBanner
            patient={patient}
            facts={[
              ['Patient Id', patient.code],
              ['Client', order.clientName],
              ['Collected', formatDateTime(order.collectionDate)],
              ['Specimen', order.specimenCondition],
            ]}
          />
        }
        badge={
          <>
            <OrderStatusTag status={order.status} />{' '}
            {order.awaitsCollection ? <CollectionTag /> : null}{' '}
            <span className={`quiet ${styles['progress']}`} aria-live="polite">
              {progress}
              {progress && hasUnsaved ? ' · ' : null}
              {hasUnsaved ? <strong>Unsaved</strong> : null}
            </span>
          </>
        }
        actions={[
          ...actions,
          {
            label: 'Order Comments',
            icon: <CommentIcon />,
            hidden: !order.canRelease.allowed,
            disabled: hasUnsaved,
            reason: messages.RESULTS_UNSAVED,
            onClick: () => setCommenting(true),
          },
          {
            label: 'Preview',
            icon: <EyeOpenIcon />,
            hidden: !canPreview,
            disabled: hasUnsaved,
            reason: messages.PREVIEW_UNSAVED,
            onClick: () => void openPreview().catch(toasts.failure),
          },
        ]}
      />
      {isCommenting ? <CommentDialog order={order} onClose={() => setCommenting(false)} /> : null}
    </>
  );
}
