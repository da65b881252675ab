import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';

import { messages } from '../../../contract';
import { buildProblem, type Answers } from '../../../test/portal';
import {
  enterComment,
  findComments,
  renderForm,
  REQUISITION_PATH,
  listSaves,
} from '../../../test/requisitionForm';
import { buildRequisition } from '../../../test/requisitions';
import type { Requisition } from '../api';
import { toFormValues } from '../form';

const chooseTest = (id: number, code: string, name: string) => ({
  test: { id, code, name, alternateNames: '', type: 'TEST' as const },
  isConfidential: false,
  children: [],
});
const [tsh, cbc, glu] = [
  chooseTest(20, 'TSH', 'Thyroid'),
  chooseTest(21, 'CBC', 'Count'),
  chooseTest(22, 'GLU', 'Glucose'),
];
const toWireTests = (tests: (typeof tsh)[]) =>
  tests.map((test) => ({ ...test, childId: test.test.id, parentTestId: null, level: 0 }));

const DRAFT = '0b0f7f3e-7d4b-4a3e-9b1a-0c8f0d0c0d0e';
const original = buildRequisition({ tests: toWireTests([tsh]) });
const values = { ...toFormValues(original), tests: [tsh, glu] };
const draftOnVersion3 = { version: 3, base: { tests: [tsh] } };

/** The draft as the portal returns it: with object keys in another order. */
const reorderKeys = (content: object): unknown =>
  JSON.parse(JSON.stringify(content), (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).reverse())
      : part,
  );

async function continueDraft(current: Requisition, content: object, answers: Answers = {}) {
  const view = await renderForm({
    [`GET ${REQUISITION_PATH}`]: current,
    'GET /api/v2/requisitions/drafts': [
      {
        id: DRAFT,
        savedAt: '2026-03-27T09:00:00+00:00',
        content: reorderKeys({ format: 2, values, ...content }),
      },
    ],
    [`POST ${REQUISITION_PATH}`]: { ...current, version: current.version + 1 },
    ...answers,
  });
  await view.user.click(await screen.findByRole('button', { name: 'Continue with it' }));
  const save = async () => {
    await view.user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText(messages.REQUISITION_SAVED);
    const [request, ...others] = listSaves(view.requests);
    expect(others).toEqual([]);
    return {
      version: request?.headers.get('If-Match'),
      draft: request?.query.get('draftId'),
      body: request?.body as { tests: { test: { id: number } }[] },
    };
  };
  return { ...view, save };
}
const listTestIds = ({ tests }: { tests: { test: { id: number } }[] }) =>
  tests.map((entry) => entry.test.id);

describe('A draft of a requisition that somebody has saved since', () => {
  const theirs = buildRequisition({ version: 5, priority: 'STAT', tests: toWireTests([tsh, cbc]) });

  it('is applied to the newer version, and the other changes are named', async () => {
    const { save } = await continueDraft(theirs, draftOnVersion3);
    expect(await screen.findByText(messages.VERSION_CONFLICT)).toBeVisible();
    const adopted =
      /^Changed by somebody else and updated here: (Priority, Tests|Tests, Priority)\.$/;
    expect(screen.getByText(adopted)).toBeVisible();
    for (const name of ['Thyroid', 'Count', 'Glucose']) {
      expect(screen.getByRole('button', { name: `Remove ${name}` })).toBeVisible();
    }
    const { version, body } = await save();
    expect(version).toBe('"5"');
    expect(body).toMatchObject({ priority: 'STAT' });
    expect(listTestIds(body)).toEqual([20, 22, 21]);
    // Untouched insurance is not sent.
    expect(body).not.toHaveProperty('billingInfo');
  });

  it('can be discarded for the newer version', async () => {
    const { user, requests } = await continueDraft(theirs, draftOnVersion3);
    await user.click(await screen.findByRole('button', { name: 'Use the newer version' }));
    expect(screen.queryByRole('button', { name: 'Remove Glucose' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Remove Count' })).toBeVisible();
    expect(listSaves(requests)).toEqual([]);
  });

  it('of an older format names fields that both may have changed', async () => {
    const { save } = await continueDraft(theirs, { version: 3, changed: ['tests'] });
    expect(await screen.findByText('Tests: TSH, CBC now, you entered TSH, GLU')).toBeVisible();
    expect(screen.getByText('Changed by somebody else and updated here: Priority.')).toBeVisible();
    const { version, body } = await save();
    expect(version).toBe('"5"');
    expect(listTestIds(body)).toEqual([20, 22]);
  });

  it('names the changes that a signature prevents', async () => {
    const signed = buildRequisition({ version: 5, hasSignature: true, tests: toWireTests([tsh]) });
    await continueDraft(signed, {
      ...draftOnVersion3,
      values: { ...values, comments: '<p>Mine</p>' },
      base: { ...draftOnVersion3.base, comments: '' },
    });
    expect(await screen.findByText(/^Tests: added /)).toBeVisible();
    expect(await findComments()).toHaveTextContent('Mine');
    expect(screen.queryByText('Glucose')).toBeNull();
  });
});

describe('A draft typed before its requisition was known to be saved', () => {
  it('is restored, and its differences from the saved version are named', async () => {
    const saved = buildRequisition({ version: 1, tests: toWireTests([tsh, cbc]) });
    const draftWithoutVersion = { version: null, base: { tests: [] } };
    const { save } = await continueDraft(saved, draftWithoutVersion);
    expect(await screen.findByText('Tests: TSH, CBC now, you entered TSH, GLU')).toBeVisible();
    const { version, body } = await save();
    expect(version).toBe('"1"');
    expect(listTestIds(body)).toEqual([20, 22]);
  });
});

describe('A draft of an unchanged requisition', () => {
  it('is restored without a notice', async () => {
    const { save } = await continueDraft(original, draftOnVersion3);
    await screen.findByRole('button', { name: 'Remove Glucose' });
    expect(screen.queryByText(messages.VERSION_CONFLICT)).toBeNull();
    const { version, body, draft } = await save();
    expect(version).toBe('"3"');
    expect(listTestIds(body)).toEqual([20, 22]);
    // The draft is deleted with the save.
    expect(draft).toBe(DRAFT);
  });
});

describe('A draft that cannot be stored', () => {
  it('is reported in a lasting line until it is stored', async () => {
    let isRefused = true;
    vi.spyOn(crypto, 'randomUUID').mockReturnValue(DRAFT);
    const { user, requests } = await renderForm({
      [`GET ${REQUISITION_PATH}`]: original,
      'GET /api/v2/requisitions/drafts': [],
      [`PUT /api/v2/requisitions/drafts/${DRAFT}`]: () =>
        isRefused ? buildProblem(404, 'not_found', messages.NOT_FOUND) : {},
    });
    const listStores = () =>
      requests.filter(({ method, path }) => method === 'PUT' && path.includes('/drafts/'));
    await enterComment(user, 'First');
    expect(await screen.findByText(messages.DRAFT_NOT_KEPT, {}, { timeout: 3000 })).toBeVisible();
    isRefused = false;
    await enterComment(user, 'Second');
    await waitFor(() => expect(listStores()).toHaveLength(2), { timeout: 3000 });
    await waitFor(() => expect(screen.queryByText(messages.DRAFT_NOT_KEPT)).toBeNull());
  });
});
