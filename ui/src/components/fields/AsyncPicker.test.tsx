import { queryOptions } from '@tanstack/react-query';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';

import { messages, say } from '../../contract';
import { renderPortal } from '../../test/render';
import { hasPendingText } from '../forms/pendingText';
import { AsyncPicker } from './AsyncPicker';

const codes = ['E11', 'E11.9', 'I10'];
/** Codes that no list shows, although they can be entered. */
const unlistedCodes = ['Z98', 'Z99'];
const findMatches = (search: string) =>
  Promise.resolve(codes.filter((code) => code.includes(search)));

/** Creates a lookup whose answer for one code waits for `resolve`. */
function createDelayedLookup(code: string) {
  let resolve: () => void = () => undefined;
  const answer = new Promise<void>((done) => (resolve = done));
  const load = async (search: string) => {
    if (search === code) await answer;
    return findMatches(search);
  };
  return { load, resolve };
}

/** Whether a field still holds pending text after all lookups have ended. */
const hasTextAfterLookups = () => act(() => hasPendingText());

interface PickerFormProps {
  onChoose: (code: string) => void;
  wait: () => Promise<void>;
  addsToList?: boolean;
  upper?: boolean;
  load?: (search: string) => Promise<string[]>;
  /** Whether only listed codes can be chosen. */
  isStrict?: boolean;
  highlightsFirst?: () => boolean;
}

function PickerForm({
  onChoose,
  wait,
  addsToList = true,
  upper,
  load = findMatches,
  isStrict = false,
  highlightsFirst,
}: PickerFormProps) {
  const [value, setValue] = useState<string | null>(null);
  const choose = (code: string | null) => {
    setValue(code);
    if (code !== null) onChoose(code);
  };
  return (
    <AsyncPicker
      label="Code"
      addsToList={addsToList}
      upper={upper}
      value={value}
      query={(search) =>
        queryOptions({
          queryKey: ['codes', search],
          queryFn: () => load(search),
          meta: { quiet: true },
        })
      }
      getItemKey={(code) => code}
      getItemText={(code) => code}
      onChange={choose}
      highlightsFirst={highlightsFirst}
      onEnterText={
        isStrict
          ? undefined
          : async (text) => {
              await wait();
              if (!unlistedCodes.includes(text)) return `No ${text}`;
              choose(text);
              return null;
            }
      }
    />
  );
}

/** Renders a picker; `answer` ends the oldest pending call of `onEnterText`. */
async function renderPicker(props: Omit<PickerFormProps, 'onChoose' | 'wait'> = {}) {
  const onChoose = vi.fn();
  const pendingAnswers: (() => void)[] = [];
  const wait = () => new Promise<void>((resolve) => pendingAnswers.push(resolve));
  const view = await renderPortal(<PickerForm onChoose={onChoose} wait={wait} {...props} />);
  const field = screen.getByRole<HTMLInputElement>('combobox', { name: 'Code' });
  const answer = () => pendingAnswers.shift()?.();
  return { ...view, onChoose, field, answer, countWaiting: () => pendingAnswers.length };
}

describe('A picker', () => {
  it.each([
    ['E11', 'E11'],
    ['I1', 'I10'],
  ])('chooses a complete code or the only match with one Enter: %s', async (text, code) => {
    const { user, field, onChoose } = await renderPicker({ addsToList: false, isStrict: true });
    await user.type(field, text);
    const line = await screen.findByRole('option', { name: code });
    await waitFor(() => expect(line).toHaveAttribute('data-active', 'true'));
    await user.keyboard('{Enter}');
    expect(onChoose.mock.calls).toEqual([[code]]);
  });

  it.each([
    ['of listed codes', true],
    ['that accepts other text', false],
  ])(
    '%s shows the first of several matches with Enter, and takes it with another',
    async (_, isStrict) => {
      const { user, field, onChoose } = await renderPicker({ isStrict });
      await user.type(field, 'E1');
      await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(2));
      const first = screen.getByRole('option', { name: 'E11' });
      await waitFor(() => expect(screen.queryByText('Searching…')).toBeNull());
      expect(first).toHaveAttribute('data-active', 'false');
      await user.keyboard('{Enter}');
      expect(first).toHaveAttribute('data-active', 'true');
      expect(onChoose).not.toHaveBeenCalled();
      await user.keyboard('{Enter}');
      expect(onChoose.mock.calls).toEqual([['E11']]);
    },
  );

  it('chooses another of several matches with an arrow key and Enter', async () => {
    const { user, field, onChoose } = await renderPicker({ addsToList: false, isStrict: true });
    await user.type(field, 'E1');
    await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(2));
    await user.keyboard('{ArrowDown}{ArrowDown}{Enter}');
    expect(onChoose.mock.calls).toEqual([['E11.9']]);
  });

  it('shows the first of several lines with the same text', async () => {
    const load = () => Promise.resolve(['I10', 'I10 ']);
    const { user, field, onChoose } = await renderPicker({ isStrict: true, load });
    await user.type(field, 'I10');
    await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(2));
    await user.keyboard('{Enter}');
    expect(screen.getAllByRole('option')[0]).toHaveAttribute('data-active', 'true');
    expect(onChoose).not.toHaveBeenCalled();
  });

  it('selects nothing while Enter is held down on several matches', async () => {
    const { user, field, onChoose } = await renderPicker({ addsToList: false, isStrict: true });
    await user.type(field, 'E1');
    await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(2));
    await user.keyboard('{Enter}');
    fireEvent.keyDown(field, { key: 'Enter', repeat: true });
    expect(screen.getByRole('option', { name: 'E11' })).toHaveAttribute('data-active', 'true');
    expect(onChoose).not.toHaveBeenCalled();
  });

  it('that highlights the first of several matches chooses it with one Enter', async () => {
    const { user, field, onChoose } = await renderPicker({ highlightsFirst: () => true });
    await user.type(field, 'E1');
    await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(2));
    const first = screen.getByRole('option', { name: 'E11' });
    await waitFor(() => expect(first).toHaveAttribute('data-active', 'true'));
    await user.keyboard('{Enter}');
    expect(onChoose.mock.calls).toEqual([['E11']]);
  });

  it.each([
    ['', undefined],
    [', even if it highlights the first of several', () => true],
  ])(
    'returns an ambiguous text that was entered before its list arrived%s',
    async (_, highlightsFirst) => {
      const { load, resolve } = createDelayedLookup('E1');
      const { user, field, onChoose } = await renderPicker({
        load,
        ...(highlightsFirst ? { highlightsFirst } : {}),
      });
      await user.type(field, 'E1{Enter}');
      expect(field).toHaveValue('');
      resolve();
      const reason = say(messages.SEVERAL_MATCHES, { text: 'E1' });
      expect(await screen.findByText(reason)).toBeVisible();
      expect(field).toHaveValue('E1');
      const first = await screen.findByRole('option', { name: 'E11' });
      expect(first).toHaveAttribute('data-active', 'false');
      expect(await hasTextAfterLookups()).toBe(true);
      await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(2));
      await user.keyboard('{Enter}{Enter}');
      expect(onChoose.mock.calls).toEqual([['E11']]);
    },
  );

  it('selects nothing with Enter before anything is typed', async () => {
    const { user, field, onChoose } = await renderPicker({ addsToList: false, isStrict: true });
    await user.click(field);
    await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(3));
    await user.keyboard('{Enter}');
    expect(onChoose).not.toHaveBeenCalled();
  });

  it('never chooses a line of an outdated list', async () => {
    const { user, field, onChoose } = await renderPicker();
    await user.type(field, 'I');
    await screen.findByRole('option', { name: 'I10' });
    // The list still belongs to 'I'.
    await user.clear(field);
    await user.type(field, 'E11.{ArrowDown}{Enter}');
    expect(await hasTextAfterLookups()).toBe(true);
    expect(onChoose).not.toHaveBeenCalledWith('I10');
  });

  it.each([
    ['I10', []],
    ['E11.9', [['E11.9']]],
  ])(
    'accepts a click on a line of an outdated list only if the line matches: %s',
    async (code, expectedCalls) => {
      const { load, resolve } = createDelayedLookup('E11.9');
      const { user, field, onChoose } = await renderPicker({ isStrict: true, load });
      await user.click(field);
      const line = await screen.findByRole('option', { name: code });
      await user.type(field, 'E11.9');
      await user.click(line);
      resolve();
      await hasTextAfterLookups();
      expect(onChoose.mock.calls).toEqual(expectedCalls);
    },
  );

  it('waits after Enter for the list of the typed text, and chooses its only line', async () => {
    const { user, field, onChoose } = await renderPicker({ addsToList: false, isStrict: true });
    await user.type(field, 'E1{Enter}');
    await hasTextAfterLookups();
    expect(onChoose).not.toHaveBeenCalled();
    expect(await screen.findByRole('option', { name: 'E11' })).toHaveAttribute(
      'data-active',
      'true',
    );
    await user.clear(field);
    await user.type(field, 'I1{Enter}');
    await hasTextAfterLookups();
    expect(onChoose.mock.calls).toEqual([['I10']]);
  });

  it('keeps text typed after Enter on a line', async () => {
    const { load, resolve } = createDelayedLookup('E11.9');
    const { user, field, onChoose } = await renderPicker({ load });
    await user.type(field, 'E1');
    await screen.findByRole('option', { name: 'E11.9' });
    await user.type(field, '1.9{ArrowDown}{ArrowDown}{Enter}x');
    resolve();
    expect(await hasTextAfterLookups()).toBe(true);
    expect(field).toHaveValue('E11.9x');
    expect(onChoose).not.toHaveBeenCalled();
  });

  it.each(['{Tab}', '{Escape}{Tab}'])(
    'chooses the line after Enter once its list arrives, unless Escape was pressed: %s',
    async (keys) => {
      const { load, resolve } = createDelayedLookup('E11.9');
      const { user, field, onChoose } = await renderPicker({ addsToList: false, load });
      await user.type(field, 'E1');
      await screen.findByRole('option', { name: 'E11.9' });
      await user.keyboard(`1.9{ArrowDown}{ArrowDown}{Enter}${keys}`);
      expect(field).toHaveValue('');
      // The list belonged to 'E1'. Tab keeps the choice; Escape abandons it.
      resolve();
      expect(await hasTextAfterLookups()).toBe(false);
      expect(onChoose.mock.calls).toEqual(keys === '{Tab}' ? [['E11.9']] : []);
      expect(field).toHaveValue(keys === '{Tab}' ? 'E11.9' : '');
    },
  );

  it('keeps typed text when its field is clicked', async () => {
    const { user, field } = await renderPicker({ addsToList: false });
    await user.type(field, 'E1');
    await screen.findByRole('option', { name: 'E11.9' });
    await user.click(field);
    expect(field).toHaveValue('E1');
    expect(screen.getByRole('option', { name: 'E11.9' })).toBeVisible();
  });

  it('keeps the caret position while it converts text to upper case', async () => {
    const { user, field } = await renderPicker({ upper: true });
    await user.type(field, 'asn');
    field.setSelectionRange(2, 2);
    await user.keyboard('piri');
    expect(field).toHaveValue('ASPIRIN');
    expect([field.selectionStart, field.selectionEnd]).toEqual([6, 6]);
  });

  it('closes its list when the focus moves elsewhere', async () => {
    const { user, field } = await renderPicker();
    await user.type(field, 'E1');
    await screen.findByRole('option', { name: 'E11' });
    const otherButton = document.body.appendChild(document.createElement('button'));
    act(() => otherButton.focus());
    await waitFor(() => expect(screen.queryByRole('option')).toBeNull());
    otherButton.remove();
  });

  it('keeps pending text when it loses the focus', async () => {
    const { user, field } = await renderPicker();
    await user.type(field, 'E1{Tab}');
    expect(field).toHaveValue('E1');
  });
});

describe('A rejected text', () => {
  it('comes back selected, with the reason until it is edited', async () => {
    const { user, field, answer } = await renderPicker();
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

  it('is announced while other text is typed, and comes back afterwards', async () => {
    const { user, field, answer, onChoose } = await renderPicker();
    await user.type(field, 'nothing{Enter}I1');
    answer();
    expect(await screen.findByText('No nothing')).toBeVisible();
    expect(field).toHaveValue('I1');
    await user.type(field, '0{Enter}');
    answer();
    await waitFor(() => expect(onChoose).toHaveBeenCalledWith('I10'));
    expect(field).toHaveValue('nothing');
    expect(field).toHaveAttribute('data-pending-text', 'nothing');
  });

  it('comes back to a field that was typed in and emptied', async () => {
    const { user, field, answer } = await renderPicker();
    await user.type(field, 'nothing{Enter}I{Backspace}');
    answer();
    await waitFor(() => expect(field).toHaveValue('nothing'));
  });

  it('comes back after an earlier one', async () => {
    const { user, field, answer } = await renderPicker();
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

  it('is announced when it is overwritten', async () => {
    const { user, field, answer } = await renderPicker();
    await user.type(field, 'nothing{Enter}');
    answer();
    await waitFor(() => expect(field).toHaveValue('nothing'));
    await user.keyboard('I10');
    expect(field).toHaveValue('I10');
    expect(await screen.findByText('No nothing')).toBeVisible();
  });
});

describe('Saving', () => {
  it('waits for every lookup', async () => {
    const { user, field, answer, countWaiting, onChoose } = await renderPicker();
    await user.type(field, 'Z98{Enter}Z99{Enter}');
    const isBlocked = hasPendingText();
    await waitFor(() => expect(countWaiting()).toBe(2));
    answer();
    await waitFor(() => expect(onChoose).toHaveBeenCalledWith('Z98'));
    expect(await Promise.race([isBlocked, Promise.resolve('not yet')])).toBe('not yet');
    answer();
    expect(await isBlocked).toBe(false);
    expect(onChoose).toHaveBeenCalledWith('Z99');
  });

  it('is blocked by a rejected text', async () => {
    const { user, field, answer } = await renderPicker();
    await user.type(field, 'nothing{Enter}');
    const isBlocked = hasPendingText();
    answer();
    expect(await isBlocked).toBe(true);
    expect(field).toHaveValue('nothing');
  });
});
