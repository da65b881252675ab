import { act, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';

import { messages } from '../../../contract';
import { buildProblem, type SentRequest } from '../../../test/portal';
import { capabilities } from '../../../test/render';
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

/** Returns the draft as the portal does: with object keys in another order. */
const reorderKeys = (content: object): unknown =>
  JSON.parse(JSON.stringify(content), (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).reverse())
      : part,
  );

const PATH = '/api/v2/requisitions/drafts';

/** Opens the requisition with an abandoned draft. */
const openWithDraft = (current: Requisition, content: object) =>
  renderForm({
    [`GET ${REQUISITION_PATH}`]: current,
    [`GET ${PATH}`]: [
      {
        id: DRAFT,
        savedAt: '2026-03-27T09:00:00+00:00',
        content: reorderKeys({ format: 2, values, ...content }),
      },
    ],
    [`DELETE ${PATH}/${DRAFT}`]: null,
    [`POST ${REQUISITION_PATH}`]: { ...current, version: current.version + 1 },
  });
async function continueDraft(current: Requisition, content: object) {
  const view = await openWithDraft(current, content);
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
    // The message names nobody: the same person may have saved it.
    expect(await screen.findByText(messages.VERSION_AFTER_DRAFT)).toBeVisible();
    expect(screen.queryByText(/somebody else/i)).toBeNull();
    expect(screen.getByText(messages.VERSION_CONFLICT_SAVE)).toBeVisible();
    const adoptedText =
      /^Changed since your draft and updated here: (Priority, Tests|Tests, Priority)\.$/;
    expect(screen.getByText(adoptedText)).toBeVisible();
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
    expect(screen.getByText('Changed since your draft and updated here: Priority.')).toBeVisible();
    const { version, body } = await save();
    expect(version).toBe('"5"');
    expect(listTestIds(body)).toEqual([20, 22]);
  });

  it('names the changes that a signature prevents', async () => {
    const signedRequisition = buildRequisition({
      version: 5,
      hasSignature: true,
      tests: toWireTests([tsh]),
    });
    await continueDraft(signedRequisition, {
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
    const savedRequisition = buildRequisition({ version: 1, tests: toWireTests([tsh, cbc]) });
    const draftWithoutVersion = { version: null, base: { tests: [] } };
    const { save } = await continueDraft(savedRequisition, draftWithoutVersion);
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
    expect(screen.queryByText(messages.VERSION_AFTER_DRAFT)).toBeNull();
    const { version, body, draft } = await save();
    expect(version).toBe('"3"');
    expect(listTestIds(body)).toEqual([20, 22]);
    // The draft is deleted with the save.
    expect(draft).toBe(DRAFT);
  });
});

const offer = /You have an unsaved draft/;
const listDeletes = ({ requests }: Awaited<ReturnType<typeof openWithDraft>>) =>
  requests.filter(({ method, path }) => method === 'DELETE' && path.endsWith(DRAFT));

describe('An abandoned draft', () => {
  it('is deleted when the requisition contains its edits', async () => {
    const savedRequisition = buildRequisition({ version: 5, tests: toWireTests([tsh, glu, cbc]) });
    const view = await openWithDraft(savedRequisition, draftOnVersion3);
    await waitFor(() => expect(listDeletes(view)).toHaveLength(1));
    expect(screen.queryByText(offer)).toBeNull();
  });

  it('is neither offered nor deleted while a signature locks what it changes', async () => {
    const signedRequisition = buildRequisition({
      version: 5,
      hasSignature: true,
      tests: toWireTests([tsh]),
    });
    const view = await openWithDraft(signedRequisition, draftOnVersion3);
    await findComments();
    await waitFor(() => expect(view.requests.some(({ path }) => path === PATH)).toBe(true));
    expect(screen.queryByText(offer)).toBeNull();
    expect(listDeletes(view)).toEqual([]);
  });

  it('says that it is older than the requisition, and what it would change now', async () => {
    const savedRequisition = buildRequisition({ version: 5, tests: toWireTests([tsh, cbc]) });
    await openWithDraft(savedRequisition, draftOnVersion3);
    const text = await screen.findByText(offer);
    expect(text).toHaveTextContent('older than the saved requisition. Tests: added GLU');
  });

  it('that was ignored is not offered again after a save', async () => {
    const view = await openWithDraft(original, draftOnVersion3);
    await screen.findByText(offer);
    await enterComment(view.user, 'Something else');
    await view.user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText(messages.REQUISITION_SAVED);
    expect(screen.queryByText(offer)).toBeNull();
    expect(listDeletes(view)).toEqual([]);
  });
});

describe('A draft that cannot be stored', () => {
  const listStores = (requests: readonly SentRequest[]) =>
    requests.filter(({ method, path }) => method === 'PUT' && path.includes('/drafts/'));

  it('is reported in a lasting line until it is stored', async () => {
    let isRejected = true;
    vi.spyOn(crypto, 'randomUUID').mockReturnValue(DRAFT);
    const { user, requests } = await renderForm({
      [`GET ${REQUISITION_PATH}`]: original,
      'GET /api/v2/requisitions/drafts': [],
      [`PUT /api/v2/requisitions/drafts/${DRAFT}`]: () =>
        isRejected ? buildProblem(404, 'not_found', messages.NOT_FOUND) : {},
    });
    await enterComment(user, 'First');
    expect(await screen.findByText(messages.DRAFT_NOT_KEPT, {}, { timeout: 3000 })).toBeVisible();
    isRejected = false;
    await enterComment(user, 'Second');
    await waitFor(() => expect(listStores(requests)).toHaveLength(2), { timeout: 3000 });
    await waitFor(() => expect(screen.queryByText(messages.DRAFT_NOT_KEPT)).toBeNull());
  });

  it('is stored as soon as the portal is back', async () => {
    let isLost = true;
    const failToFetch = () => Promise.reject(new TypeError('Failed to fetch'));
    vi.spyOn(crypto, 'randomUUID').mockReturnValue(DRAFT);
    const { user, requests } = await renderForm({
      [`GET ${REQUISITION_PATH}`]: original,
      'GET /capabilities': () => (isLost ? failToFetch() : capabilities),
      'GET /api/v2/requisitions/drafts': [],
      [`PUT /api/v2/requisitions/drafts/${DRAFT}`]: () => (isLost ? failToFetch() : {}),
    });
    await enterComment(user, 'Written on the way');
    expect(await screen.findByText(messages.DRAFT_NOT_KEPT, {}, { timeout: 3000 })).toBeVisible();
    const countBefore = listStores(requests).length;
    isLost = false;
    act(() => void window.dispatchEvent(new Event('online')));
    await waitFor(() => expect(listStores(requests)).toHaveLength(countBefore + 1), {
      timeout: 3000,
    });
    await waitFor(() => expect(screen.queryByText(messages.DRAFT_NOT_KEPT)).toBeNull());
  });
});

describe('A draft', () => {
  const draftValues = { ...toFormValues(buildRequisition()), comments: '<p>half a sentence</p>' };
  const storedDraft = {
    id: DRAFT,
    savedAt: '2026-03-09T14:05:00+00:00',
    content: { format: 2, values: draftValues, version: 2, base: { comments: '' } },
  };

  it('is stored on the portal shortly after typing', async () => {
    const { user, requests } = await renderForm();
    await enterComment(user, 'Call');
    await waitFor(
      () => {
        const putRequest = requests.find(({ method }) => method === 'PUT');
        expect(putRequest?.path).toMatch(`${PATH}/`);
        expect(putRequest?.body).toMatchObject({
          requisitionId: 12,
          content: { version: 3, base: { comments: '' }, values: { comments: '<p>Call</p>' } },
        });
      },
      { timeout: 3000 },
    );
  });

  it('is offered, restored, and saved on the version it was applied to', async () => {
    const { user, requests } = await renderForm({
      [`GET ${PATH}`]: [storedDraft],
      [`POST ${REQUISITION_PATH}`]: buildRequisition({ version: 4 }),
      [`DELETE ${PATH}/${DRAFT}`]: null,
    });
    expect(await screen.findByText(offer)).toHaveTextContent('Comments: half a sentence');
    await user.click(screen.getByRole('button', { name: 'Continue with it' }));
    expect(await findComments()).toHaveTextContent('half a sentence');
    expect(screen.queryByText(offer)).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText(messages.REQUISITION_SAVED)).toBeVisible();
    const write = requests.find(
      ({ method, path }) => method === 'POST' && path === REQUISITION_PATH,
    );
    expect(write?.headers.get('If-Match')).toBe('"3"');
    await waitFor(() => {
      expect(requests.some(({ method, path }) => method === 'DELETE' && path.endsWith(DRAFT))).toBe(
        true,
      );
    });
  });

  it('is merged field by field with other changes', async () => {
    const routineValues = { ...draftValues, priority: 'ROUTINE' };
    const content = { format: 2, values: routineValues, version: 2, changed: ['comments'] };
    const { user, requests } = await renderForm({
      [`GET ${REQUISITION_PATH}`]: buildRequisition({ priority: 'STAT' }),
      [`GET ${PATH}`]: [{ ...storedDraft, content }],
      [`POST ${REQUISITION_PATH}`]: buildRequisition({ version: 4 }),
    });
    await user.click(await screen.findByRole('button', { name: 'Continue with it' }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText(messages.REQUISITION_SAVED);
    const write = requests.find(
      ({ method, path }) => method === 'POST' && path === REQUISITION_PATH,
    );
    expect(write?.body).toMatchObject({
      priority: 'STAT',
      comments: '<p>half a sentence</p>',
    });
  });

  it('of an older format is restored, and fields that it lacks are kept', async () => {
    const { billing, ...olderValues } = { ...draftValues, comments: '3 < 4' };
    const content = { format: 1, values: olderValues, version: 3 };
    const { user, requests } = await renderForm({
      [`GET ${PATH}`]: [{ ...storedDraft, content }],
      [`POST ${REQUISITION_PATH}`]: buildRequisition({ version: 4 }),
    });
    await user.click(await screen.findByRole('button', { name: 'Continue with it' }));
    expect(billing).toEqual([]);
    expect(await findComments()).toHaveTextContent('3 < 4');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText(messages.REQUISITION_SAVED);
    const write = requests.find(
      ({ method, path }) => method === 'POST' && path === REQUISITION_PATH,
    );
    expect(write?.body).toMatchObject({ comments: '<p>3 &lt; 4</p>' });
    expect(write?.body).not.toHaveProperty('billingInfo');
  });

  it('of an unknown format is not offered', async () => {
    await renderForm({
      [`GET ${PATH}`]: [{ ...storedDraft, content: { format: 99, values: draftValues } }],
    });
    await findComments();
    expect(screen.queryByText(offer)).not.toBeInTheDocument();
  });

  it('is deleted when the user discards it', async () => {
    const { user, requests } = await renderForm({ [`GET ${PATH}`]: [storedDraft] });
    await user.click(await screen.findByRole('button', { name: 'Discard' }));
    expect(screen.queryByText(offer)).not.toBeInTheDocument();
    expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
    expect(await findComments()).toHaveTextContent('');
    await waitFor(() => {
      expect(requests.some(({ method }) => method === 'DELETE')).toBe(true);
    });
  });
});
