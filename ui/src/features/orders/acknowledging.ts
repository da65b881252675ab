import { useQueryClient } from '@tanstack/react-query';

import { useProfile, type Profile } from '../../api';
import { toasts } from '../../components/toasts';
import { useWrite } from '../../components/useWrite';
import { mayEver, messages, Role } from '../../contract';
import { waitingQuery } from '../waiting/api';
import { acknowledgeOrders } from './api';

interface UnreadMarks {
  isUnread: boolean;
  isUnreadByPhysician: boolean;
}

/** Whether the user still has to acknowledge the results. */
export const isUnreadBy = ({ role }: Profile, row: UnreadMarks): boolean =>
  mayEver('acknowledgeOrder', role) &&
  (role === Role.PHYSICIAN ? row.isUnreadByPhysician : row.isUnread);

/** The filters of the order search for orders that clients and physicians have not read. */
export const UNREAD_FILTERS = ['unread', 'unreadByPhysician'] as const;
export type UnreadFilter = (typeof UNREAD_FILTERS)[number];

/** The filter of the order search for orders that the user has not read. */
export const useUnreadFilter = (): UnreadFilter =>
  useProfile().role === Role.PHYSICIAN ? 'unreadByPhysician' : 'unread';

export interface AcknowledgeCallbacks {
  onDone: () => void;
  /** Called when results have changed since they were shown, after the user was notified. */
  onStale: () => void;
}

/** Acknowledges the results of one or more orders, all or none. */
export function useAcknowledging({ onDone, onStale }: AcknowledgeCallbacks) {
  const queries = useQueryClient();
  return useWrite({
    send: (rows: readonly { id: number; version: number }[], key) => acknowledgeOrders(rows, key),
    onDone: ({ data }) => {
      toasts.success(
        data.length === 1 ? messages.ORDER_ACKNOWLEDGED : messages.ORDERS_ACKNOWLEDGED,
      );
      void queries.invalidateQueries({ queryKey: waitingQuery.queryKey });
      onDone();
    },
    onStale,
  });
}
