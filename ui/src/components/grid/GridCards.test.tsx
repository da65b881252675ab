import { screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';

import { page } from '../../test/portal';
import { renderPortal } from '../../test/render';
import { onScreenOf, widths } from '../../test/screens';
import { DataGrid } from './DataGrid';
import type { GridColumn } from './types';
import { useGrid } from './useGrid';

interface Thing {
  id: number;
  name: string;
  size: string;
}

const things: Thing[] = [
  { id: 1, name: 'FIRST', size: 'small' },
  { id: 2, name: 'SECOND', size: 'large' },
];
const columns: readonly GridColumn<Thing>[] = [
  { id: 'name', title: 'Name', width: 100, cell: ({ name }) => name, card: 'title' },
  { id: 'size', title: 'Size', width: 100, cell: ({ size }) => size },
];

function Things({ selectable, onOpen }: { selectable: boolean; onOpen: (thing: Thing) => void }) {
  const grid = useGrid<Thing>({
    name: 'things',
    path: '/api/v2/things',
    filters: {},
    defaultSort: [],
    rowId: ({ id }) => id,
  });
  return (
    <DataGrid
      label="Things"
      grid={grid}
      columns={columns}
      selectable={selectable}
      onOpen={onOpen}
    />
  );
}

async function draw(selectable: boolean) {
  onScreenOf(widths.phone);
  const onOpen = vi.fn();
  const { user } = await renderPortal(<Things selectable={selectable} onOpen={onOpen} />, {
    answers: { 'GET /api/v2/things': page(things) },
  });
  const cards = within(await screen.findByRole('list', { name: 'Things' }));
  await cards.findByText('SECOND');
  return { user, onOpen, cards };
}

describe('A card on the phone', () => {
  it('is opened by a tap anywhere where none is to be chosen', async () => {
    const { user, onOpen, cards } = await draw(false);
    await user.click(cards.getByText('large'));
    expect(onOpen).toHaveBeenCalledExactlyOnceWith(things[1]);
    await user.click(cards.getByRole('button', { name: 'Open FIRST' }));
    expect(onOpen).toHaveBeenCalledTimes(2);
  });

  it('is chosen by a tap anywhere where several may be, and opened by its eye', async () => {
    const { user, onOpen, cards } = await draw(true);
    const box = cards.getByRole('checkbox', { name: 'Select SECOND' });
    await user.click(cards.getByText('large'));
    expect(box).toBeChecked();
    await user.click(box);
    expect(box).not.toBeChecked();
    expect(onOpen).not.toHaveBeenCalled();
    await user.click(cards.getByRole('button', { name: 'Open SECOND' }));
    expect(onOpen).toHaveBeenCalledExactlyOnceWith(things[1]);
  });
});
