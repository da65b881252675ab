import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';

import { PlusIcon } from '../icons';
import { ListToolbar } from './ListToolbar';

describe('The buttons of a list', () => {
  const actions = [
    { label: 'Add', icon: <PlusIcon />, isAlwaysShown: true, disabled: false, onClick: vi.fn() },
    { label: 'Remove', icon: <PlusIcon />, disabled: true, onClick: vi.fn() },
  ];

  it('are all visible on wide screens', () => {
    render(<ListToolbar label="Letters" actions={actions} />);
    const names = screen.getAllByRole('button').map((button) => button.textContent);
    expect(names).toEqual(['Add', 'Remove']);
    expect(screen.getByRole('button', { name: 'Remove' })).toBeDisabled();
  });

  it('move into an overflow menu on phones, except the first', async () => {
    vi.stubGlobal('matchMedia', (query: string) => ({
      media: query,
      matches: true,
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    }));
    render(<ListToolbar label="Letters" actions={actions} />);
    expect(screen.queryByRole('button', { name: 'Remove' })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Letters: more actions' }));
    expect(await screen.findByRole('menuitem', { name: 'Remove' })).toBeInTheDocument();
  });
});
