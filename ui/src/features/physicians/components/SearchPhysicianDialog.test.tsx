import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';

import { page } from '../../../test/portal';
import { renderPortal } from '../../../test/render';
import { SearchPhysicianDialog } from './SearchPhysicianDialog';

const LIST = 'GET /api/v2/physicians/remote-operations';
const CHECKBOX = { name: 'Physicians associated to Client' };
const dana = { id: 3, npi: '2000000002', firstName: 'DANA', lastName: 'REYES' };

async function open(clientId: number | null) {
  const onSelect = vi.fn();
  const portal = await renderPortal(
    <SearchPhysicianDialog
      isOpen
      onClose={() => undefined}
      onSelect={onSelect}
      clientId={clientId}
    />,
    { answers: { [LIST]: page([dana]) } },
  );
  await screen.findByRole('dialog', { name: 'Search Physician' });
  const lastSearch = () => portal.seen.filter((one) => `${one.method} ${one.path}` === LIST).at(-1);
  return { ...portal, onSelect, lastSearch };
}

describe('SearchPhysicianDialog', () => {
  it('selects by a click on the NPI', async () => {
    const { user, onSelect, lastSearch } = await open(null);
    await user.type(screen.getByRole('textbox', { name: 'Last Name' }), 'rey');
    await user.type(screen.getByRole('textbox', { name: 'NPI' }), '20');
    await user.click(screen.getByRole('button', { name: 'Search' }));
    await user.click(await screen.findByRole('gridcell', { name: '2000000002' }));
    expect(onSelect).toHaveBeenCalledWith(dana);
    expect(Object.fromEntries(lastSearch()?.query ?? [])).toMatchObject({
      lastName: 'REY',
      npi: '20',
    });
  });

  it('has its fields and columns', async () => {
    const { user } = await open(null);
    await user.type(screen.getByRole('textbox', { name: 'First Name' }), 'da');
    await user.click(screen.getByRole('button', { name: 'Search' }));
    await screen.findByRole('gridcell', { name: 'REYES' });
    expect(screen.getByRole('gridcell', { name: 'DANA' })).toBeVisible();
    const fields = screen.getAllByRole<HTMLInputElement>('textbox');
    expect(fields.map(({ labels }) => labels?.[0]?.textContent.trim()).slice(0, 3)).toEqual([
      'Last Name',
      'First Name',
      'NPI',
    ]);
    const titles = screen.getAllByRole('columnheader').map((head) => head.textContent);
    expect(titles).toEqual(['NPI', 'Last Name', 'First Name']);
  });

  it('offers the physicians of the client only when the client is known', async () => {
    const { unmount } = await open(null);
    expect(screen.queryByRole('checkbox', CHECKBOX)).toBeNull();
    unmount();
    await open(7);
    expect(screen.getByRole('checkbox', CHECKBOX)).toBeVisible();
  });

  it('narrows and widens the search at once', async () => {
    const { user, lastSearch } = await open(7);
    await user.click(screen.getByRole('button', { name: 'Search' }));
    await screen.findByRole('gridcell', { name: '2000000002' });
    expect(lastSearch()?.query.get('patientClientId')).toBe('7');
    await user.click(screen.getByRole('checkbox', CHECKBOX));
    await waitFor(() => expect(lastSearch()?.query.has('patientClientId')).toBe(false));
  });
});
