import { messages } from '../../contract';
import type { EntryHeader } from './api';

/** How result entry treats an order that closed while somebody typed, such as a canceled one. */
export const closedOrder = {
  isEditable: (order: EntryHeader): boolean => order.canEnterResults.allowed,
  describeState: (_: EntryHeader | undefined, latest: EntryHeader): string | null =>
    latest.canEnterResults.allowed ? null : messages.ENTRY_CLOSED,
};
