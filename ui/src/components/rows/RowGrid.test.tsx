import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';

import { RowGrid } from './RowGrid';

interface Letter {
  key: string;
  name: string;
}

const letters: Letter[] = ['a', 'b', 'c', 'd'].map((key) => ({ key, name: key.toUpperCase() }));

function renderGrid(getProblems: (letter: Letter) => string[] = () => []) {
  const onOpen = vi.fn<(letter: Letter) => void>();
  function Letters() {
    const [selectedKeys, setSelectedKeys] = useState<ReadonlySet<string>>(new Set());
    return (
      <RowGrid
        label="Letters"
        rows={letters}
        getRowKey={(letter) => letter.key}
        getRowName={(letter) => letter.name}
        columns={[{ id: 'name', title: 'Name', render: (letter) => letter.name }]}
        selected={selectedKeys}
        onSelect={setSelectedKeys}
        onOpen={onOpen}
        getProblems={getProblems}
        empty="No letters"
      />
    );
  }
  render(<Letters />);
  const grid = within(screen.getByRole('grid', { name: 'Letters' }));
  const getRow = (name: string) => grid.getByRole('row', { name: new RegExp(`Select ${name} `) });
  const listSelected = () =>
    grid.queryAllByRole('row', { selected: true }).map((element) => element.dataset['key']);
  return { user: userEvent.setup(), grid, getRow, listSelected, onOpen };
}

describe('A row grid', () => {
  it('has one tab stop; arrows, Home and End move, Space selects, Enter edits', async () => {
    const { user, getRow, listSelected, onOpen } = renderGrid();
    await user.tab();
    await user.tab();
    expect(getRow('A')).toHaveFocus();
    await user.keyboard('{ArrowDown} {ArrowDown} ');
    expect(listSelected()).toEqual(['b', 'c']);
    await user.keyboard('{End}{ArrowDown}{Enter}');
    expect(getRow('D')).toHaveFocus();
    expect(onOpen).toHaveBeenCalledWith(letters[3]);
    await user.keyboard('{Home}{ArrowUp}');
    expect(getRow('A')).toHaveFocus();
    await user.tab();
    expect(document.body).toHaveFocus();
  });

  it('selects one row by click, a range with Shift, several with Ctrl, all by its header', async () => {
    const { user, grid, getRow, listSelected } = renderGrid();
    await user.click(getRow('B'));
    expect(listSelected()).toEqual(['b']);
    await user.keyboard('{Shift>}');
    await user.click(getRow('D'));
    await user.keyboard('{/Shift}');
    expect(listSelected()).toEqual(['b', 'c', 'd']);
    await user.keyboard('{Control>}');
    await user.click(getRow('C'));
    await user.keyboard('{/Control}');
    expect(listSelected()).toEqual(['b', 'd']);
    await user.click(grid.getByRole('checkbox', { name: 'Select all: Letters' }));
    expect(listSelected()).toHaveLength(4);
    await user.click(grid.getByRole('checkbox', { name: 'Select all: Letters' }));
    expect(listSelected()).toEqual([]);
  });

  it('shows the messages of a row below it', () => {
    const { grid, getRow } = renderGrid((letter) =>
      letter.key === 'c' ? ['Too round', 'Too open'] : [],
    );
    expect(grid.getByText('Too round. Too open')).toBeVisible();
    expect(getRow('C')).toHaveAccessibleDescription('Too round. Too open');
    expect(getRow('B')).not.toHaveAccessibleDescription();
  });
});
