import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages, say } from '../../../contract';
import { buildPage, buildProblem, type Answers, type SentRequest } from '../../../test/portal';
import { renderPortal } from '../../../test/render';
import { RoutedForm, REQUISITION_PATH, listSaves, signer } from '../../../test/requisitionForm';
import { buildRequisition } from '../../../test/requisitions';
import { passTime } from '../../../test/timers';

const tsh = { id: 20, code: 'TSH', name: 'Thyroid', alternateNames: '', type: 'TEST' };
const lipi = { id: 21, code: 'LIPI', name: 'Lipids', alternateNames: '', type: 'TEST' };
const tests = [tsh, lipi];
const diabetes = { id: 1, code: 'E11.9', description: 'Diabetes' };
const hypertension = { id: 2, code: 'I10', description: 'Hypertension' };
const pulmonary = { id: 4, code: 'I27.20', description: 'Pulmonary hypertension, unspecified' };
const infection = { id: 3, code: 'N39.0', description: 'Urinary tract infection' };
const diagnoses = [diabetes, hypertension];

/** The responses to lookups wait here until a test resolves them. */
let pendingLookups: { resolve: () => void; promise: Promise<void> };
function holdLookups(): void {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  pendingLookups = { resolve, promise };
}

/** The answers of a portal whose lookups wait for the test. */
const portalAnswers: Answers = {
  [`GET ${REQUISITION_PATH}`]: buildRequisition(),
  [`POST ${REQUISITION_PATH}`]: buildRequisition({ version: 4 }),
  'GET /api/v2/patients/7': buildRequisition().patient,
  'GET /api/v2/tests/remote-operations': ({ query }: SentRequest) => {
    const code = query.get('code');
    return buildPage(tests.filter((test) => code === null || test.code === code));
  },
  'GET /api/v2/tests/with-children': async ({ query }: SentRequest) => {
    await pendingLookups.promise;
    const ids = query.getAll('testId').map(Number);
    return tests
      .filter(({ id }) => ids.includes(id))
      .map((test) => ({ ...test, parentId: null, isConfidential: false, children: [] }));
  },
  'GET /api/v2/tests/frequent': [lipi],
  'GET /api/v2/favorite-panels': [
    { id: 9, version: 1, name: 'MORNING', tests: [lipi], unavailable: [] },
  ],
  'GET /api/v2/diagnoses/best-match': async ({ query }: SentRequest) => {
    await pendingLookups.promise;
    return diagnoses.find(({ code }) => code === query.get('code')) ?? null;
  },
  'GET /api/v2/diagnoses/remote-operations': async ({ query }: SentRequest) => {
    await pendingLookups.promise;
    const search = query.get('search') ?? '';
    if (search === 'uti') return buildPage([infection]);
    if (search === 'hypertens') return buildPage([hypertension, pulmonary]);
    return buildPage(diagnoses.filter(({ code }) => code.includes(search)));
  },
};

async function renderForm(
  change: Parameters<typeof buildRequisition>[0] = {},
  moreAnswers: Answers = {},
) {
  holdLookups();
  const view = await renderPortal(<RoutedForm />, {
    user: signer,
    path: '/secured/requisitions/create;id=12',
    answers: {
      ...portalAnswers,
      [`GET ${REQUISITION_PATH}`]: buildRequisition(change),
      ...moreAnswers,
    },
  });
  await screen.findByRole('heading', { name: /R260000012/ });
  const findField = (name: string) => screen.findByRole('combobox', { name });
  const enter = async (name: string, keys: string) => view.user.type(await findField(name), keys);
  const save = () => view.user.keyboard('{Control>}s{/Control}');
  const clickRemove = async (name: string) =>
    view.user.click(await screen.findByRole('button', { name: `Remove ${name}` }));
  return { ...view, findField, enter, save, clickRemove };
}

const TESTS = 'Test code or name';
const listSavedTests = (requests: readonly SentRequest[]) =>
  (listSaves(requests)[0]?.body as { tests: { test: { id: number } }[] }).tests.map(
    ({ test }) => test.id,
  );
const listChosen = async (label: string) =>
  within(await screen.findByRole('list', { name: label }))
    .getAllByRole('button')
    .map((button) => button.getAttribute('aria-label'));

describe('Diagnoses', () => {
  it('are added as fast as their codes are typed', async () => {
    const { enter } = await renderForm();
    await enter('Diagnoses', 'E11.9{Enter}I10{Enter}');
    pendingLookups.resolve();
    await screen.findByRole('button', { name: 'Remove I10' });
    expect(await listChosen('Diagnoses')).toEqual(['Remove E11.9', 'Remove I10']);
  });

  it('stay removed when they are removed during a lookup', async () => {
    const { enter, clickRemove } = await renderForm({
      diagnoses: [{ ...diabetes, testId: null }],
    });
    await enter('Diagnoses', 'I10{Enter}');
    await clickRemove('E11.9');
    pendingLookups.resolve();
    await screen.findByRole('button', { name: 'Remove I10' });
    expect(await listChosen('Diagnoses')).toEqual(['Remove I10']);
  });

  it('never name a test that was removed during a lookup', async () => {
    const { enter, clickRemove } = await renderForm({
      diagnoses: [{ ...diabetes, testId: 20 }],
    });
    await enter('Diagnoses', 'I10{Enter}');
    await clickRemove('Thyroid');
    pendingLookups.resolve();
    await screen.findByRole('button', { name: 'Remove I10' });
    const support = screen.getByRole('combobox', { name: 'Test that E11.9 supports' });
    expect(support).toHaveDisplayValue('All tests');
  });

  it.each(['Diagnoses', 'Additional Test Dx Codes'])(
    'are added by code and Enter, however quickly: %s',
    async (label) => {
      const { enter, findField } = await renderForm();
      await enter(label, 'I10{Enter}');
      pendingLookups.resolve();
      expect(await screen.findByRole('button', { name: 'Remove I10' })).toBeVisible();
      expect(await findField(label)).toHaveValue('');
    },
  );

  it.each(['Diagnoses', 'Additional Test Dx Codes'])(
    'are the first line for typed words, once the list of those words arrives: %s',
    async (label) => {
      const { user, enter, findField } = await renderForm();
      await enter(label, 'uti');
      expect(screen.queryByRole('option', { name: /I10|E11/ })).toBeNull();
      pendingLookups.resolve();
      const line = await screen.findByRole('option', { name: /N39.0/ });
      await waitFor(() => expect(line).toHaveAttribute('data-active', 'true'));
      await user.keyboard('{Enter}');
      expect(await screen.findByRole('button', { name: 'Remove N39.0' })).toBeVisible();
      expect(await findField(label)).toHaveValue('');
    },
  );

  it.each(['Diagnoses', 'Additional Test Dx Codes'])(
    'are chosen with one Enter from several lines for words, but not for part of a code: %s',
    async (label) => {
      const { user, enter, findField } = await renderForm();
      pendingLookups.resolve();
      await enter(label, 'hypertens');
      const line = await screen.findByRole('option', { name: /I10/ });
      await waitFor(() => expect(line).toHaveAttribute('data-active', 'true'));
      await user.keyboard('{Enter}');
      expect(await screen.findByRole('button', { name: 'Remove I10' })).toBeVisible();
      expect(await findField(label)).toHaveValue('');

      await enter(label, '1');
      const first = await screen.findByRole('option', { name: /E11/ });
      await waitFor(() => expect(screen.queryByText('Searching…')).toBeNull());
      expect(first).toHaveAttribute('data-active', 'false');
    },
  );

  it('are not chosen from the list of an earlier text', async () => {
    const { user, enter } = await renderForm();
    pendingLookups.resolve();
    await enter('Diagnoses', 'I');
    await screen.findByRole('option', { name: /I10/ });
    holdLookups();
    await user.keyboard('{Backspace}uti{Enter}');
    expect(screen.queryByRole('button', { name: 'Remove I10' })).toBeNull();
    pendingLookups.resolve();
    expect(await screen.findByRole('button', { name: 'Remove N39.0' })).toBeVisible();
    expect(await listChosen('Diagnoses')).toEqual(['Remove N39.0']);
  });

  it.each([
    ['Diagnoses', 'X99', messages.DIAGNOSIS_NOT_FOUND],
    ['Additional Test Dx Codes', 'X99', messages.DIAGNOSIS_NOT_FOUND],
  ])('explain why a code was rejected: %s, %s', async (label, text, message) => {
    const { enter, findField } = await renderForm();
    await enter(label, `${text}{Enter}`);
    pendingLookups.resolve();
    expect(await screen.findByText(say(message, { text }))).toBeVisible();
    expect(await findField(label)).toHaveValue(text);
  });
});

describe('Saving at once', () => {
  it('waits for the test of an entered code', async () => {
    const { enter, save, requests } = await renderForm();
    await enter(TESTS, 'LIPI{Enter}');
    await save();
    pendingLookups.resolve();
    await waitFor(() => expect(listSaves(requests)).toHaveLength(1));
    expect(listSavedTests(requests)).toEqual([20, 21]);
  });

  it('saves once, however often it is requested', async () => {
    const { enter, save, requests } = await renderForm();
    await enter(TESTS, 'LIPI{Enter}');
    await save();
    await save();
    pendingLookups.resolve();
    await waitFor(() => expect(listSaves(requests)).toHaveLength(1));
    await passTime(100);
    expect(listSaves(requests)).toHaveLength(1);
  });

  it('waits for a favorite', async () => {
    const { user, save, requests } = await renderForm();
    await screen.findByRole('button', { name: /^Add MORNING/ });
    await user.keyboard('{Alt>}{Shift>}1{/Shift}{/Alt}');
    await save();
    pendingLookups.resolve();
    await waitFor(() => expect(listSaves(requests)).toHaveLength(1));
    expect(listSavedTests(requests)).toEqual([20, 21]);
  });

  it('waits for a frequent test', async () => {
    const { user, save, requests } = await renderForm();
    await user.click(await screen.findByRole('button', { name: 'Add LIPI, Lipids' }));
    await save();
    pendingLookups.resolve();
    await waitFor(() => expect(listSaves(requests)).toHaveLength(1));
    expect(listSavedTests(requests)).toEqual([20, 21]);
  });

  it('waits for a line of the list', async () => {
    const { user, findField, save, requests } = await renderForm();
    await user.click(await findField(TESTS));
    await user.click(await screen.findByRole('row', { name: /Lipids/ }));
    await save();
    pendingLookups.resolve();
    await waitFor(() => expect(listSaves(requests)).toHaveLength(1));
    expect(listSavedTests(requests)).toEqual([20, 21]);
  });

  it('stops at a code that turns out to be unknown', async () => {
    const { enter, findField, save, requests } = await renderForm();
    await enter(TESTS, 'BAD{Enter}');
    await save();
    pendingLookups.resolve();
    const text = 'BAD';
    expect(
      await screen.findByText(say(messages.ENTRY_NOT_ADDED, { field: TESTS, text })),
    ).toBeVisible();
    expect(screen.getByText(say(messages.TEST_CODE_NOT_FOUND, { code: text }))).toBeVisible();
    expect(await findField(TESTS)).toHaveValue(text);
    expect(listSaves(requests)).toHaveLength(0);
  });

  it('stops at tests that could not be loaded', async () => {
    const failingAnswers = {
      'GET /api/v2/tests/with-children': async () => {
        await pendingLookups.promise;
        return buildProblem(500, 'internal', '');
      },
    };
    const { user, save, requests } = await renderForm({}, failingAnswers);
    await user.click(await screen.findByRole('button', { name: /^Add MORNING/ }));
    await save();
    pendingLookups.resolve();
    expect(await screen.findByText(`LIPI: ${messages.INTERNAL_ERROR}`)).toBeVisible();
    await passTime(100);
    expect(listSaves(requests)).toHaveLength(0);
  });
});

describe('Leaving the form during a save', () => {
  it('still saves the test', async () => {
    const { enter, save, requests, router } = await renderForm();
    await enter(TESTS, 'LIPI{Enter}');
    await save();
    await act(() => router.navigate('/secured/requisitions/create'));
    pendingLookups.resolve();
    await waitFor(() => expect(listSaves(requests)).toHaveLength(1));
    expect(listSavedTests(requests)).toEqual([20, 21]);
  });
});

describe('Signing at once', () => {
  it('saves the test of an entered code first', async () => {
    const { user, enter, requests } = await renderForm();
    await enter(TESTS, 'LIPI{Enter}');
    await user.click(screen.getByRole('button', { name: 'Sign' }));
    pendingLookups.resolve();
    await user.click(await screen.findByRole('button', { name: 'Sign anyway' }));
    await screen.findByRole('dialog', { name: 'Electronic Signature' });
    expect(listSavedTests(requests)).toEqual([20, 21]);
  });
});
