import { queryOptions } from '@tanstack/react-query';

import { api, loadCapabilities } from '../../api';
import { limits, type DeviceWire } from '../../contract';
import { compareClocks } from '../../lib/labClock';

/** The difference between the workstation's clock and the lab's, compared again at intervals. */
export const clockQuery = queryOptions({
  queryKey: ['lab-clock'],
  queryFn: async () => {
    await loadCapabilities();
    return compareClocks();
  },
  initialData: compareClocks,
  staleTime: Infinity,
  refetchInterval: limits.CLOCK_CHECK_SECONDS * 1000,
  // A laptop that wakes may have a wrong clock.
  refetchOnWindowFocus: 'always',
  retry: false,
  meta: { quiet: true },
});

/** The version of the desktop app, and the licenses of the works that it contains. */
export const aboutQuery = queryOptions({
  queryKey: ['about'],
  queryFn: () => api.get<DeviceWire<'About'>>('/device/about'),
  staleTime: Infinity,
});
