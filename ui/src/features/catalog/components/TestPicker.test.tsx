import { act, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';

import { messages, Role, say } from '../../../contract';
import { buildPage, buildProblem, type Answers, type SentRequest } from '../../../test/portal';
import { buildProfile, renderPortal } from '../../../test/render';
import type { TestRow } from '../api';
import { toChosenTest, type ChosenTest } from '../chosen';
import { TestPicker } from './TestPicker';

const createTest = (
  id: number,
  code: string,
  name: string,
  more: Partial<TestRow> = {},
): TestRow => ({
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
const glu = createTest(1, 'GLU', 'GLUCOSE');
const k = createTest(2, 'K', 'POTASSIUM');
const wbc = createTest(3, 'WBC', 'WHITE BLOOD CELLS');
const cbc = createTest(4, 'CBC', 'BLOOD COUNT', { type: 'PANEL' });
const csa = createTest(5, 'CSA', 'CYCLOSPORINE', { onList: false });
const allTests = [glu, k, wbc, cbc, csa];

const createTree = (test: TestRow) => ({
  ...test,
  parentId: null,
  children: test.id === cbc.id ? [{ ...wbc, parentId: cbc.id, children: [] }] : [],
});
const favorite = { id: 9, version: 2, name: 'MORNING', tests: [glu, cbc], unavailable: [csa] };

const portal: Answers = {
  'GET /api/v2/tests/remote-operations': ({ query }: SentRequest) => {
    const [code, search] = [query.get('code'), query.get('search') ?? ''];
    return buildPage(
      allTests
        .filter((test) => query.get('allTests') === 'true' || test.onList)
        .filter((test) => (code === null ? test.name.includes(search) : test.code === code)),
    );
  },
  'GET /api/v2/tests/with-children': ({ query }: SentRequest) =>
    query
      .getAll('testId')
      .map((id) => createTree(allTests.find((test) => test.id === Number(id)) ?? glu)),
  'GET /api/v2/tests/frequent': [k, glu],
  'GET /api/v2/favorite-panels': [favorite],
};

function PickerForm(props: {
  initial: readonly ChosenTest[];
  readOnly: boolean;
  onDone: () => void;
}) {
  const [value, setValue] = useState<readonly ChosenTest[]>(props.initial);
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

interface Options {
  initial?: readonly TestRow[];
  answers?: Answers;
  readOnly?: boolean;
  role?: Role;
  onDone?: () => void;
}

const renderPicker = ({ initial = [], ...options }: Options = {}) =>
  renderPortal(
    <PickerForm
      initial={initial.map((test) => toChosenTest(createTree(test)))}
      readOnly={options.readOnly ?? false}
      onDone={options.onDone ?? (() => undefined)}
    />,
    { user: buildProfile(options.role), answers: { ...portal, ...options.answers } },
  );

/** Renders the picker with a portal that answers for one test only when `answerFirst` is called. */
async function renderWaitingPicker(waiting: TestRow) {
  let answerFirst = (): void => undefined;
  const first = new Promise<void>((resolve) => {
    answerFirst = resolve;
  });
  const { user, requests } = await renderPicker({
    answers: {
      'GET /api/v2/tests/with-children': async ({ query }: SentRequest) => {
        const id = Number(query.get('testId'));
        if (id === waiting.id) await first;
        return [createTree(allTests.find((test) => test.id === id) ?? glu)];
      },
    },
  });
  const countLoads = () => requests.filter(({ path }) => path.endsWith('/with-children')).length;
  return { user, countLoads, answerFirst };
}

const getField = () =>
  screen.getByRole<HTMLInputElement>('combobox', { name: 'Test code or name' });
const listChosen = () =>
  screen
    .queryAllByRole('treeitem')
    .filter((item) => item.getAttribute('aria-level') === '1')
    .map((item) => item.getAttribute('aria-label'));
const getLines = () => screen.getAllByRole('row').slice(1);

describe('The code field', () => {
  it('accepts an exact code in any case, and is then empty for the next', async () => {
    const { user } = await renderPicker();
    await user.type(getField(), 'glu{Enter}');
    await waitFor(() => expect(listChosen()).toEqual(['GLU GLUCOSE']));
    expect(getField()).toHaveValue('');
    expect(getField()).toHaveFocus();
  });

  it('says that a test is already on the list', async () => {
    const { user } = await renderPicker();
    await user.type(getField(), 'glu{Enter}');
    await waitFor(() => expect(listChosen()).toEqual(['GLU GLUCOSE']));
    await user.type(getField(), 'glu{Enter}');
    expect(await screen.findByText(say(messages.ALREADY_LISTED, { name: 'GLU' }))).toBeVisible();
    expect(listChosen()).toEqual(['GLU GLUCOSE']);
    expect(getField()).toHaveValue('');
  });

  it('says so too when a test is entered again before the first answer', async () => {
    const { user, countLoads, answerFirst } = await renderWaitingPicker(glu);
    await user.type(getField(), 'glu{Enter}glu{Enter}');
    await waitFor(() => expect(countLoads()).toBe(2));
    expect(listChosen()).toEqual([]);
    answerFirst();
    expect(await screen.findByText(say(messages.ALREADY_LISTED, { name: 'GLU' }))).toBeVisible();
    expect(listChosen()).toEqual(['GLU GLUCOSE']);
  });

  it('accepts codes as fast as they are scanned', async () => {
    const { user } = await renderPicker();
    await user.type(getField(), 'glu{Enter}cbc{Enter}wb');
    await waitFor(() => expect(listChosen()).toEqual(['GLU GLUCOSE', 'CBC BLOOD COUNT 1 test']));
    expect(getField()).toHaveValue('WB');
  });

  it('lists codes as they were entered, whichever answer comes first', async () => {
    const { user, countLoads, answerFirst } = await renderWaitingPicker(cbc);
    await user.type(getField(), 'cbc{Enter}glu{Enter}');
    await waitFor(() => expect(countLoads()).toBe(2));
    expect(listChosen()).toEqual([]);
    answerFirst();
    await waitFor(() => expect(listChosen()).toEqual(['CBC BLOOD COUNT 1 test', 'GLU GLUCOSE']));
  });

  it('gets the code back when its test could not be loaded', async () => {
    const { user } = await renderPicker({
      answers: { 'GET /api/v2/tests/with-children': () => buildProblem(500, 'internal', '') },
    });
    await user.type(getField(), 'glu{Enter}');
    expect(await screen.findByText(messages.INTERNAL_ERROR)).toBeVisible();
    await waitFor(() => expect(getField()).toHaveValue('GLU'));
    expect(listChosen()).toEqual([]);
  });

  it('reports an unknown code and keeps it', async () => {
    const { user } = await renderPicker();
    await user.type(getField(), 'glx{Enter}');
    expect(
      await screen.findByText(say(messages.TEST_CODE_NOT_FOUND, { code: 'GLX' })),
    ).toBeVisible();
    expect(getField()).toHaveValue('GLX');
    // The list does not cover the text, and the next code replaces it.
    expect(getField()).toHaveAttribute('aria-expanded', 'false');
    await waitFor(() => {
      const { selectionStart, selectionEnd } = getField();
      expect([selectionStart, selectionEnd]).toEqual([0, 3]);
    });
    await user.type(getField(), '{Backspace}');
    expect(getField()).toHaveValue('GL');
    expect(screen.queryByText(/not found/)).toBeNull();
  });

  it('reports a code that several tests have', async () => {
    const { user } = await renderPicker({
      answers: { 'GET /api/v2/tests/remote-operations': buildPage([glu, { ...glu, id: 11 }]) },
    });
    await user.type(getField(), 'glu{Enter}');
    expect(
      await screen.findByText(say(messages.TEST_CODE_AMBIGUOUS, { code: 'GLU' })),
    ).toBeVisible();
    expect(listChosen()).toEqual([]);
  });

  it('filters the grid while typing; arrow keys and Enter choose a line', async () => {
    const { user } = await renderPicker();
    await user.type(getField(), 'potas');
    await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(2));
    const line = screen.getByRole('row', { name: /POTASSIUM/ });
    expect(within(line).getByText('SERUM, GOLD TOP')).toBeVisible();
    expect(getField()).toHaveAttribute('aria-activedescendant', line.id);
    await user.keyboard('{ArrowDown}{Enter}');
    await waitFor(() => expect(listChosen()).toEqual(['K POTASSIUM']));
  });

  it('takes the marked line on Enter, even if Enter comes before the answer', async () => {
    const { user } = await renderPicker();
    await user.type(getField(), 'potas{Enter}');
    await waitFor(() => expect(listChosen()).toEqual(['K POTASSIUM']));
    expect(getField()).toHaveValue('');
    await user.type(getField(), 'xyzzy{Enter}');
    const unknown = say(messages.TEST_CODE_NOT_FOUND, { code: 'XYZZY' });
    expect(await screen.findByText(unknown)).toBeVisible();
  });

  it('turns pages of ten by Page Down and by arrow keys', async () => {
    const many = Array.from({ length: 12 }, (_, n) =>
      createTest(100 + n, `T${n + 1}`, `TEST ${n + 1}`),
    );
    const { user, requests } = await renderPicker({
      answers: {
        'GET /api/v2/tests/remote-operations': ({ query }: SentRequest) => {
          const skip = Number(query.get('skip'));
          return buildPage(many.slice(skip, skip + Number(query.get('take'))), many.length);
        },
      },
    });
    await user.click(getField());
    expect(await screen.findByText('1 to 10 of 12')).toBeVisible();
    await user.keyboard('{PageDown}');
    expect(await screen.findByText('11 to 12 of 12')).toBeVisible();
    await waitFor(() => expect(getLines()).toHaveLength(2));
    await user.keyboard('{ArrowUp}');
    expect(await screen.findByText('1 to 10 of 12')).toBeVisible();
    await waitFor(() => expect(getLines()[9]).toHaveAttribute('aria-selected', 'true'));
    expect(requests.filter(({ query }) => query.get('take') === '10').length).toBeGreaterThan(1);
  });

  it('keeps typed text when it loses the focus', async () => {
    const { user } = await renderPicker();
    await user.type(getField(), 'gl');
    await user.tab();
    expect(getField()).toHaveValue('GL');
    expect(getField()).toHaveAttribute('aria-expanded', 'false');
  });

  it('continues with Enter when it is empty', async () => {
    let doneCount = 0;
    const { user } = await renderPicker({ onDone: () => (doneCount += 1) });
    await user.click(getField());
    await user.keyboard('{Enter}');
    expect(doneCount).toBe(1);
  });
});

describe('The order of the tests', () => {
  it('is by relevance, with favorites and frequent tests first', async () => {
    const { user, requests } = await renderPicker();
    await user.type(screen.getByRole('combobox', { name: 'Test code or name' }), 'GLU');
    await screen.findByRole('row', { name: /GLUCOSE/ });
    const search = requests.filter(({ path }) => path === '/api/v2/tests/remote-operations').at(-1);
    expect(search?.query.get('sort')).toBe('relevance,code');
    expect(search?.query.getAll('preferred')).toEqual(['1', '4', '2']);
  });
});

describe('A code that leads to several tests', () => {
  it('chooses none of them, and the open list says why', async () => {
    const { user, requests } = await renderPicker({
      answers: { 'GET /api/v2/tests/remote-operations': buildPage([glu, k]) },
    });
    const field = screen.getByRole('combobox', { name: 'Test code or name' });
    await user.type(field, 'OLD');
    await waitFor(() => expect(requests.at(-1)?.query.get('search')).toBe('OLD'));
    await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull());
    await screen.findByText('1 to 2 of 2');
    await user.keyboard('{Enter}');
    const message = say(messages.TEST_CODE_AMBIGUOUS, { code: 'OLD' });
    await waitFor(() => expect(screen.getAllByText(message)).toHaveLength(2));
    const list = screen.getByRole('grid', { name: 'Tests' });
    expect(list.previousElementSibling).toHaveTextContent(message);
    expect(screen.queryByRole('button', { name: /^Remove/ })).toBeNull();
  });
});

describe('All tests', () => {
  it('shows clients the tests missing from their list, with a note to ask the lab', async () => {
    const { user } = await renderPicker();
    await user.type(getField(), 'csa{Enter}');
    expect(await screen.findByText('Test with code CSA not found')).toBeVisible();
    await user.click(screen.getByRole('checkbox', { name: 'All tests' }));
    await user.clear(getField());
    await user.type(getField(), 'csa{Enter}');
    expect((await screen.findAllByText(messages.TEST_NOT_ON_LIST))[0]).toBeVisible();
    expect(listChosen()).toEqual([]);
  });

  it('lets the lab order tests that are not on the list', async () => {
    const { user } = await renderPicker({ role: Role.LABORATORY });
    await user.click(screen.getByRole('checkbox', { name: 'All tests' }));
    await user.type(getField(), 'csa{Enter}');
    await waitFor(() => expect(listChosen()).toEqual(['CSA CYCLOSPORINE']));
  });
});

describe('Quick choices', () => {
  it('offer what this physician orders most at this client', async () => {
    const { user, requests } = await renderPicker();
    await user.click(await screen.findByRole('button', { name: 'Add K, POTASSIUM' }));
    await waitFor(() => expect(listChosen()).toEqual(['K POTASSIUM']));
    expect(screen.getByRole('button', { name: 'Add K, POTASSIUM' })).toHaveAttribute(
      'aria-disabled',
      'true',
    );
    const request = requests.find(({ path }) => path === '/api/v2/tests/frequent');
    expect(Object.fromEntries(request?.query ?? [])).toMatchObject({
      clientId: '7',
      physicianId: '8',
    });
  });

  it('are one tab stop with arrow keys within', async () => {
    const { user } = await renderPicker();
    const first = await screen.findByRole('button', { name: 'Add K, POTASSIUM' });
    act(() => first.focus());
    await user.keyboard('{ArrowRight}');
    expect(screen.getByRole('button', { name: 'Add GLU, GLUCOSE' })).toHaveFocus();
    expect(first).toHaveAttribute('tabindex', '-1');
  });
});

describe('Favorites', () => {
  it('are added by one key, except for unavailable tests, which are named', async () => {
    const { user } = await renderPicker({ initial: [glu] });
    await screen.findByRole('button', { name: /^Add MORNING/ });
    await user.click(getField());
    await user.keyboard('{Alt>}{Shift>}1{/Shift}{/Alt}');
    await waitFor(() => expect(listChosen()).toEqual(['GLU GLUCOSE', 'CBC BLOOD COUNT 1 test']));
    expect(
      await screen.findByText(say(messages.FAVORITE_SKIPPED, { name: 'MORNING', codes: 'CSA' })),
    ).toBeVisible();
    expect(getField()).toHaveValue('');
  });

  it('are saved from the current choice under a name', async () => {
    const { user, requests } = await renderPicker({
      initial: [k, cbc],
      answers: { 'POST /api/v2/favorite-panels': favorite },
    });
    await user.click(screen.getByRole('button', { name: 'Edit favorites' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Favorite Panels' }));
    await user.type(dialog.getByRole('textbox', { name: /^Name of the new/ }), 'evening{Enter}');
    expect(
      await screen.findByText(say(messages.FAVORITE_SAVED, { name: 'EVENING' })),
    ).toBeVisible();
    const write = requests.find(
      ({ method, path }) => method === 'POST' && path === '/api/v2/favorite-panels',
    );
    expect(write?.body).toEqual({ name: 'EVENING', tests: [{ id: 2 }, { id: 4 }] });
    expect(write?.headers.get('Idempotency-Key')).toBeTruthy();
  });

  it('report a name in use, and lose nothing', async () => {
    const { user } = await renderPicker({
      initial: [k],
      answers: {
        'POST /api/v2/favorite-panels': () =>
          buildProblem(409, 'favorite_name_in_use', messages.FAVORITE_NAME_IN_USE, [
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

  it('are renamed with the version on screen', async () => {
    const { user, requests } = await renderPicker({
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
    const write = requests.find(({ method }) => method === 'PUT');
    expect([write?.body, write?.headers.get('If-Match')]).toEqual([{ name: 'NOON' }, '"2"']);
  });

  it('can be restored after removal', async () => {
    const { user, requests } = await renderPicker({
      answers: {
        'DELETE /api/v2/favorite-panels/9': new Response(null, { status: 204 }),
        'POST /api/v2/favorite-panels': favorite,
      },
    });
    await screen.findByRole('button', { name: /^Add MORNING/ });
    await user.click(screen.getByRole('button', { name: 'Edit favorites' }));
    await user.click(await screen.findByRole('button', { name: 'Remove MORNING' }));
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    const getPost = () =>
      requests.find(({ method, path }) => method === 'POST' && path === '/api/v2/favorite-panels');
    await waitFor(() => expect(getPost()).toBeDefined());
    expect(getPost()?.body).toEqual({ name: 'MORNING', tests: [{ id: 1 }, { id: 4 }, { id: 5 }] });
  });
});

describe('The chosen tests', () => {
  it('expand to their members with Right and collapse with Left', async () => {
    const { user } = await renderPicker({ initial: [cbc] });
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
    const { user } = await renderPicker({ initial: [glu] });
    act(() => screen.getByRole('treeitem').focus());
    await user.keyboard(' ');
    expect(listChosen()).toEqual(['GLU GLUCOSE Confidential']);
    const lock = screen.getByRole('button', { name: 'Confidential: GLUCOSE' });
    expect(lock).toHaveAttribute('aria-pressed', 'true');
    await user.click(lock);
    expect(listChosen()).toEqual(['GLU GLUCOSE']);
  });

  it('are removed by Delete and restored at their position', async () => {
    const { user } = await renderPicker({ initial: [glu, k, cbc] });
    act(() => screen.getByRole('treeitem', { name: 'K POTASSIUM' }).focus());
    await user.keyboard('{Delete}');
    expect(listChosen()).toEqual(['GLU GLUCOSE', 'CBC BLOOD COUNT 1 test']);
    expect(screen.getByRole('treeitem', { name: /^CBC/ })).toHaveFocus();
    expect(await screen.findByText(say(messages.TEST_REMOVED, { code: 'K' }))).toBeVisible();
    await user.keyboard('{Control>}z{/Control}');
    expect(listChosen()).toEqual(['GLU GLUCOSE', 'K POTASSIUM', 'CBC BLOOD COUNT 1 test']);
  });

  it('are restored one after another, the last by its toast', async () => {
    const { user } = await renderPicker({ initial: [glu, k] });
    for (const name of ['GLU GLUCOSE', 'K POTASSIUM']) {
      act(() => screen.getByRole('treeitem', { name }).focus());
      await user.keyboard('{Delete}');
    }
    expect(await screen.findByText(say(messages.TEST_REMOVED, { code: 'K' }))).toBeVisible();
    expect(screen.queryByText(say(messages.TEST_REMOVED, { code: 'GLU' }))).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    expect(listChosen()).toEqual(['K POTASSIUM']);
    act(() => screen.getByRole('treeitem').focus());
    await user.keyboard('{Control>}z{/Control}');
    expect(listChosen()).toEqual(['GLU GLUCOSE', 'K POTASSIUM']);
  });

  it('are read-only when they cannot be changed', async () => {
    const { user } = await renderPicker({ initial: [glu, cbc], readOnly: true });
    expect(screen.queryByRole('combobox')).toBeNull();
    expect(screen.queryByRole('button', { name: /^(Remove|Confidential|Add)/ })).toBeNull();
    act(() => screen.getByRole('treeitem', { name: /^GLU/ }).focus());
    await user.keyboard('{Delete} ');
    expect(listChosen()).toEqual(['GLU GLUCOSE', 'CBC BLOOD COUNT 1 test']);
  });
});
