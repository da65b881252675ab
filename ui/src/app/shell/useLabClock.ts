import { useQuery } from '@tanstack/react-query';

import type { ClockDifference } from '../../lib/labClock';
import { clockQuery } from '../../features/settings/api';

/** Returns how the workstation's clock differs from the lab's; null if they agree. */
export const useClockDifference = (): ClockDifference | null => useQuery(clockQuery).data;
