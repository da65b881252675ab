import { act, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';

import { limits, messages, say } from '../../../contract';
import { page, type Seen } from '../../../test/portal';
import { renderPortal } from '../../../test/render';
import type { TestRow } from '../api';
import { chosenOf, type ChosenTest } from '../chosen';
import { TestPicker } from './TestPicker';

const row = (id: number, code: string, name: string): TestRow => ({
  id,
  code,
  name,
  alternateNames: '',
  type: 'TEST',
  onList: true,
});
const all = [row(1, 'GLU', 'GLUCOSE'), row(2, 'CBC', 'BLOOD COUNT')];
const tree = (test: TestRow) => ({ ...test, parentId: null, children: [] });

function PickerForm() {
  const [value, setValue] = useState<readonly ChosenTest[]>(all.map((one) => chosenOf(tree(one))));
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

/** Codes are looked up until `answer` is called with theirs. */
async function draw() {
  const waiting = new Map<string, () => void>();
  const view = await renderPortal(<PickerForm />, {
    answers: {
      'GET /api/v2/tests/remote-operations': async ({ query }: Seen) => {
        const code = query.get('code');
        if (code === null) return page(all);
        await new Promise<void>((resolve) => waiting.set(code, resolve));
        return page(all.filter((one) => one.code === code));
      },
      'GET /api/v2/tests/with-children': ({ query }: Seen) =>
        all.filter(({ id }) => query.getAll('testId').includes(String(id))).map(tree),
      'GET /api/v2/tests/frequent': [],
      'GET /api/v2/favorite-panels': [],
    },
  });
  const answer = async (code: string) => {
    await waitFor(() => expect(waiting.has(code)).toBe(true));
    waiting.get(code)?.();
  };
  const remove = (name: string) =>
    view.user.click(screen.getByRole('button', { name: `Remove ${name}` }));
  const press = (name: string) => view.user.click(screen.getByRole('button', { name }));
  return { ...view, answer, remove, press };
}

const entry = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Test code or name' });
const codes = () => screen.getByTestId('codes').textContent;

describe('A code that is refused while the next one is typed', () => {
  it('is told in a toast that stays, and comes back after the next', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    const { user, answer, remove } = await draw();
    await remove('BLOOD COUNT');
    await user.type(entry(), 'bad{Enter}cb');
    await answer('BAD');
    const said = await screen.findByText(say(messages.TEST_CODE_NOT_FOUND, { code: 'BAD' }));
    expect(said.closest('.bp6-toast')).not.toBeNull();
    expect(entry()).toHaveValue('CB');
    await user.type(entry(), 'c{Enter}');
    expect(entry()).toHaveValue('BAD');
    await answer('CBC');
    await screen.findByRole('button', { name: 'Remove BLOOD COUNT' });
    await act(() => vi.advanceTimersByTimeAsync(limits.TOAST_MS));
    expect(said).toBeInTheDocument();
    expect(entry()).toHaveAttribute('data-unentered', 'BAD');
  });
});

describe('A choice that changed while a code was looked up', () => {
  it('gets the test of the code and loses nothing of the change', async () => {
    const { user, answer, remove } = await draw();
    await remove('BLOOD COUNT');
    await user.type(entry(), 'cbc{Enter}');
    await remove('GLUCOSE');
    await answer('CBC');
    await screen.findByRole('button', { name: 'Remove BLOOD COUNT' });
    expect(codes()).toBe('CBC');
  });
});

describe('Undo', () => {
  it.each(['Sign', 'Leave'])('is not offered any more after: %s', async (name) => {
    const { press, remove } = await draw();
    await remove('GLUCOSE');
    const undo = await screen.findByRole('button', { name: 'Undo' });
    await press(name);
    undo.click();
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull());
    expect(codes()).toBe('CBC');
  });
});
