import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages, say } from '../../../contract';
import { page, problem, type Answers, type Seen } from '../../../test/portal';
import { renderPortal } from '../../../test/render';
import { FormAtItsAddress, ONE, saves, signer } from '../../../test/requisitionForm';
import { requisition } from '../../../test/requisitions';
import { passTime } from '../../../test/timers';

const tsh = { id: 20, code: 'TSH', name: 'Thyroid', alternateNames: '', type: 'TEST' };
const lipi = { id: 21, code: 'LIPI', name: 'Lipids', alternateNames: '', type: 'TEST' };
const tests = [tsh, lipi];
const diabetes = { id: 1, code: 'E11.9', description: 'Diabetes' };
const hypertension = { id: 2, code: 'I10', description: 'Hypertension' };
const diagnoses = [diabetes, hypertension];

/** The lookups of a test wait here until it lets their answers come. */
let answers: { come: () => void; awaited: Promise<void> };
function holdAnswers(): void {
  let come: () => void = () => undefined;
  const awaited = new Promise<void>((resolve) => (come = resolve));
  answers = { come, awaited };
}

/** A portal that looks codes up when the test says so. */
const portal: Answers = {
  [`GET ${ONE}`]: requisition(),
  [`POST ${ONE}`]: requisition({ version: 4 }),
  'GET /api/v2/patients/7': requisition().patient,
  'GET /api/v2/tests/remote-operations': ({ query }: Seen) => {
    const code = query.get('code');
    return page(tests.filter((one) => code === null || one.code === code));
  },
  'GET /api/v2/tests/with-children': async ({ query }: Seen) => {
    await answers.awaited;
    const ids = query.getAll('testId').map(Number);
    return tests
      .filter(({ id }) => ids.includes(id))
      .map((one) => ({ ...one, parentId: null, children: [] }));
  },
  'GET /api/v2/tests/frequent': [lipi],
  'GET /api/v2/favorite-panels': [
    { id: 9, version: 1, name: 'MORNING', tests: [lipi], unavailable: [] },
  ],
  'GET /api/v2/diagnoses/best-match': async ({ query }: Seen) => {
    await answers.awaited;
    return diagnoses.find(({ code }) => code === query.get('code')) ?? null;
  },
  'GET /api/v2/diagnoses/remote-operations': ({ query }: Seen) =>
    page(diagnoses.filter(({ code }) => code.includes(query.get('search') ?? ''))),
};

async function draw(change: Parameters<typeof requisition>[0] = {}, others: Answers = {}) {
  holdAnswers();
  const view = await renderPortal(<FormAtItsAddress />, {
    user: signer,
    path: '/secured/requisitions/create;id=12',
    answers: { ...portal, [`GET ${ONE}`]: requisition(change), ...others },
  });
  await screen.findByRole('heading', { name: /R260000012/ });
  const field = (name: string) => screen.findByRole('combobox', { name });
  const enter = async (name: string, keys: string) => view.user.type(await field(name), keys);
  const save = () => view.user.keyboard('{Control>}s{/Control}');
  const remove = async (name: string) =>
    view.user.click(await screen.findByRole('button', { name: `Remove ${name}` }));
  return { ...view, field, enter, save, remove };
}

const TESTS = 'Test code or name';
const savedTests = (seen: readonly Seen[]) =>
  (saves(seen)[0]?.body as { tests: { test: { id: number } }[] }).tests.map(({ test }) => test.id);
const chosen = async (label: string) =>
  within(await screen.findByRole('list', { name: label }))
    .getAllByRole('button')
    .map((button) => button.getAttribute('aria-label'));

describe('Diagnoses', () => {
  it('are added as fast as their codes are typed', async () => {
    const { enter } = await draw();
    await enter('Diagnoses', 'E11.9{Enter}I10{Enter}');
    answers.come();
    await screen.findByRole('button', { name: 'Remove I10' });
    expect(await chosen('Diagnoses')).toEqual(['Remove E11.9', 'Remove I10']);
  });

  it('that are removed while another is looked up stay removed', async () => {
    const { enter, remove } = await draw({ diagnoses: [{ ...diabetes, testId: null }] });
    await enter('Diagnoses', 'I10{Enter}');
    await remove('E11.9');
    answers.come();
    await screen.findByRole('button', { name: 'Remove I10' });
    expect(await chosen('Diagnoses')).toEqual(['Remove I10']);
  });

  it('name no test that was removed while another was looked up', async () => {
    const { enter, remove } = await draw({ diagnoses: [{ ...diabetes, testId: 20 }] });
    await enter('Diagnoses', 'I10{Enter}');
    await remove('Thyroid');
    answers.come();
    await screen.findByRole('button', { name: 'Remove I10' });
    const support = screen.getByRole('combobox', { name: 'Test that E11.9 supports' });
    expect(support).toHaveDisplayValue('All tests');
  });

  it.each(['Diagnoses', 'Additional Test Dx Codes'])(
    'are taken by code and Enter, however quickly: %s',
    async (label) => {
      const { enter, field } = await draw();
      await enter(label, 'I10{Enter}');
      answers.come();
      expect(await screen.findByRole('button', { name: 'Remove I10' })).toBeVisible();
      expect(await field(label)).toHaveValue('');
    },
  );

  it.each([
    ['Diagnoses', 'X99', messages.DIAGNOSIS_NOT_FOUND],
    ['Diagnoses', '1', messages.DIAGNOSIS_AMBIGUOUS],
    ['Additional Test Dx Codes', 'X99', messages.DIAGNOSIS_NOT_FOUND],
  ])('say why a code is not taken: %s, %s', async (label, text, why) => {
    const { enter, field } = await draw();
    await enter(label, `${text}{Enter}`);
    answers.come();
    expect(await screen.findByText(say(why, { text }))).toBeVisible();
    expect(await field(label)).toHaveValue(text);
  });
});

describe('A save at once', () => {
  it('waits for the test of a code that was entered', async () => {
    const { enter, save, seen } = await draw();
    await enter(TESTS, 'LIPI{Enter}');
    await save();
    answers.come();
    await waitFor(() => expect(saves(seen)).toHaveLength(1));
    expect(savedTests(seen)).toEqual([20, 21]);
  });

  it('is one save, however often it is asked for meanwhile', async () => {
    const { enter, save, seen } = await draw();
    await enter(TESTS, 'LIPI{Enter}');
    await save();
    await save();
    answers.come();
    await waitFor(() => expect(saves(seen)).toHaveLength(1));
    await passTime(100);
    expect(saves(seen)).toHaveLength(1);
  });

  it('waits for a favorite', async () => {
    const { user, save, seen } = await draw();
    await screen.findByRole('button', { name: /^Add MORNING/ });
    await user.keyboard('{Alt>}{Shift>}1{/Shift}{/Alt}');
    await save();
    answers.come();
    await waitFor(() => expect(saves(seen)).toHaveLength(1));
    expect(savedTests(seen)).toEqual([20, 21]);
  });

  it('waits for what is ordered most', async () => {
    const { user, save, seen } = await draw();
    await user.click(await screen.findByRole('button', { name: 'Add LIPI, Lipids' }));
    await save();
    answers.come();
    await waitFor(() => expect(saves(seen)).toHaveLength(1));
    expect(savedTests(seen)).toEqual([20, 21]);
  });

  it('waits for a line of the list', async () => {
    const { user, field, save, seen } = await draw();
    await user.click(await field(TESTS));
    await user.click(await screen.findByRole('row', { name: /Lipids/ }));
    await save();
    answers.come();
    await waitFor(() => expect(saves(seen)).toHaveLength(1));
    expect(savedTests(seen)).toEqual([20, 21]);
  });

  it('is not made without a code that turns out to be unknown', async () => {
    const { enter, field, save, seen } = await draw();
    await enter(TESTS, 'BAD{Enter}');
    await save();
    answers.come();
    const text = 'BAD';
    expect(await screen.findByText(say(messages.ENTRY_NOT_ADDED, { text }))).toBeVisible();
    expect(screen.getByText(say(messages.TEST_CODE_NOT_FOUND, { code: text }))).toBeVisible();
    expect(await field(TESTS)).toHaveValue(text);
    expect(saves(seen)).toHaveLength(0);
  });

  it('is not made without tests that could not be loaded', async () => {
    const failing = {
      'GET /api/v2/tests/with-children': async () => {
        await answers.awaited;
        return problem(500, 'internal', '');
      },
    };
    const { user, save, seen } = await draw({}, failing);
    await user.click(await screen.findByRole('button', { name: /^Add MORNING/ }));
    await save();
    answers.come();
    expect(await screen.findByText(`LIPI: ${messages.INTERNAL_ERROR}`)).toBeVisible();
    await passTime(100);
    expect(saves(seen)).toHaveLength(0);
  });
});

describe('A save whose form is left at once', () => {
  it('has the test all the same', async () => {
    const { enter, save, seen, router } = await draw();
    await enter(TESTS, 'LIPI{Enter}');
    await save();
    await act(() => router.navigate('/secured/requisitions/create'));
    answers.come();
    await waitFor(() => expect(saves(seen)).toHaveLength(1));
    expect(savedTests(seen)).toEqual([20, 21]);
  });
});

describe('Sign at once', () => {
  it('saves the test of a code that was entered first', async () => {
    const { user, enter, seen } = await draw();
    await enter(TESTS, 'LIPI{Enter}');
    await user.click(screen.getByRole('button', { name: 'Sign' }));
    answers.come();
    await screen.findByRole('dialog', { name: 'Electronic Signature' });
    expect(savedTests(seen)).toEqual([20, 21]);
  });
});
