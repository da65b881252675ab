import { useQueryClient } from '@tanstack/react-query';

import { useLiveChanges } from '../../api';
import { reloadOrderWithParts, type Order } from '../orders/api';

/** Reloads an open order with its results as soon as somebody else has changed it. */
export function useLiveOrder({ id, version }: Order): void {
  const queries = useQueryClient();
  useLiveChanges('order', (change) => {
    if (change === null || (change.id === id && change.version > version))
      reloadOrderWithParts(queries, id);
  });
}
