import { queryOptions } from '@tanstack/react-query';

import { api } from '../../api';
import type { DeviceWire } from '../../contract';

/** The version of the desktop app, and the licenses of the works that it contains. */
export const aboutQuery = queryOptions({
  queryKey: ['about'],
  queryFn: () => api.get<DeviceWire<'About'>>('/device/about'),
  staleTime: Infinity,
});
