import { screen, within } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';

import { renderPortal } from '../../test/render';
import { ApiError } from '../../api';
import { messages } from '../../contract';
import { EditableList } from './EditableList';

interface Thing {
  key: string;
  order: number;
  name: string;
}

const thing = (name: string, order: number): Thing => ({ key: name, order, name });

function List({ reload }: { reload: () => Promise<Thing[]> }) {
  const [rows, setRows] = useState([thing('A', 1), thing('B', 2)]);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  return (
    <EditableList
      label="Things"
      actionsLabel="Thing"
      rows={rows}
      selected={selected}
      onSelect={setSelected}
      onChange={setRows}
      onReplace={(next) => {
        setRows(next);
        setSelected(new Set());
      }}
      reload={reload}
      saved={[thing('SAVED', 1)]}
      rowName={({ name }) => name}
      columns={[{ id: 'name', title: 'Name', render: ({ name }) => name }]}
      empty="No things"
      editor={(row, close) => (
        <button onClick={close}>{row ? `Edit ${row.name}` : 'New one'}</button>
      )}
    />
  );
}

const names = () =>
  screen
    .getAllByRole('checkbox', { name: /^Select (?!all)/ })
    .map((box) => box.getAttribute('aria-label'));
const press = (name: string) => within(screen.getByRole('toolbar')).getByRole('button', { name });

const draw = (reload: () => Promise<Thing[]> = () => Promise.resolve([thing('READ', 1)])) =>
  renderPortal(<List reload={reload} />);

describe('A list that is edited in a form', () => {
  it('moves and removes what is selected', async () => {
    const { user } = await draw();
    expect(press('Move Up')).toBeDisabled();
    expect(press('Remove')).toBeDisabled();
    await user.click(screen.getByRole('checkbox', { name: 'Select B' }));
    await user.click(press('Move Up'));
    expect(names()).toEqual(['Select B', 'Select A']);
    expect(press('Move Up')).toBeDisabled();
    await user.click(press('Remove'));
    expect(names()).toEqual(['Select A']);
    expect(press('Remove')).toBeDisabled();
  });

  it('opens the editor for a new row and for one that is there', async () => {
    const { user } = await draw();
    await user.click(press('Add'));
    await user.click(screen.getByRole('button', { name: 'New one' }));
    await user.dblClick(screen.getByRole('row', { name: /B/ }));
    expect(screen.getAllByRole('button', { name: 'Edit B' })).toHaveLength(2);
  });

  it('reads the rows anew and brings the saved ones back', async () => {
    const { user } = await draw();
    await user.click(press('Refresh'));
    expect(await screen.findByRole('checkbox', { name: 'Select READ' })).toBeVisible();
    await user.click(press('Undo'));
    expect(names()).toEqual(['Select SAVED']);
  });

  it('keeps its rows and says why they could not be read', async () => {
    const { user } = await draw(() => Promise.reject(new ApiError(500, {})));
    await user.click(press('Refresh'));
    expect(await screen.findByText(messages.INTERNAL_ERROR)).toBeVisible();
    expect(names()).toEqual(['Select A', 'Select B']);
  });

  it('has only the actions that it is given', async () => {
    await draw();
    expect(within(screen.getByRole('toolbar')).queryByRole('button', { name: 'Save' })).toBeNull();
  });
});
