import { screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';

import { buildPage } from '../../test/portal';
import { renderPortal } from '../../test/render';
import { setScreenWidth, widths } from '../../test/screens';
import { DataGrid } from './DataGrid';
import type { GridColumn } from './types';
import { useGrid } from './useGrid';

interface Item {
  id: number;
  name: string;
  size: string;
}

const items: Item[] = [
  { id: 1, name: 'FIRST', size: 'small' },
  { id: 2, name: 'SECOND', size: 'large' },
];
const columns: readonly GridColumn<Item>[] = [
  { id: 'name', title: 'Name', width: 100, cell: ({ name }) => name, card: 'title' },
  { id: 'size', title: 'Size', width: 100, cell: ({ size }) => size },
];

function ItemGrid({ selectable, onOpen }: { selectable: boolean; onOpen: (item: Item) => void }) {
  const grid = useGrid<Item>({
    name: 'things',
    path: '/api/v2/things',
    filters: {},
    defaultSort: [],
    getRowId: ({ id }) => id,
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

async function renderCards({ selectable }: { selectable: boolean }) {
  setScreenWidth(widths.phone);
  const onOpen = vi.fn();
  const { user } = await renderPortal(<ItemGrid selectable={selectable} onOpen={onOpen} />, {
    answers: { 'GET /api/v2/things': buildPage(items) },
  });
  const cards = within(await screen.findByRole('list', { name: 'Things' }));
  await cards.findByText('SECOND');
  return { user, onOpen, cards };
}

describe('A card on a phone', () => {
  it('opens when tapped anywhere, if rows cannot be selected', async () => {
    const { user, onOpen, cards } = await renderCards({ selectable: false });
    await user.click(cards.getByText('large'));
    expect(onOpen).toHaveBeenCalledExactlyOnceWith(items[1]);
    await user.click(cards.getByRole('button', { name: 'Open FIRST' }));
    expect(onOpen).toHaveBeenCalledTimes(2);
  });

  it('is selected by a tap anywhere, and opened by its eye icon', async () => {
    const { user, onOpen, cards } = await renderCards({ selectable: true });
    const box = cards.getByRole('checkbox', { name: 'Select SECOND' });
    await user.click(cards.getByText('large'));
    expect(box).toBeChecked();
    await user.click(box);
    expect(box).not.toBeChecked();
    expect(onOpen).not.toHaveBeenCalled();
    await user.click(cards.getByRole('button', { name: 'Open SECOND' }));
    expect(onOpen).toHaveBeenCalledExactlyOnceWith(items[1]);
  });
});
