import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { Role } from '../../../contract';
import { page } from '../../../test/portal';
import { profile, renderPortal } from '../../../test/render';
import OrderSearch from './OrderSearch';

const PATH = 'GET /api/v2/orders/remote-operations';

async function openSearch() {
  const view = await renderPortal(<OrderSearch />, {
    user: profile(Role.CLIENT_BASIC),
    answers: { [PATH]: page([]) },
  });
  const lastQuery = () =>
    view.requests.filter(({ path }) => path.endsWith('remote-operations')).at(-1)?.query;
  return { ...view, lastQuery };
}

describe('The order search', () => {
  it('searches for orders with alerts', async () => {
    const view = await openSearch();
    await view.user.click(screen.getByRole('checkbox', { name: 'Alert Results' }));
    await view.user.click(screen.getByRole('button', { name: 'Search' }));
    await waitFor(() => expect(view.lastQuery()?.get('alertResults')).toBe('true'), {
      timeout: 3000,
    });
  });

  it('filters and sorts by every column', async () => {
    const view = await openSearch();
    await view.user.click(screen.getByRole('button', { name: 'Search' }));
    await waitFor(() => expect(view.lastQuery()).toBeDefined(), { timeout: 3000 });
    for (const head of screen.getAllByRole('columnheader').slice(1)) {
      expect(screen.getByLabelText(`Filter ${head.textContent}`)).toBeEnabled();
    }
    await view.user.type(screen.getByRole('textbox', { name: 'Filter Client' }), 'SHORE');
    await view.user.type(screen.getByRole('textbox', { name: 'Filter Tests' }), 'TSH');
    await view.user.type(screen.getByRole('textbox', { name: 'Filter Room - Bed' }), '101 - A');
    await view.user.selectOptions(
      screen.getByRole('combobox', { name: 'Filter Status' }),
      'PARTIAL',
    );
    await view.user.selectOptions(screen.getByRole('combobox', { name: 'Filter Alert' }), 'Alert');
    await view.user.click(screen.getByRole('button', { name: 'Tests' }));
    await waitFor(
      () =>
        expect(Object.fromEntries(view.lastQuery() ?? [])).toMatchObject({
          'column.client': 'SHORE',
          'column.testNames': 'TSH',
          'column.roomAndBed': '101 - A',
          'column.status': '4,8,64',
          'column.hasAlert': 'true',
          sort: 'testNames',
        }),
      { timeout: 3000 },
    );
  });
});
