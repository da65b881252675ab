import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages, say } from '../../../contract';
import { buildPage, type Answers, type SentRequest } from '../../../test/portal';
import {
  completeOrder,
  enterComment,
  FORM,
  listSaves,
  orderTest,
  renderForm,
  REQUISITION_PATH,
} from '../../../test/requisitionForm';
import { buildRequisition, buildRequisitionRow } from '../../../test/requisitions';
import { getToday } from '../../../lib/dates';

const LIST = '/api/v2/requisitions/remote-operations';
const { patient } = buildRequisition();
const newRequisition = buildRequisition({ id: 13, code: 'R260000013' });

const renderNew = (answers: Answers = {}) => renderForm(answers, `${FORM};patientId=7`);
const getButton = (name: string) => screen.getByRole('button', { name });
const findQuestions = () => screen.findByRole('dialog', { name: messages.SAVE_QUESTIONS_TITLE });
const queryQuestions = () => screen.queryByRole('dialog', { name: messages.SAVE_QUESTIONS_TITLE });
const listCreations = (requests: readonly SentRequest[]) =>
  requests.filter(({ method, path }) => method === 'POST' && path === '/api/v2/requisitions');

describe('Questions before a save', () => {
  it('come in one dialog, and Save anyway saves once', async () => {
    const row = buildRequisitionRow({
      id: 9,
      code: 'R260000009',
      testCodes: ['TSH'],
      testIds: [20],
    });
    const { user, requests } = await renderNew({ [`GET ${LIST}`]: buildPage([row]) });
    await orderTest(user);
    await user.click(screen.getByRole('radio', { name: 'INSURANCE' }));
    await user.click(getButton('Save'));
    const dialog = await findQuestions();
    expect(
      within(dialog)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual([
      messages.SAVE_WITHOUT_PHYSICIAN,
      messages.SAVE_WITHOUT_INSURANCE,
      say(messages.SAVE_SAME_TESTS, { code: 'R260000009', tests: 'TSH' }),
    ]);
    const read = requests.findLast(({ path, query }) => path === LIST && query.has('startDate'));
    expect(Object.fromEntries(read?.query ?? [])).toMatchObject({
      patient: '7',
      startDate: getToday(),
      endDate: getToday(),
      status: '5',
    });
    expect(listCreations(requests)).toEqual([]);
    await user.dblClick(getButton('Save anyway'));
    await screen.findByRole('dialog', { name: 'Requisition Saved' });
    expect(queryQuestions()).toBeNull();
    expect(listCreations(requests)).toHaveLength(1);
  });

  it.each([
    ['01/01/1950', messages.REQUISITION_COLLECTION_DATE_BEFORE_BIRTH],
    ['01/01/2199', messages.REQUISITION_COLLECTION_DATE_TOO_LATE],
  ])('come after the errors of fields: %s is rejected first', async (day, message) => {
    const { user, requests } = await renderNew();
    await orderTest(user);
    const field = screen.getByRole('textbox', { name: /^Collection Date/ });
    await user.clear(field);
    await user.type(field, `${day}{Tab}`);
    expect(await screen.findByText(message)).toBeVisible();
    await user.click(getButton('Save'));
    await waitFor(() => expect(field).toHaveFocus());
    expect(field).toBeInvalid();
    expect(queryQuestions()).toBeNull();
    expect(requests.some(({ path, query }) => path === LIST && query.has('startDate'))).toBe(false);
    expect(listCreations(requests)).toEqual([]);
  });

  it('start with the focus on Go back, which Enter and Escape choose', async () => {
    const { user, requests } = await renderNew();
    await orderTest(user);
    for (const key of ['{Enter}', '{Escape}']) {
      await user.keyboard('{Control>}s{/Control}');
      await findQuestions();
      await waitFor(() => expect(getButton('Go back')).toHaveFocus());
      await user.keyboard(key);
      await waitFor(() => expect(queryQuestions()).toBeNull());
    }
    expect(listCreations(requests)).toEqual([]);
    expect(screen.getByRole('button', { name: 'Remove Thyroid' })).toBeVisible();
  });

  it('are not asked for a complete order', async () => {
    const { user, requests } = await renderNew();
    await completeOrder(user);
    await user.click(getButton('Save'));
    await screen.findByRole('dialog', { name: 'Requisition Saved' });
    expect(listCreations(requests)).toHaveLength(1);
  });

  it('are asked once, whether Save is pressed by key or button, or twice', async () => {
    const { user, requests } = await renderNew();
    await orderTest(user);
    await user.keyboard('{Control>}s{/Control}{Control>}s{/Control}');
    await user.click(getButton('Save'));
    await findQuestions();
    await user.click(getButton('Save anyway'));
    await screen.findByRole('dialog', { name: 'Requisition Saved' });
    expect(listCreations(requests)).toHaveLength(1);
  });

  it('are not repeated after a save that failed', async () => {
    let tries = 0;
    const { user, requests } = await renderNew({
      'POST /api/v2/requisitions': () => {
        if (++tries === 1) throw new TypeError('Failed to fetch');
        return newRequisition;
      },
      // The portal may have made the first save, so this row is not another requisition.
      [`GET ${LIST}`]: () => buildPage(tries === 0 ? [] : [buildRequisitionRow({ id: 13 })]),
    });
    await orderTest(user);
    await user.click(getButton('Save'));
    await user.click(await screen.findByRole('button', { name: 'Save anyway' }));
    await screen.findByText(messages.NO_CONNECTION);
    await user.click(getButton('Save'));
    await screen.findByRole('dialog', { name: 'Requisition Saved' });
    const [first, second] = listCreations(requests).map(({ headers }) =>
      headers.get('Idempotency-Key'),
    );
    expect(second).toBe(first);
  });

  it('leave out what the saved requisition already contains', async () => {
    const savedRequisition = buildRequisition({ billTo: 'Insurance' });
    const row = buildRequisitionRow({
      id: 9,
      code: 'R260000009',
      testCodes: ['TSH'],
      testIds: [20],
    });
    const { user, requests } = await renderForm({
      'GET /api/v2/requisitions/12': savedRequisition,
      'POST /api/v2/requisitions/12': { ...savedRequisition, version: 4, comments: '<p>Late</p>' },
      [`GET ${LIST}`]: buildPage([row, buildRequisitionRow({ testCodes: ['TSH'], testIds: [20] })]),
    });
    await enterComment(user, 'Late');
    await user.click(getButton('Save'));
    await screen.findByText(messages.REQUISITION_SAVED);
    expect(listSaves(requests)).toHaveLength(1);
  });

  it('come before signing unsaved edits too', async () => {
    const { user, requests } = await renderForm();
    const date = await screen.findByRole('textbox', { name: 'Collection Date' });
    await user.clear(date);
    await user.type(date, '01/02/2026');
    await user.click(getButton('Sign'));
    await findQuestions();
    await user.click(getButton('Go back'));
    await waitFor(() => expect(queryQuestions()).toBeNull());
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(listSaves(requests)).toEqual([]);
  });
});

describe('Questions before a signature', () => {
  const findDialog = () => screen.findByRole('dialog', { name: messages.SIGN_QUESTIONS_TITLE });

  it('name the missing physician and diagnosis, and the user can sign anyway', async () => {
    const { user } = await renderForm();
    await user.click(await screen.findByRole('button', { name: 'Sign' }));
    const questions = within(await findDialog())
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
    expect(questions).toEqual([messages.SAVE_WITHOUT_PHYSICIAN, messages.SIGN_WITHOUT_DIAGNOSIS]);
    await user.click(getButton('Go back'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await user.click(getButton('Sign'));
    await findDialog();
    await user.click(getButton('Sign anyway'));
    expect(await screen.findByRole('dialog', { name: 'Electronic Signature' })).toBeVisible();
  });

  it('do not ask people who cannot change what is missing', async () => {
    const { user } = await renderForm({
      [`GET ${REQUISITION_PATH}`]: buildRequisition({ status: 4 }),
    });
    await user.click(await screen.findByRole('button', { name: 'Sign' }));
    expect(await screen.findByRole('dialog', { name: 'Electronic Signature' })).toBeVisible();
  });
});

describe('A client that requires an ordering physician', () => {
  const strictPatient = {
    ...patient,
    client: patient.client && { ...patient.client, requiresPhysician: true },
  };

  it('gets an error instead of a question', async () => {
    const { user, requests } = await renderNew({ 'GET /api/v2/patients/7': strictPatient });
    await orderTest(user);
    await user.click(getButton('Save'));
    const picker = screen.getByRole('combobox', { name: /^Ordering Physician/ });
    await waitFor(() => expect(picker).toHaveAccessibleDescription(messages.PHYSICIAN_REQUIRED));
    expect(picker).toBeRequired();
    expect(picker).toHaveFocus();
    expect(queryQuestions()).toBeNull();
    expect(listCreations(requests)).toEqual([]);
    await user.click(screen.getByRole('checkbox', { name: 'Same as Primary Physician' }));
    await user.click(getButton('Save'));
    await screen.findByRole('dialog', { name: 'Requisition Saved' });
    expect(listCreations(requests)[0]?.body).toMatchObject({ physicianId: 3 });
  });

  it('can still change an older requisition without one', async () => {
    const older = buildRequisition({ patient: strictPatient });
    const { user, requests } = await renderForm({
      'GET /api/v2/requisitions/12': older,
      'POST /api/v2/requisitions/12': { ...older, version: 4, comments: '<p>Late</p>' },
    });
    await enterComment(user, 'Late');
    await user.click(getButton('Save'));
    await screen.findByText(messages.REQUISITION_SAVED);
    expect(listSaves(requests)).toHaveLength(1);
  });
});
