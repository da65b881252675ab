import { act, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { limits, messages, say } from '../../../contract';
import { buildPage, type SentRequest } from '../../../test/portal';
import { renderPortal } from '../../../test/render';
import { setScreenWidth, widths } from '../../../test/screens';
import type { TestRow } from '../api';
import { toChosenTest, type ChosenTest } from '../chosen';
import { TestPicker } from './TestPicker';

const createTest = (id: number, code: string, name: string): TestRow => ({
  id,
  code,
  name,
  alternateNames: '',
  type: 'TEST',
  onList: true,
});
const tests = [createTest(1, 'GLU', 'GLUCOSE'), createTest(2, 'CBC', 'BLOOD COUNT')];
const createTree = (test: TestRow) => ({
  ...test,
  parentId: null,
  isConfidential: false,
  children: [],
});

function PickerForm() {
  const [value, setValue] = useState<readonly ChosenTest[]>(
    tests.map((test) => toChosenTest(createTree(test))),
  );
  const [state, setState] = useState('open');
  return (
    <>
      <button onClick={() => setState('signed')}>Sign</button>
      <button onClick={() => setState('left')}>Leave</button>
      <p data-testid="codes">{value.map(({ test }) => test.code).join(' ')}</p>
      {state === 'left' ? null : (
        <TestPicker value={value} onChange={setValue} clientId={7} readOnly={state === 'signed'} />
      )}
    </>
  );
}

/** Renders the picker; a lookup by code waits until `answer` is called with that code. */
async function renderPicker() {
  const pendingAnswers = new Map<string, () => void>();
  const view = await renderPortal(<PickerForm />, {
    answers: {
      'GET /api/v2/tests/remote-operations': async ({ query }: SentRequest) => {
        const code = query.get('code');
        if (code === null) return buildPage(tests);
        await new Promise<void>((resolve) => pendingAnswers.set(code, resolve));
        return buildPage(tests.filter((test) => test.code === code));
      },
      'GET /api/v2/tests/with-children': ({ query }: SentRequest) =>
        tests.filter(({ id }) => query.getAll('testId').includes(String(id))).map(createTree),
      'GET /api/v2/tests/frequent': [],
      'GET /api/v2/favorite-panels': [],
    },
  });
  const answer = async (code: string) => {
    await waitFor(() => expect(pendingAnswers.has(code)).toBe(true));
    pendingAnswers.get(code)?.();
  };
  const clickRemove = (name: string) =>
    view.user.click(screen.getByRole('button', { name: `Remove ${name}` }));
  const clickButton = (name: string) => view.user.click(screen.getByRole('button', { name }));
  return { ...view, answer, clickRemove, clickButton };
}

const getField = () =>
  screen.getByRole<HTMLInputElement>('combobox', { name: 'Test code or name' });
const getCodes = () => screen.getByTestId('codes').textContent;

describe('A code rejected while the next one is typed', () => {
  it('is reported in a lasting toast, and comes back after the next code', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    const { user, answer, clickRemove } = await renderPicker();
    await clickRemove('BLOOD COUNT');
    await user.type(getField(), 'bad{Enter}cb');
    await answer('BAD');
    const message = await screen.findByText(say(messages.TEST_CODE_NOT_FOUND, { code: 'BAD' }));
    expect(message.closest('.bp6-toast')).not.toBeNull();
    expect(getField()).toHaveValue('CB');
    await user.type(getField(), 'c{Enter}');
    expect(getField()).toHaveValue('BAD');
    await answer('CBC');
    await screen.findByRole('button', { name: 'Remove BLOOD COUNT' });
    await act(() => vi.advanceTimersByTimeAsync(limits.TOAST_MS));
    expect(message).toBeInTheDocument();
    expect(getField()).toHaveAttribute('data-pending-text', 'BAD');
  });
});

describe('A choice changed during a lookup', () => {
  it('keeps the change and adds the test that was looked up', async () => {
    const { user, answer, clickRemove } = await renderPicker();
    await clickRemove('BLOOD COUNT');
    await user.type(getField(), 'cbc{Enter}');
    await clickRemove('GLUCOSE');
    await answer('CBC');
    await screen.findByRole('button', { name: 'Remove BLOOD COUNT' });
    expect(getCodes()).toBe('CBC');
  });
});

describe('Undo', () => {
  it.each(['Sign', 'Leave'])('is no longer offered after: %s', async (name) => {
    const { clickButton, clickRemove } = await renderPicker();
    await clickRemove('GLUCOSE');
    const undo = await screen.findByRole('button', { name: 'Undo' });
    await clickButton(name);
    undo.click();
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull());
    expect(getCodes()).toBe('CBC');
  });
});

describe('On a phone, the field', () => {
  afterEach(() => setScreenWidth(widths.desktop));

  it('has a hint that fits', async () => {
    setScreenWidth(widths.phone);
    await renderPicker();
    expect(screen.getByPlaceholderText('Code or name')).toBeVisible();
  });
});
