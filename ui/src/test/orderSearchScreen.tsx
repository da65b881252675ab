import type { Profile } from '../api';
import { Role } from '../contract';
import OrderSearch from '../features/orders/screens/OrderSearch';
import type { RouteParameters } from '../lib/matrix';
import { buildPage, type Answers } from './portal';
import { buildProfile, renderPortal } from './render';

/** The request of the order search's rows. */
export const ORDER_LIST = 'GET /api/v2/orders/remote-operations';

/** A user of several clients. */
export const NURSE = {
  ...buildProfile(Role.CLIENT_BASIC),
  data: { ...buildProfile().data, clients: [1, 2] },
};

/** Opens the order search, without rows by default. */
export async function openOrderSearch(
  answers: Answers = {},
  options: { parameters?: RouteParameters; user?: Profile } = {},
) {
  const view = await renderPortal(<OrderSearch />, {
    user: NURSE,
    ...options,
    answers: { [ORDER_LIST]: buildPage([]), ...answers },
  });
  const getLastQuery = () =>
    view.requests.filter(({ path }) => path.endsWith('remote-operations')).at(-1)?.query;
  return { ...view, getLastQuery };
}
