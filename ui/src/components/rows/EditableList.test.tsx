import { screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';

import { renderPortal } from '../../test/render';
import { ApiError } from '../../api';
import { messages } from '../../contract';
import { EditableList } from './EditableList';

interface Row {
  key: string;
  order: number;
  name: string;
}

const createRow = (name: string, order: number): Row => ({ key: name, order, name });

function TestList({ reload }: { reload: () => Promise<Row[]> }) {
  const [rows, setRows] = useState([createRow('A', 1), createRow('B', 2)]);
  const [selectedKeys, setSelectedKeys] = useState<ReadonlySet<string>>(new Set());
  return (
    <EditableList
      label="Things"
      actionsLabel="Thing"
      rows={rows}
      selected={selectedKeys}
      onSelect={setSelectedKeys}
      onChange={setRows}
      onReplace={(next) => {
        setRows(next);
        setSelectedKeys(new Set());
      }}
      reload={reload}
      savedRows={[createRow('SAVED', 1)]}
      getRowName={({ name }) => name}
      columns={[{ id: 'name', title: 'Name', render: ({ name }) => name }]}
      empty="No things"
      renderEditor={(row, close) => (
        <button onClick={close}>{row ? `Edit ${row.name}` : 'New one'}</button>
      )}
    />
  );
}

const getRowNames = () =>
  screen
    .getAllByRole('checkbox', { name: /^Select (?!all)/ })
    .map((box) => box.getAttribute('aria-label'));
const getButton = (name: string) =>
  within(screen.getByRole('toolbar')).getByRole('button', { name });

const renderList = (reload: () => Promise<Row[]> = () => Promise.resolve([createRow('READ', 1)])) =>
  renderPortal(<TestList reload={reload} />);

describe('An editable list', () => {
  it('moves and removes the selected row', async () => {
    const { user } = await renderList();
    expect(getButton('Move Up')).toBeDisabled();
    expect(getButton('Remove')).toBeDisabled();
    await user.click(screen.getByRole('checkbox', { name: 'Select B' }));
    await user.click(getButton('Move Up'));
    expect(getRowNames()).toEqual(['Select B', 'Select A']);
    expect(getButton('Move Up')).toBeDisabled();
    await user.click(getButton('Remove'));
    expect(getRowNames()).toEqual(['Select A']);
    expect(getButton('Remove')).toBeDisabled();
  });

  it('moves the focus to a row when a button disables itself', async () => {
    const { user } = await renderList();
    await user.click(screen.getByRole('checkbox', { name: 'Select B' }));
    await user.click(getButton('Move Up'));
    await waitFor(() => expect(screen.getByRole('row', { name: /B/ })).toHaveFocus());
    await user.click(getButton('Remove'));
    await waitFor(() => expect(screen.getByRole('row', { name: /A/ })).toHaveFocus());
    await user.click(screen.getByRole('checkbox', { name: 'Select A' }));
    await user.click(getButton('Remove'));
    await waitFor(() => expect(getButton('Add')).toHaveFocus());
  });

  it('opens the editor for a new row and for an existing one', async () => {
    const { user } = await renderList();
    await user.click(getButton('Add'));
    await user.click(screen.getByRole('button', { name: 'New one' }));
    await user.dblClick(screen.getByRole('row', { name: /B/ }));
    expect(screen.getAllByRole('button', { name: 'Edit B' })).toHaveLength(2);
  });

  it('reloads the rows and restores the saved ones', async () => {
    const { user } = await renderList();
    await user.click(getButton('Refresh'));
    expect(await screen.findByRole('checkbox', { name: 'Select READ' })).toBeVisible();
    await user.click(getButton('Undo'));
    expect(getRowNames()).toEqual(['Select SAVED']);
    expect(getButton('Undo')).toBeDisabled();
  });

  it('keeps its rows when reloading fails, and says why', async () => {
    const { user } = await renderList(() => Promise.reject(new ApiError(500, {})));
    await user.click(getButton('Refresh'));
    expect(await screen.findByText(messages.INTERNAL_ERROR)).toBeVisible();
    expect(getRowNames()).toEqual(['Select A', 'Select B']);
  });

  it('has only the actions that are configured', async () => {
    await renderList();
    expect(within(screen.getByRole('toolbar')).queryByRole('button', { name: 'Save' })).toBeNull();
  });
});
