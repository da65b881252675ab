import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';

import { renderPortal } from '../test/render';
import { setScreenWidth, widths } from '../test/screens';
import { TextField } from './fields/TextField';
import { SearchPanel } from './SearchPanel';

function SearchScreen() {
  const [name, setName] = useState('');
  const [lastSearch, setLastSearch] = useState('');
  return (
    <>
      <SearchPanel
        label="Search of things"
        invalid={false}
        clearLabel="Clear"
        onClear={() => setName('')}
        onSubmit={() => {
          setLastSearch(name);
          return name !== 'NONE';
        }}
      >
        <TextField label="Name" value={name} onChange={setName} />
      </SearchPanel>
      <output>{lastSearch}</output>
    </>
  );
}

const queryForm = () => screen.queryByRole('form', { name: 'Search of things' });

describe('A search panel', () => {
  it('is open on a desktop', async () => {
    await renderPortal(<SearchScreen />);
    expect(queryForm()).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Filters' })).toBeNull();
  });

  it('is collapsed in a low window, and toggled by its button', async () => {
    setScreenWidth(widths.desktop, 425);
    const { user } = await renderPortal(<SearchScreen />);
    const filters = screen.getByRole('button', { name: 'Filters' });
    expect(queryForm()).toBeNull();
    await user.click(filters);
    expect(queryForm()).toBeVisible();
    await user.click(filters);
    expect(queryForm()).toBeNull();
  });

  it('is collapsed on a phone, and toggled by its button, Escape and a search', async () => {
    setScreenWidth(widths.phone);
    const { user } = await renderPortal(<SearchScreen />);
    const filters = screen.getByRole('button', { name: 'Filters' });
    expect(queryForm()).toBeNull();

    await user.click(filters);
    expect(filters).toHaveAttribute('aria-expanded', 'true');
    await user.click(filters);
    expect(queryForm()).toBeNull();

    await user.click(filters);
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'ONE{Escape}');
    expect(queryForm()).toBeNull();
    expect(filters).toHaveFocus();

    await user.click(filters);
    expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('ONE');
    await user.click(screen.getByRole('button', { name: 'Search' }));
    await waitFor(() => expect(queryForm()).toBeNull());
    expect(screen.getByRole('status')).toHaveTextContent('ONE');
    expect(filters).toHaveFocus();
  });

  it('stays open on a phone when the search is invalid', async () => {
    setScreenWidth(widths.phone);
    const { user } = await renderPortal(<SearchScreen />);
    await user.click(screen.getByRole('button', { name: 'Filters' }));
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'NONE{Enter}');
    expect(screen.getByRole('status')).toHaveTextContent('NONE');
    expect(queryForm()).toBeVisible();
  });
});
