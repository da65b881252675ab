import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';

import { renderPortal } from '../../test/render';
import { setScreenWidth, widths } from '../../test/screens';
import { TextField } from '../fields/TextField';
import { SearchPanel } from '../SearchPanel';
import { FilterChip, ToggleChip } from './FilterChip';
import { SegmentField } from './SegmentField';

function Search({ closesOnChange = false }: { closesOnChange?: boolean }) {
  const [name, setName] = useState('ANY');
  const [isOn, setIsOn] = useState(false);
  const [lastSearch, setLastSearch] = useState('');
  return (
    <>
      <SearchPanel
        label="Search"
        invalid={false}
        clearLabel="Clear"
        onClear={() => setName('ANY')}
        onSubmit={() => {
          setLastSearch(name);
          return true;
        }}
      >
        <SegmentField
          label="Status"
          value={isOn ? '1' : '2'}
          options={[
            { value: '1', label: 'Pending', count: '9' },
            { value: '2', label: 'All' },
          ]}
          onChange={(value) => setIsOn(value === '1')}
        />
        <FilterChip
          label="Name"
          value={name}
          isSet={name !== 'ANY'}
          closesOnChange={closesOnChange}
        >
          <TextField label="Person" value={name} onChange={setName} />
        </FilterChip>
        <FilterChip label="Place" value="ANY" isSet={false}>
          {(close) => (
            <>
              <TextField label="Room" value="" onChange={() => undefined} />
              <button type="button" onClick={close}>
                Ward
              </button>
            </>
          )}
        </FilterChip>
        <ToggleChip label="Alerts" checked={isOn} onChange={setIsOn} />
      </SearchPanel>
      <output>{lastSearch}</output>
      <button type="button">Elsewhere</button>
    </>
  );
}

const getChip = () => screen.getByRole('button', { name: /^Name/ });
const queryField = () => screen.queryByRole('textbox', { name: 'Person' });

describe('A filter chip', () => {
  it('opens its field, and closes it on Escape with the focus back on the chip', async () => {
    const { user } = await renderPortal(<Search />);
    expect(queryField()).toBeNull();
    await user.click(getChip());
    expect(queryField()).toHaveFocus();
    expect(getChip()).toHaveAttribute('aria-expanded', 'true');
    await user.keyboard('{Escape}');
    expect(queryField()).toBeNull();
    expect(getChip()).toHaveFocus();
  });

  it('closes after a complete choice, with the focus back on the chip', async () => {
    const { user } = await renderPortal(<Search />);
    const place = screen.getByRole('button', { name: /^Place/ });
    await user.click(place);
    await user.click(screen.getByRole('button', { name: 'Ward' }));
    expect(screen.queryByRole('button', { name: 'Ward' })).toBeNull();
    expect(place).toHaveFocus();
  });

  it('closes when something else is clicked or focused', async () => {
    const { user } = await renderPortal(<Search />);
    await user.click(getChip());
    await user.click(screen.getByRole('button', { name: 'Elsewhere' }));
    expect(queryField()).toBeNull();
    await user.click(getChip());
    await user.tab();
    await waitFor(() => expect(queryField()).toBeNull());
  });

  it('closes when another one opens, however it is opened', async () => {
    const { user } = await renderPortal(<Search />);
    await user.click(getChip());
    // A keyboard or a screen reader clicks without a mouse press.
    fireEvent.click(screen.getByRole('button', { name: /^Place/ }));
    expect(screen.getByRole('textbox', { name: 'Room' })).toHaveFocus();
    expect(queryField()).toBeNull();
  });

  it('stays open when a closing menu takes the focus back', async () => {
    const { user } = await renderPortal(<Search />);
    await user.click(getChip());
    act(() => screen.getByRole('button', { name: 'Elsewhere' }).focus());
    expect(queryField()).toBeVisible();
  });

  it('searches on Enter and shows its value', async () => {
    const { user } = await renderPortal(<Search />);
    await user.click(getChip());
    await user.type(screen.getByRole('textbox', { name: 'Person' }), 'X{Enter}');
    expect(screen.getByRole('status')).toHaveTextContent('ANYX');
    await waitFor(() => expect(queryField()).toBeNull());
    expect(screen.getByRole('button', { name: 'Name ANYX' })).toHaveAttribute('data-set', 'true');
  });

  it('closes after a choice, if only one can be made', async () => {
    const { user } = await renderPortal(<Search closesOnChange />);
    await user.click(getChip());
    await user.keyboard('X');
    await waitFor(() => expect(queryField()).toBeNull());
    expect(getChip()).toHaveFocus();
  });

  it('shows its field directly on a phone', async () => {
    setScreenWidth(widths.phone);
    const { user } = await renderPortal(<Search />);
    await user.click(screen.getByRole('button', { name: 'Filters' }));
    expect(queryField()).toBeVisible();
    expect(screen.queryByRole('button', { name: /^Name/ })).toBeNull();
  });
});

describe('A segment of choices', () => {
  it('describes each choice by its number of rows', async () => {
    setScreenWidth(widths.desktop);
    const { user } = await renderPortal(<Search />);
    const pendingButton = screen.getByRole('radio', { name: 'Pending' });
    expect(pendingButton).toHaveAccessibleDescription('9');
    await user.click(pendingButton);
    expect(pendingButton).toBeChecked();
    expect(screen.getByRole('checkbox', { name: 'Alerts' })).toBeChecked();
  });
});
