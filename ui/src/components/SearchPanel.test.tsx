import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';

import { renderPortal } from '../test/render';
import { onScreenOf, widths } from '../test/screens';
import { TextField } from './fields/TextField';
import { SearchPanel } from './SearchPanel';

function Searching() {
  const [name, setName] = useState('');
  const [searched, setSearched] = useState('');
  return (
    <>
      <SearchPanel
        label="Search of things"
        invalid={false}
        clearLabel="Clear"
        onClear={() => setName('')}
        onSubmit={() => {
          setSearched(name);
          return name !== 'NONE';
        }}
      >
        <TextField label="Name" value={name} onChange={setName} />
      </SearchPanel>
      <output>{searched}</output>
    </>
  );
}

const form = () => screen.queryByRole('form', { name: 'Search of things' });

describe('The search above a grid', () => {
  it('stands open on a desktop', async () => {
    await renderPortal(<Searching />);
    expect(form()).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Filters' })).toBeNull();
  });

  it('is folded on a phone, opened by its button, and folded by it, by Escape and by a search', async () => {
    onScreenOf(widths.phone);
    const { user } = await renderPortal(<Searching />);
    const filters = screen.getByRole('button', { name: 'Filters' });
    expect(form()).toBeNull();

    await user.click(filters);
    expect(filters).toHaveAttribute('aria-expanded', 'true');
    await user.click(filters);
    expect(form()).toBeNull();

    await user.click(filters);
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'ONE{Escape}');
    expect(form()).toBeNull();
    expect(filters).toHaveFocus();

    await user.click(filters);
    expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('ONE');
    await user.click(screen.getByRole('button', { name: 'Search' }));
    await waitFor(() => expect(form()).toBeNull());
    expect(screen.getByRole('status')).toHaveTextContent('ONE');
    expect(filters).toHaveFocus();
  });

  it('stays open on a phone when it can not be searched so', async () => {
    onScreenOf(widths.phone);
    const { user } = await renderPortal(<Searching />);
    await user.click(screen.getByRole('button', { name: 'Filters' }));
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'NONE{Enter}');
    expect(screen.getByRole('status')).toHaveTextContent('NONE');
    expect(form()).toBeVisible();
  });
});
