import { act, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';

import { messages, Role, say } from '../../../contract';
import { page, problem, type Answers, type Seen } from '../../../test/portal';
import { profile, renderPortal } from '../../../test/render';
import type { TestRow } from '../api';
import { chosenOf, type ChosenTest } from '../chosen';
import { TestPicker } from './TestPicker';

const row = (id: number, code: string, name: string, more: Partial<TestRow> = {}): TestRow => ({
  id,
  code,
  name,
  alternateNames: '',
  type: 'TEST',
  specimen: 'SERUM',
  container: 'GOLD TOP',
  onList: true,
  ...more,
});
const glu = row(1, 'GLU', 'GLUCOSE');
const k = row(2, 'K', 'POTASSIUM');
const wbc = row(3, 'WBC', 'WHITE BLOOD CELLS');
const cbc = row(4, 'CBC', 'BLOOD COUNT', { type: 'PANEL' });
const csa = row(5, 'CSA', 'CYCLOSPORINE', { onList: false });
const all = [glu, k, wbc, cbc, csa];

const tree = (test: TestRow) => ({
  ...test,
  parentId: null,
  children: test.id === cbc.id ? [{ ...wbc, parentId: cbc.id, children: [] }] : [],
});
const favorite = { id: 9, version: 2, name: 'MORNING', tests: [glu, cbc], unavailable: [csa] };

const portal: Answers = {
  'GET /api/v2/tests/remote-operations': ({ query }: Seen) => {
    const [code, search] = [query.get('code'), query.get('search') ?? ''];
    return page(
      all
        .filter((one) => query.get('allTests') === 'true' || one.onList)
        .filter((one) => (code === null ? one.name.includes(search) : one.code === code)),
    );
  },
  'GET /api/v2/tests/with-children': ({ query }: Seen) =>
    query.getAll('testId').map((id) => tree(all.find((one) => one.id === Number(id)) ?? glu)),
  'GET /api/v2/tests/frequent': [k, glu],
  'GET /api/v2/favorite-panels': [favorite],
};

function PickerForm(props: {
  begin: readonly ChosenTest[];
  readOnly: boolean;
  onDone: () => void;
}) {
  const [value, setValue] = useState<readonly ChosenTest[]>(props.begin);
  return (
    <TestPicker
      value={value}
      onChange={setValue}
      clientId={7}
      physicianId={8}
      readOnly={props.readOnly}
      onDone={props.onDone}
    />
  );
}

interface Drawing {
  begin?: readonly TestRow[];
  answers?: Answers;
  readOnly?: boolean;
  role?: Role;
  onDone?: () => void;
}

const draw = ({ begin = [], ...drawing }: Drawing = {}) =>
  renderPortal(
    <PickerForm
      begin={begin.map((test) => chosenOf(tree(test)))}
      readOnly={drawing.readOnly ?? false}
      onDone={drawing.onDone ?? (() => undefined)}
    />,
    { user: profile(drawing.role), answers: { ...portal, ...drawing.answers } },
  );

const entry = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Test code or name' });
const chosen = () =>
  screen
    .queryAllByRole('treeitem')
    .filter((item) => item.getAttribute('aria-level') === '1')
    .map((item) => item.getAttribute('aria-label'));
const lines = () => screen.getAllByRole('row').slice(1);

describe('The code field', () => {
  it('takes an exact code in any case, and is empty for the next', async () => {
    const { user } = await draw();
    await user.type(entry(), 'glu{Enter}');
    await waitFor(() => expect(chosen()).toEqual(['GLU GLUCOSE']));
    expect(entry()).toHaveValue('');
    expect(entry()).toHaveFocus();
  });

  it('takes codes as fast as they are scanned', async () => {
    const { user } = await draw();
    await user.type(entry(), 'glu{Enter}cbc{Enter}wb');
    await waitFor(() => expect(chosen()).toEqual(['GLU GLUCOSE', 'CBC BLOOD COUNT 1 test']));
    expect(entry()).toHaveValue('WB');
  });

  it('has the code back when its test could not be loaded', async () => {
    const { user } = await draw({
      answers: { 'GET /api/v2/tests/with-children': () => problem(500, 'internal', '') },
    });
    await user.type(entry(), 'glu{Enter}');
    expect(await screen.findByText(messages.INTERNAL_ERROR)).toBeVisible();
    await waitFor(() => expect(entry()).toHaveValue('GLU'));
    expect(chosen()).toEqual([]);
  });

  it('says which code was not found, and keeps it', async () => {
    const { user } = await draw();
    await user.type(entry(), 'glx{Enter}');
    expect(
      await screen.findByText(say(messages.TEST_CODE_NOT_FOUND, { code: 'GLX' })),
    ).toBeVisible();
    expect(entry()).toHaveValue('GLX');
    // Nothing lies over the words, and the next code takes the place of this one.
    expect(entry()).toHaveAttribute('aria-expanded', 'false');
    await waitFor(() => {
      const { selectionStart, selectionEnd } = entry();
      expect([selectionStart, selectionEnd]).toEqual([0, 3]);
    });
    await user.type(entry(), '{Backspace}');
    expect(entry()).toHaveValue('GL');
    expect(screen.queryByText(/not found/)).toBeNull();
  });

  it('says when a code is that of several tests', async () => {
    const { user } = await draw({
      answers: { 'GET /api/v2/tests/remote-operations': page([glu, { ...glu, id: 11 }]) },
    });
    await user.type(entry(), 'glu{Enter}');
    expect(
      await screen.findByText(say(messages.TEST_CODE_AMBIGUOUS, { code: 'GLU' })),
    ).toBeVisible();
    expect(chosen()).toEqual([]);
  });

  it('filters the grid as one types; arrows and Enter take a line', async () => {
    const { user } = await draw();
    await user.type(entry(), 'potas');
    await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(2));
    const line = screen.getByRole('row', { name: /POTASSIUM/ });
    expect(within(line).getByText('SERUM, GOLD TOP')).toBeVisible();
    await user.keyboard('{ArrowDown}');
    expect(entry()).toHaveAttribute('aria-activedescendant', line.id);
    await user.keyboard('{Enter}');
    await waitFor(() => expect(chosen()).toEqual(['K POTASSIUM']));
  });

  it('turns pages of ten with Page Down and by walking on', async () => {
    const many = Array.from({ length: 12 }, (_, n) => row(100 + n, `T${n + 1}`, `TEST ${n + 1}`));
    const { user, seen } = await draw({
      answers: {
        'GET /api/v2/tests/remote-operations': ({ query }: Seen) => {
          const skip = Number(query.get('skip'));
          return page(many.slice(skip, skip + Number(query.get('take'))), many.length);
        },
      },
    });
    await user.click(entry());
    expect(await screen.findByText('1 to 10 of 12')).toBeVisible();
    await user.keyboard('{PageDown}');
    expect(await screen.findByText('11 to 12 of 12')).toBeVisible();
    await waitFor(() => expect(lines()).toHaveLength(2));
    await user.keyboard('{ArrowUp}');
    expect(await screen.findByText('1 to 10 of 12')).toBeVisible();
    await waitFor(() => expect(lines()[9]).toHaveAttribute('aria-selected', 'true'));
    expect(seen.filter(({ query }) => query.get('take') === '10').length).toBeGreaterThan(1);
  });

  it('keeps what was typed when the person looks elsewhere', async () => {
    const { user } = await draw();
    await user.type(entry(), 'gl');
    await user.tab();
    expect(entry()).toHaveValue('GL');
    expect(entry()).toHaveAttribute('aria-expanded', 'false');
  });

  it('goes on with Enter when nothing is typed', async () => {
    let done = 0;
    const { user } = await draw({ onDone: () => (done += 1) });
    await user.click(entry());
    await user.keyboard('{Enter}');
    expect(done).toBe(1);
  });
});

describe('All tests', () => {
  it('shows a client what its list lacks, and that the lab has to be asked', async () => {
    const { user } = await draw();
    await user.type(entry(), 'csa{Enter}');
    expect(await screen.findByText('Test with code CSA not found')).toBeVisible();
    await user.click(screen.getByRole('checkbox', { name: 'All tests' }));
    await user.clear(entry());
    await user.type(entry(), 'csa{Enter}');
    expect((await screen.findAllByText(messages.TEST_NOT_ON_LIST))[0]).toBeVisible();
    expect(chosen()).toEqual([]);
  });

  it('lets the lab order beyond the list', async () => {
    const { user } = await draw({ role: Role.LABORATORY });
    await user.click(screen.getByRole('checkbox', { name: 'All tests' }));
    await user.type(entry(), 'csa{Enter}');
    await waitFor(() => expect(chosen()).toEqual(['CSA CYCLOSPORINE']));
  });
});

describe('Quick choices', () => {
  it('offer what this physician orders most at this client', async () => {
    const { user, seen } = await draw();
    await user.click(await screen.findByRole('button', { name: 'Add K, POTASSIUM' }));
    await waitFor(() => expect(chosen()).toEqual(['K POTASSIUM']));
    expect(screen.getByRole('button', { name: 'Add K, POTASSIUM' })).toHaveAttribute(
      'aria-disabled',
      'true',
    );
    const asked = seen.find(({ path }) => path === '/api/v2/tests/frequent');
    expect(Object.fromEntries(asked?.query ?? [])).toMatchObject({
      clientId: '7',
      physicianId: '8',
    });
  });

  it('are one stop of Tab with arrows within', async () => {
    const { user } = await draw();
    const first = await screen.findByRole('button', { name: 'Add K, POTASSIUM' });
    act(() => first.focus());
    await user.keyboard('{ArrowRight}');
    expect(screen.getByRole('button', { name: 'Add GLU, GLUCOSE' })).toHaveFocus();
    expect(first).toHaveAttribute('tabindex', '-1');
  });
});

describe('Favorites', () => {
  it('are added by one key, without what can not be ordered, which is said', async () => {
    const { user } = await draw({ begin: [glu] });
    await screen.findByRole('button', { name: /^Add MORNING/ });
    await user.click(entry());
    await user.keyboard('{Alt>}{Shift>}1{/Shift}{/Alt}');
    await waitFor(() => expect(chosen()).toEqual(['GLU GLUCOSE', 'CBC BLOOD COUNT 1 test']));
    expect(
      await screen.findByText(say(messages.FAVORITE_SKIPPED, { name: 'MORNING', codes: 'CSA' })),
    ).toBeVisible();
    expect(entry()).toHaveValue('');
  });

  it('keep the present choice under a name', async () => {
    const { user, seen } = await draw({
      begin: [k, cbc],
      answers: { 'POST /api/v2/favorite-panels': favorite },
    });
    await user.click(screen.getByRole('button', { name: 'Edit favorites' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Favorite Panels' }));
    await user.type(dialog.getByRole('textbox', { name: /^Name of the new/ }), 'evening{Enter}');
    expect(
      await screen.findByText(say(messages.FAVORITE_SAVED, { name: 'EVENING' })),
    ).toBeVisible();
    const write = seen.find(
      ({ method, path }) => method === 'POST' && path === '/api/v2/favorite-panels',
    );
    expect(write?.body).toEqual({ name: 'EVENING', tests: [{ id: 2 }, { id: 4 }] });
    expect(write?.headers.get('Idempotency-Key')).toBeTruthy();
  });

  it('say when a name is taken, and lose nothing', async () => {
    const { user } = await draw({
      begin: [k],
      answers: {
        'POST /api/v2/favorite-panels': () =>
          problem(409, 'favorite_name_in_use', messages.FAVORITE_NAME_IN_USE, [
            { field: 'name', message: messages.FAVORITE_NAME_IN_USE },
          ]),
      },
    });
    await user.click(screen.getByRole('button', { name: 'Edit favorites' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Favorite Panels' }));
    const name = dialog.getByRole('textbox', { name: /^Name of the new/ });
    await user.type(name, 'morning{Enter}');
    expect(await dialog.findByText(messages.FAVORITE_NAME_IN_USE)).toBeVisible();
    expect(name).toHaveValue('MORNING');
  });

  it('are renamed on the version that was seen', async () => {
    const { user, seen } = await draw({
      answers: { 'PUT /api/v2/favorite-panels/9': { ...favorite, name: 'NOON' } },
    });
    await screen.findByRole('button', { name: /^Add MORNING/ });
    await user.click(screen.getByRole('button', { name: 'Edit favorites' }));
    await user.click(await screen.findByRole('button', { name: 'Rename MORNING' }));
    const field = screen.getByRole('textbox', { name: 'New name of MORNING' });
    expect(field).toHaveFocus();
    await user.clear(field);
    await user.type(field, 'noon{Enter}');
    await waitFor(() => expect(screen.queryByRole('textbox', { name: /^New name/ })).toBeNull());
    const write = seen.find(({ method }) => method === 'PUT');
    expect([write?.body, write?.headers.get('If-Match')]).toEqual([{ name: 'NOON' }, '"2"']);
  });

  it('come back after they were removed', async () => {
    const { user, seen } = await draw({
      answers: {
        'DELETE /api/v2/favorite-panels/9': new Response(null, { status: 204 }),
        'POST /api/v2/favorite-panels': favorite,
      },
    });
    await screen.findByRole('button', { name: /^Add MORNING/ });
    await user.click(screen.getByRole('button', { name: 'Edit favorites' }));
    await user.click(await screen.findByRole('button', { name: 'Remove MORNING' }));
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    const posted = () =>
      seen.find(({ method, path }) => method === 'POST' && path === '/api/v2/favorite-panels');
    await waitFor(() => expect(posted()).toBeDefined());
    expect(posted()?.body).toEqual({ name: 'MORNING', tests: [{ id: 1 }, { id: 4 }, { id: 5 }] });
  });
});

describe('The chosen tests', () => {
  it('open to their members with Right and close with Left', async () => {
    const { user } = await draw({ begin: [cbc] });
    act(() => screen.getByRole('treeitem').focus());
    await user.keyboard('{ArrowRight}');
    const member = screen.getByRole('treeitem', { name: 'WBC WHITE BLOOD CELLS' });
    expect(member).toHaveAttribute('aria-level', '2');
    await user.keyboard('{ArrowDown}');
    expect(member).toHaveFocus();
    await user.keyboard('{ArrowLeft}{ArrowLeft}');
    expect(screen.queryByRole('treeitem', { name: /WBC/ })).toBeNull();
  });

  it('are made confidential by Space and by the button', async () => {
    const { user } = await draw({ begin: [glu] });
    act(() => screen.getByRole('treeitem').focus());
    await user.keyboard(' ');
    expect(chosen()).toEqual(['GLU GLUCOSE Confidential']);
    const lock = screen.getByRole('button', { name: 'Confidential: GLUCOSE' });
    expect(lock).toHaveAttribute('aria-pressed', 'true');
    await user.click(lock);
    expect(chosen()).toEqual(['GLU GLUCOSE']);
  });

  it('are removed by Delete and come back at their place', async () => {
    const { user } = await draw({ begin: [glu, k, cbc] });
    act(() => screen.getByRole('treeitem', { name: 'K POTASSIUM' }).focus());
    await user.keyboard('{Delete}');
    expect(chosen()).toEqual(['GLU GLUCOSE', 'CBC BLOOD COUNT 1 test']);
    expect(screen.getByRole('treeitem', { name: /^CBC/ })).toHaveFocus();
    expect(await screen.findByText(say(messages.TEST_REMOVED, { code: 'K' }))).toBeVisible();
    await user.keyboard('{Control>}z{/Control}');
    expect(chosen()).toEqual(['GLU GLUCOSE', 'K POTASSIUM', 'CBC BLOOD COUNT 1 test']);
  });

  it('come back by the toast that told of them, each its own', async () => {
    const { user } = await draw({ begin: [glu, k] });
    for (const name of ['GLU GLUCOSE', 'K POTASSIUM']) {
      act(() => screen.getByRole('treeitem', { name }).focus());
      await user.keyboard('{Delete}');
    }
    const toast = (await screen.findByText(say(messages.TEST_REMOVED, { code: 'GLU' }))).closest(
      '.bp6-toast',
    );
    await user.click(within(toast as HTMLElement).getByRole('button', { name: 'Undo' }));
    expect(chosen()).toEqual(['GLU GLUCOSE']);
  });

  it('only show themselves while they can not be changed', async () => {
    const { user } = await draw({ begin: [glu, cbc], readOnly: true });
    expect(screen.queryByRole('combobox')).toBeNull();
    expect(screen.queryByRole('button', { name: /^(Remove|Confidential|Add)/ })).toBeNull();
    act(() => screen.getByRole('treeitem', { name: /^GLU/ }).focus());
    await user.keyboard('{Delete} ');
    expect(chosen()).toEqual(['GLU GLUCOSE', 'CBC BLOOD COUNT 1 test']);
  });
});
