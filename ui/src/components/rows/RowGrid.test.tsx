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

function renderGrid(problems: (letter: Letter) => string[] = () => []) {
  const onOpen = vi.fn<(letter: Letter) => void>();
  function Letters() {
    const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
    return (
      <RowGrid
        label="Letters"
        rows={letters}
        getRowKey={(letter) => letter.key}
        getRowName={(letter) => letter.name}
        columns={[{ id: 'name', title: 'Name', render: (letter) => letter.name }]}
        selected={selected}
        onSelect={setSelected}
        onOpen={onOpen}
        problems={problems}
        empty="No letters"
      />
    );
  }
  render(<Letters />);
  const grid = within(screen.getByRole('grid', { name: 'Letters' }));
  const getRow = (name: string) => grid.getByRole('row', { name: new RegExp(`Select ${name} `) });
  const listSelected = () =>
    grid.queryAllByRole('row', { selected: true }).map((element) => element.dataset['key']);
  return { user: userEvent.setup(), grid, row: getRow, chosen: listSelected, onOpen };
}

describe('A row grid', () => {
  it('has one tab stop; arrows, Home and End move, Space selects, Enter edits', async () => {
    const { user, row, chosen, onOpen } = renderGrid();
    await user.tab();
    await user.tab();
    expect(row('A')).toHaveFocus();
    await user.keyboard('{ArrowDown} {ArrowDown} ');
    expect(chosen()).toEqual(['b', 'c']);
    await user.keyboard('{End}{ArrowDown}{Enter}');
    expect(row('D')).toHaveFocus();
    expect(onOpen).toHaveBeenCalledWith(letters[3]);
    await user.keyboard('{Home}{ArrowUp}');
    expect(row('A')).toHaveFocus();
    await user.tab();
    expect(document.body).toHaveFocus();
  });

  it('selects one row by click, a range with Shift, several with Ctrl, all by its header', async () => {
    const { user, grid, row, chosen } = renderGrid();
    await user.click(row('B'));
    expect(chosen()).toEqual(['b']);
    await user.keyboard('{Shift>}');
    await user.click(row('D'));
    await user.keyboard('{/Shift}');
    expect(chosen()).toEqual(['b', 'c', 'd']);
    await user.keyboard('{Control>}');
    await user.click(row('C'));
    await user.keyboard('{/Control}');
    expect(chosen()).toEqual(['b', 'd']);
    await user.click(grid.getByRole('checkbox', { name: 'Select all: Letters' }));
    expect(chosen()).toHaveLength(4);
    await user.click(grid.getByRole('checkbox', { name: 'Select all: Letters' }));
    expect(chosen()).toEqual([]);
  });

  it('shows the messages of a row below it', () => {
    const { grid, row } = renderGrid((letter) =>
      letter.key === 'c' ? ['Too round', 'Too open'] : [],
    );
    expect(grid.getByText('Too round. Too open')).toBeVisible();
    expect(row('C')).toHaveAccessibleDescription('Too round. Too open');
    expect(row('B')).not.toHaveAccessibleDescription();
  });
});
