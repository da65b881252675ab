import { queryOptions } from '@tanstack/react-query';

import { api, type PortalConnection } from '../../api';
import type { DeviceWire } from '../../contract';

export type PortalChoices = DeviceWire<'PortalChoiceRead'>;

export const loadPortals = () => api.get<PortalChoices>('/device/portals');

/** The portals that this workstation knows, and who decides which one it uses. */
export const portalsQuery = queryOptions({
  queryKey: ['portals'],
  queryFn: loadPortals,
  meta: { quiet: true },
});

/** Forgets a portal. */
export const removePortal = (url: string): Promise<void> =>
  api.delete('/device/portals', { query: { url } });

/** Uses another portal if it answers; otherwise nothing changes, and the answer says why. */
export const choosePortal = (url: string): Promise<PortalConnection> =>
  api.put('/device/portals/current', { body: { url } });
