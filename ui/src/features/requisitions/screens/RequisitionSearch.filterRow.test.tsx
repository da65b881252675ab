import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages } from '../../../contract';
import { buildPage } from '../../../test/portal';
import { renderPortal } from '../../../test/render';
import { buildRequisitionRow } from '../../../test/requisitions';
import RequisitionSearch from './RequisitionSearch';

const NAME = 'column.patientLastName';
const row = buildRequisitionRow();

/** Renders a search, and filters its rows by their last name. */
async function filterByName(matches = [row]) {
  const view = await renderPortal(<RequisitionSearch />, {
    answers: {
      'GET /api/v2/requisitions/remote-operations': ({ query }: { query: URLSearchParams }) =>
        buildPage(query.get(NAME) ? matches : [row]),
    },
  });
  const listLoads = () =>
    view.requests
      .filter(({ path }) => path.endsWith('remote-operations'))
      .map(({ query }) => query);
  const getBox = () => screen.getByRole('textbox', { name: 'Filter Last name' });
  await screen.findByRole('gridcell', { name: row.code });
  await view.user.type(getBox(), 'O{Enter}');
  await waitFor(() => expect(listLoads().at(-1)?.get(NAME)).toBe('O'));
  return { ...view, listLoads, getBox };
}

describe('Clear above a filtered grid', () => {
  it('empties the filter row, and the rows follow with the next search', async () => {
    const { user, getBox, listLoads } = await filterByName();
    const countBefore = listLoads().length;
    await user.click(screen.getByRole('button', { name: 'Clear' }));
    expect(getBox()).toHaveValue('');
    expect(screen.getByText(messages.SEARCH_OUTDATED)).toBeVisible();
    expect(listLoads()).toHaveLength(countBefore);
    await user.click(screen.getByRole('button', { name: 'Search' }));
    await waitFor(() => expect(listLoads().length).toBeGreaterThan(countBefore));
    expect(listLoads().at(-1)?.get(NAME)).toBeNull();
    await waitFor(() => expect(screen.queryByText(messages.SEARCH_OUTDATED)).toBeNull());
  });

  it('lets another column be filtered without the cleared one', async () => {
    const { user, listLoads } = await filterByName();
    await user.click(screen.getByRole('button', { name: 'Clear' }));
    await user.type(screen.getByRole('textbox', { name: 'Filter Tests' }), 'TSH{Enter}');
    await waitFor(() => expect(listLoads().at(-1)?.get('column.tests')).toBe('TSH'));
    expect(listLoads().at(-1)?.get(NAME)).toBeNull();
  });

  it('forgets unfinished text', async () => {
    const { user } = await filterByName();
    const box = screen.getByRole('textbox', { name: 'Filter Birthdate' });
    await user.type(box, '13/4');
    await user.click(screen.getByRole('button', { name: 'Clear' }));
    expect(screen.getByRole('textbox', { name: 'Filter Birthdate' })).toHaveValue('');
  });
});

describe('A filter row that may hide rows', () => {
  it.each([
    ['without rows', []],
    ['below the last row', [row]],
  ])('is named %s, with a link that empties it at once', async (_, matches) => {
    const { user, listLoads, getBox } = await filterByName(matches);
    const link = await screen.findByRole('button', { name: 'Clear the filter row' });
    expect(screen.getByText(messages.FILTER_ROW_HIDES)).toBeInTheDocument();
    expect(screen.queryByText(messages.SEARCH_PERIOD_ENDS)).toBeNull();
    await user.click(link);
    await waitFor(() => expect(listLoads().at(-1)?.get(NAME)).toBeNull());
    expect(getBox()).toHaveValue('');
    await waitFor(() => expect(screen.queryByText(messages.FILTER_ROW_HIDES)).toBeNull());
    await waitFor(() => expect(document.activeElement?.closest('[role="grid"]')).not.toBeNull());
  });
});
