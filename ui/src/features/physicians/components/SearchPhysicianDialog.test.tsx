import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';

import { buildPage } from '../../../test/portal';
import { renderPortal } from '../../../test/render';
import { SearchPhysicianDialog } from './SearchPhysicianDialog';

const LIST = 'GET /api/v2/physicians/remote-operations';
const CHECKBOX = { name: 'Physicians associated to Client' };
const dana = { id: 3, npi: '2000000002', firstName: 'DANA', lastName: 'REYES' };

async function openDialog(clientId: number | null) {
  const onSelect = vi.fn();
  const portal = await renderPortal(
    <SearchPhysicianDialog
      isOpen
      onClose={() => undefined}
      onSelect={onSelect}
      clientId={clientId}
    />,
    { answers: { [LIST]: buildPage([dana]) } },
  );
  await screen.findByRole('dialog', { name: 'Search Physician' });
  const getLastSearch = () =>
    portal.requests.filter((request) => `${request.method} ${request.path}` === LIST).at(-1);
  return { ...portal, onSelect, getLastSearch };
}

describe('SearchPhysicianDialog', () => {
  it('selects a physician by a click on the NPI', async () => {
    const { user, onSelect, getLastSearch } = await openDialog(null);
    await user.type(screen.getByRole('textbox', { name: 'Last Name' }), 'rey');
    await user.type(screen.getByRole('textbox', { name: 'NPI' }), '20');
    await user.click(screen.getByRole('button', { name: 'Search' }));
    await user.click(await screen.findByRole('gridcell', { name: '2000000002' }));
    expect(onSelect).toHaveBeenCalledWith(dana);
    expect(Object.fromEntries(getLastSearch()?.query ?? [])).toMatchObject({
      lastName: 'REY',
      npi: '20',
    });
  });

  it('has the fields and columns of the specification', async () => {
    const { user } = await openDialog(null);
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
    const titles = screen.getAllByRole('columnheader').map((header) => header.textContent);
    expect(titles).toEqual(['NPI', 'Last Name', 'First Name']);
  });

  it("offers to limit the search to the client's physicians if the client is known", async () => {
    const { unmount } = await openDialog(null);
    expect(screen.queryByRole('checkbox', CHECKBOX)).toBeNull();
    unmount();
    await openDialog(7);
    expect(screen.getByRole('checkbox', CHECKBOX)).toBeVisible();
  });

  it('applies the checkbox at once', async () => {
    const { user, getLastSearch } = await openDialog(7);
    await user.click(screen.getByRole('button', { name: 'Search' }));
    await screen.findByRole('gridcell', { name: '2000000002' });
    expect(getLastSearch()?.query.get('patientClientId')).toBe('7');
    await user.click(screen.getByRole('checkbox', CHECKBOX));
    await waitFor(() => expect(getLastSearch()?.query.has('patientClientId')).toBe(false));
  });

  it('starts fresh after Clear', async () => {
    const { user } = await openDialog(7);
    await user.click(screen.getByRole('checkbox', CHECKBOX));
    await user.type(screen.getByRole('textbox', { name: 'Last Name' }), 'rey');
    await user.click(screen.getByRole('button', { name: 'Search' }));
    await screen.findByRole('gridcell', { name: '2000000002' });
    await user.click(screen.getByRole('button', { name: 'Clear' }));
    expect(await screen.findByText('Search to see physicians')).toBeVisible();
    expect(screen.queryByRole('gridcell', { name: '2000000002' })).toBeNull();
    expect(screen.getByRole('textbox', { name: 'Last Name' })).toHaveValue('');
    expect(screen.getByRole('checkbox', CHECKBOX)).toBeChecked();
  });
});
