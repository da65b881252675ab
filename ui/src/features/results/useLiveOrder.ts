import { useQueryClient } from '@tanstack/react-query';

import { useLiveChanges } from '../../api';
import { reloadOrderNotices } from '../criticalResults/api';
import { reloadOrder, reloadOrderWithParts, type Order } from '../orders/api';
import { reloadLastValues } from './clinical/api';

/**
 * Reloads an open order as soon as somebody else has changed it, with its results if they may have
 * changed. Signatures, acknowledgments, and calls about critical results keep the order's version
 * and change no results. The last values follow the patient's other orders: one of them may have
 * been withheld or corrected.
 */
export function useLiveOrder({ id, version, patient }: Order): void {
  const queries = useQueryClient();
  useLiveChanges('order', (change) => {
    // A correction may open another notice, which the client does not know of.
    if (change === null || change.id === id) reloadOrderNotices(queries, id);
    if (change === null || (change.id === id && change.version > version))
      reloadOrderWithParts(queries, id);
    else if (change.id === id && change.version === version) reloadOrder(queries, id);
    else if (change.id !== id && change.patientId === patient.id) reloadLastValues(queries, id);
  });
}
