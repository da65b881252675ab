import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';

import { buildPage } from '../../../test/portal';
import { buildProfile, renderPortal } from '../../../test/render';
import OrderSearch from './OrderSearch';

const LIST = 'GET /api/v2/orders/remote-operations';
const someone = buildProfile();
const somebodyElse = { ...someone, id: '7b0e6a52-5f0e-4b8c-9d0a-0d2f6e6f0002' };
const link = { startDate: '2026-03-01', endDate: '2026-03-09', status: '16' };

async function openSearch(user: typeof someone, { continues }: { continues: boolean }) {
  const view = await renderPortal(<OrderSearch />, {
    user,
    answers: { [LIST]: buildPage([]) },
    locationState: { continues },
  });
  const findQuery = () =>
    waitFor(() => {
      const sentRequest = view.requests.findLast(({ path }) => path.endsWith('remote-operations'));
      if (sentRequest === undefined) throw new Error('nothing was searched for');
      return sentRequest.query;
    });
  return { ...view, findQuery };
}

describe('A search whose session ended', () => {
  beforeEach(async () => {
    const view = await renderPortal(<OrderSearch />, {
      user: someone,
      answers: { [LIST]: buildPage([]) },
      parameters: link,
    });
    await screen.findByText('No orders match this search');
    view.unmount();
  });

  it('continues when the same user returns', async () => {
    const { findQuery } = await openSearch(someone, { continues: true });
    const query = await findQuery();
    expect(Object.fromEntries(query)).toMatchObject(link);
    expect(screen.getByRole('radio', { name: 'Final' })).toBeChecked();
  });

  it('is not shown to somebody else, or to the same user who arrives in another way', async () => {
    const { findQuery, unmount } = await openSearch(somebodyElse, { continues: true });
    expect((await findQuery()).get('startDate')).not.toBe(link.startDate);
    unmount();
    const { findQuery: findNextQuery } = await openSearch(someone, { continues: false });
    expect((await findNextQuery()).get('startDate')).not.toBe(link.startDate);
  });
});
