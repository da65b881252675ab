import { queryOptions } from '@tanstack/react-query';
import { act, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';

import { renderPortal } from '../../test/render';
import { refusesUnentered } from '../forms/unentered';
import { AsyncPicker } from './AsyncPicker';

const codes = ['E11', 'E11.9', 'I10'];
const matching = (search: string) => Promise.resolve(codes.filter((one) => one.includes(search)));

/** A look-up that ends for one code only when `tell` is called. */
function lateFor(code: string) {
  let tell: () => void = () => undefined;
  const told = new Promise<void>((resolve) => (tell = resolve));
  const load = async (search: string) => {
    if (search === code) await told;
    return matching(search);
  };
  return { load, tell };
}

/** Whether words stand in a field, after all that Enter began has ended. */
const entriesEnded = () => act(() => refusesUnentered());

interface PickerFormProps {
  onChoose: (code: string) => void;
  wait: () => Promise<void>;
  adds?: boolean;
  upper?: boolean;
  load?: (search: string) => Promise<string[]>;
}

function PickerForm({ onChoose, wait, adds = true, upper, load = matching }: PickerFormProps) {
  const [value, setValue] = useState<string | null>(null);
  const choose = (code: string | null) => {
    setValue(code);
    if (code !== null) onChoose(code);
  };
  return (
    <AsyncPicker
      label="Code"
      adds={adds}
      upper={upper}
      value={value}
      query={(search) =>
        queryOptions({
          queryKey: ['codes', search],
          queryFn: () => load(search),
          meta: { quiet: true },
        })
      }
      itemKey={(code) => code}
      itemText={(code) => code}
      onChange={choose}
      onEnterText={async (text) => {
        await wait();
        if (!codes.includes(text)) return `No ${text}`;
        choose(text);
        return null;
      }}
    />
  );
}

/** `answer` lets the oldest look-up end. */
async function draw(props: Pick<PickerFormProps, 'adds' | 'upper' | 'load'> = {}) {
  const onChoose = vi.fn();
  const waiting: (() => void)[] = [];
  const wait = () => new Promise<void>((resolve) => waiting.push(resolve));
  const view = await renderPortal(<PickerForm onChoose={onChoose} wait={wait} {...props} />);
  const field = screen.getByRole<HTMLInputElement>('combobox', { name: 'Code' });
  return { ...view, onChoose, field, answer: () => waiting.shift()?.() };
}

describe('A picker that searches', () => {
  it('never takes a line that is none for what is typed', async () => {
    const { user, field, onChoose } = await draw();
    await user.type(field, 'I');
    await screen.findByRole('option', { name: 'I10' });
    // The list is still that of 'I'.
    await user.clear(field);
    await user.type(field, 'E11.{ArrowDown}{Enter}');
    expect(await entriesEnded()).toBe(true);
    expect(onChoose).not.toHaveBeenCalledWith('I10');
  });

  it('takes nothing away that was typed after Enter on a line', async () => {
    const { load, tell } = lateFor('E11.9');
    const { user, field, onChoose } = await draw({ load });
    await user.type(field, 'E1');
    await screen.findByRole('option', { name: 'E11.9' });
    await user.type(field, '1.9{ArrowDown}{ArrowDown}{Enter}x');
    tell();
    expect(await entriesEnded()).toBe(true);
    expect(field).toHaveValue('E11.9x');
    expect(onChoose).not.toHaveBeenCalled();
  });

  it.each(['{Tab}', '{Escape}{Tab}'])('knows what Enter on a line meant after %s', async (then) => {
    const { load, tell } = lateFor('E11.9');
    const { user, field, onChoose } = await draw({ adds: false, load });
    await user.type(field, 'E1');
    await screen.findByRole('option', { name: 'E11.9' });
    await user.keyboard(`1.9{ArrowDown}{ArrowDown}{Enter}${then}`);
    expect(field).toHaveValue('');
    // The list was that of 'E1'. Whoever only goes on has chosen; whoever gives up has not.
    tell();
    expect(await entriesEnded()).toBe(false);
    expect(onChoose.mock.calls).toEqual(then === '{Tab}' ? [['E11.9']] : []);
    expect(field).toHaveValue(then === '{Tab}' ? 'E11.9' : '');
  });

  it('keeps what is being typed when its field is clicked', async () => {
    const { user, field } = await draw({ adds: false });
    await user.type(field, 'E1');
    await screen.findByRole('option', { name: 'E11.9' });
    await user.click(field);
    expect(field).toHaveValue('E1');
    expect(screen.getByRole('option', { name: 'E11.9' })).toBeVisible();
  });

  it('leaves the caret in the middle of a word that it writes in capitals', async () => {
    const { user, field } = await draw({ upper: true });
    await user.type(field, 'asn');
    field.setSelectionRange(2, 2);
    await user.keyboard('piri');
    expect(field).toHaveValue('ASPIRIN');
    expect([field.selectionStart, field.selectionEnd]).toEqual([6, 6]);
  });

  it('closes its list when the focus is taken elsewhere', async () => {
    const { user, field } = await draw();
    await user.type(field, 'E1');
    await screen.findByRole('option', { name: 'E11' });
    const elsewhere = document.body.appendChild(document.createElement('button'));
    act(() => elsewhere.focus());
    await waitFor(() => expect(screen.queryByRole('option')).toBeNull());
    elsewhere.remove();
  });

  it('keeps words that were to be added when it is left', async () => {
    const { user, field } = await draw();
    await user.type(field, 'E1{Tab}');
    expect(field).toHaveValue('E1');
  });
});

describe('Words that were entered and refused', () => {
  it('come back, ready to be replaced, with the reason until they are edited', async () => {
    const { user, field, answer } = await draw();
    await user.type(field, 'nothing{Enter}');
    expect(field).toHaveValue('');
    answer();
    expect(await screen.findByText('No nothing')).toBeVisible();
    expect(field).toHaveValue('nothing');
    expect([field.selectionStart, field.selectionEnd]).toEqual([0, 7]);
    await user.type(field, '{Backspace}');
    expect(field).toHaveValue('nothin');
    expect(screen.queryByText('No nothing')).toBeNull();
  });

  it('are told while others are typed, and come back after those', async () => {
    const { user, field, answer, onChoose } = await draw();
    await user.type(field, 'nothing{Enter}I1');
    answer();
    expect(await screen.findByText('No nothing')).toBeVisible();
    expect(field).toHaveValue('I1');
    await user.type(field, '0{Enter}');
    answer();
    await waitFor(() => expect(onChoose).toHaveBeenCalledWith('I10'));
    expect(field).toHaveValue('nothing');
    expect(field).toHaveAttribute('data-unentered', 'nothing');
  });

  it('come back to a field that was typed in and emptied', async () => {
    const { user, field, answer } = await draw();
    await user.type(field, 'nothing{Enter}I{Backspace}');
    answer();
    await waitFor(() => expect(field).toHaveValue('nothing'));
  });

  it('come back one after the other', async () => {
    const { user, field, answer } = await draw();
    await user.type(field, 'one{Enter}two{Enter}');
    answer();
    answer();
    await waitFor(() => expect(field).toHaveValue('one'));
    expect(await screen.findByText('No two')).toBeVisible();
    await user.clear(field);
    expect(field).toHaveValue('two');
    await user.clear(field);
    expect(field).toHaveValue('');
  });

  it('are told when the next are typed over them', async () => {
    const { user, field, answer } = await draw();
    await user.type(field, 'nothing{Enter}');
    answer();
    await waitFor(() => expect(field).toHaveValue('nothing'));
    await user.keyboard('I10');
    expect(field).toHaveValue('I10');
    expect(await screen.findByText('No nothing')).toBeVisible();
  });
});

describe('A save', () => {
  it('waits for every word that is looked up', async () => {
    const { user, field, answer, onChoose } = await draw();
    await user.type(field, 'E11{Enter}I10{Enter}');
    const refuses = refusesUnentered();
    answer();
    await waitFor(() => expect(onChoose).toHaveBeenCalledWith('E11'));
    expect(await Promise.race([refuses, Promise.resolve('not yet')])).toBe('not yet');
    answer();
    expect(await refuses).toBe(false);
    expect(onChoose).toHaveBeenCalledWith('I10');
  });

  it('is refused by a word that turns out to be none', async () => {
    const { user, field, answer } = await draw();
    await user.type(field, 'nothing{Enter}');
    const refuses = refusesUnentered();
    answer();
    expect(await refuses).toBe(true);
    expect(field).toHaveValue('nothing');
  });
});
