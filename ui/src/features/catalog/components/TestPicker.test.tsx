import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages, Role, say } from '../../../contract';
import { buildPage, buildProblem, type SentRequest } from '../../../test/portal';
import { capabilities } from '../../../test/render';
import {
  cbc,
  createTest,
  direct,
  getField,
  getLines,
  glu,
  k,
  listChosen,
  renderPicker,
  renderWaitingPicker,
  total,
} from '../../../test/testPicker';

const TESTS = 'GET /api/v2/tests/remote-operations';

describe('The code field', () => {
  it('accepts an exact code in upper or lower case, and is then empty for the next', async () => {
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

  it('says that a test is already on the list even before the first answer', async () => {
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

  it('says that the portal is unreachable only until it is reachable again', async () => {
    let isBack = false;
    const failToFetch = () => Promise.reject(new TypeError('Failed to fetch'));
    const { user } = await renderPicker({
      answers: {
        'GET /capabilities': () => (isBack ? capabilities : failToFetch()),
        [TESTS]: () => (isBack ? buildPage([glu]) : failToFetch()),
      },
    });
    await user.type(getField(), 'glu{Enter}');
    const queryConnectionErrors = () => screen.queryAllByText(messages.NO_CONNECTION);
    await waitFor(() => expect(queryConnectionErrors()).toHaveLength(1));
    expect(getField()).toHaveValue('GLU');
    await user.click(getField());
    await waitFor(() => expect(queryConnectionErrors().length).toBeGreaterThan(1));
    isBack = true;
    act(() => void window.dispatchEvent(new Event('online')));
    expect(await screen.findByRole('row', { name: /GLUCOSE/ })).toBeVisible();
    expect(queryConnectionErrors()).toEqual([]);
    expect(getField()).toHaveValue('GLU');
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
      answers: { [TESTS]: buildPage([glu, { ...glu, id: 11 }]) },
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

  it('selects the marked line on Enter, even if Enter is pressed before the answer', async () => {
    const { user } = await renderPicker();
    await user.type(getField(), 'potas{Enter}');
    await waitFor(() => expect(listChosen()).toEqual(['K POTASSIUM']));
    expect(getField()).toHaveValue('');
    await user.type(getField(), 'xyzzy{Enter}');
    const message = say(messages.TEST_CODE_NOT_FOUND, { code: 'XYZZY' });
    expect(await screen.findByText(message)).toBeVisible();
  });

  it('orders none of several matches before a second Enter', async () => {
    const { user, requests } = await renderPicker({
      answers: { [TESTS]: buildPage([direct, total]) },
    });
    await user.type(getField(), 'bilirubin');
    await waitFor(() => expect(requests.at(-1)?.query.get('search')).toBe('BILIRUBIN'));
    await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull());
    const line = await screen.findByRole('row', { name: /BILIRUBIN, DIRECT/ });
    expect(getField()).not.toHaveAttribute('aria-activedescendant');
    await user.keyboard('{Enter}');
    expect(getField()).toHaveAttribute('aria-activedescendant', line.id);
    expect(listChosen()).toEqual([]);
    await user.keyboard('{ArrowDown}{Enter}');
    await waitFor(() => expect(listChosen()).toEqual(['TBIL BILIRUBIN, TOTAL']));
    expect(getField()).toHaveValue('');
  });

  it('returns an ambiguous name to the field, if Enter is pressed before the answer', async () => {
    const answer = ({ query }: SentRequest) => buildPage(query.has('code') ? [] : [direct, total]);
    const { user } = await renderPicker({ answers: { [TESTS]: answer } });
    await user.type(getField(), 'bilirubin{Enter}');
    const reason = say(messages.SEVERAL_MATCHES, { text: 'BILIRUBIN' });
    expect((await screen.findAllByText(reason))[0]).toBeVisible();
    expect(getField()).toHaveValue('BILIRUBIN');
    expect(await screen.findByRole('row', { name: /BILIRUBIN, DIRECT/ })).toBeVisible();
    expect(listChosen()).toEqual([]);
  });

  it('accepts a complete name although the names of other tests contain it', async () => {
    const page = buildPage([{ ...glu, isExact: true }, createTest(12, 'GLUF', 'GLUCOSE, FLUID')]);
    const answer = ({ query }: SentRequest) => (query.has('code') ? buildPage([]) : page);
    const { user } = await renderPicker({ answers: { [TESTS]: answer } });
    await user.type(getField(), 'glucose');
    await screen.findByRole('row', { name: /GLUCOSE, FLUID/ });
    const id = getLines()[0]?.id ?? '';
    await waitFor(() => expect(getField()).toHaveAttribute('aria-activedescendant', id));
    await user.keyboard('{Enter}');
    await waitFor(() => expect(listChosen()).toEqual(['GLU GLUCOSE']));
  });

  it('turns pages of ten by Page Down and by arrow keys', async () => {
    const manyTests = Array.from({ length: 12 }, (_, n) =>
      createTest(100 + n, `T${n + 1}`, `TEST ${n + 1}`),
    );
    const { user, requests } = await renderPicker({
      answers: {
        [TESTS]: ({ query }: SentRequest) => {
          const skip = Number(query.get('skip'));
          return buildPage(
            manyTests.slice(skip, skip + Number(query.get('take'))),
            manyTests.length,
          );
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
      answers: { [TESTS]: buildPage([glu, k]) },
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

  it('are confidential from the start where the catalog says so', async () => {
    const { user } = await renderPicker();
    await user.type(getField(), 'hiv{Enter}');
    await waitFor(() => expect(listChosen()).toEqual(['HIV HIV ANTIBODIES Confidential']));
    await user.click(screen.getByRole('button', { name: 'Confidential: HIV ANTIBODIES' }));
    expect(listChosen()).toEqual(['HIV HIV ANTIBODIES']);
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
