import { useIsFetching } from '@tanstack/react-query';
import { useNavigate } from 'react-router';

import { useProfile } from '../../api';
import { useFormKey } from '../../components/forms/useFormKey';
import { TickCircleIcon } from '../../components/icons';
import type { PageAction } from '../../components/PageToolbar';
import { toasts } from '../../components/toasts';
import { mayEver, messages } from '../../contract';
import { buildMatrix } from '../../lib/matrix';
import { paths } from '../../lib/paths';
import {
  isUnreadBy,
  useAcknowledging,
  useUnreadFilter,
  type AcknowledgeCallbacks,
} from '../orders/acknowledging';
import { buildReloadFilter, findNextUnread, type Order } from '../orders/api';

const KEY = 'alt+shift+a';

/**
 * Acknowledges an order. One key does that and opens the next order with unread results (DECISIONS,
 * Results).
 */
export function useAcknowledgeAction(
  order: Order,
  callbacks: AcknowledgeCallbacks,
): { action: PageAction } {
  const user = useProfile();
  const filter = useUnreadFilter();
  const navigate = useNavigate();
  const acknowledgeWrite = useAcknowledging(callbacks);
  // Until the newer results are on screen, nobody can have read them.
  const isReloading = useIsFetching(buildReloadFilter(order.id)) > 0;
  const isBusy = acknowledgeWrite.isRunning || isReloading;
  const isUnread = isUnreadBy(user, order);
  const { allowed, reason } = order.canAcknowledge;
  const isAllowed = mayEver('acknowledgeOrder', user.role);
  const openNext = async () => {
    const id = await findNextUnread(filter, order.id);
    if (id === null) toasts.info(messages.NO_MORE_UNREAD);
    else void navigate(buildMatrix(paths.orderResults, { id }));
  };
  const acknowledgeAndOpenNext = async () => {
    if (!isAllowed || isBusy) return;
    try {
      if (allowed && isUnread) await acknowledgeWrite.runAsync([order]);
    } catch {
      // A failed acknowledgment has shown a message, and this order stays on screen.
      return;
    }
    await openNext().catch(toasts.failure);
  };
  useFormKey(KEY, 'Acknowledge, next unread', () => void acknowledgeAndOpenNext(), 'Order');
  return {
    action: {
      label: 'Acknowledge',
      icon: <TickCircleIcon />,
      isAlwaysShown: true,
      intent: isUnread ? 'primary' : undefined,
      hidden: !isAllowed,
      disabled: !allowed || !isUnread,
      reason: allowed ? messages.ORDER_ALREADY_ACKNOWLEDGED : (reason ?? undefined),
      loading: isBusy,
      onClick: () => acknowledgeWrite.run([order]),
    },
  };
}
