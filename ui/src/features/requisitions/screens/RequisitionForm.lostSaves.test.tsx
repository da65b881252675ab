import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages } from '../../../contract';
import { buildProblem, type Answers, type SentRequest } from '../../../test/portal';
import {
  enterComment,
  findComments,
  renderForm,
  FORM,
  REQUISITION_PATH,
  completeOrder,
  listSaves,
} from '../../../test/requisitionForm';
import { buildRequisition } from '../../../test/requisitions';

const ROOT = '/api/v2/requisitions';
const newRequisition = buildRequisition({ id: 13, code: 'R260000013', version: 1 });

const renderNew = (answers: Answers, path = `${FORM};patientId=7`) =>
  renderForm({ [`GET ${ROOT}/13`]: newRequisition, ...answers }, path);
type User = Awaited<ReturnType<typeof renderNew>>['user'];

/** Returns the answers one after another; an error is a broken connection. */
function answerInTurn(...answers: unknown[]) {
  const remaining = [...answers];
  return () => {
    const answer = remaining.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  };
}
const connectionError = new TypeError('Failed to fetch');

const save = (user: User) => user.click(screen.getByRole('button', { name: 'Save' }));
const getKey = ({ headers }: SentRequest) => headers.get('Idempotency-Key');
const listVersions = (sentRequests: readonly SentRequest[]) =>
  sentRequests.map(({ headers }) => headers.get('If-Match'));
const listPosts = (requests: readonly SentRequest[], path: string) =>
  requests.filter((request) => request.method === 'POST' && request.path === path);

describe('A new requisition whose save got no answer', () => {
  it.each([
    ['the connection broke', connectionError, messages.NO_CONNECTION],
    ['a proxy answered', new Response('', { status: 502 }), messages.CRITICAL_ERROR],
  ])('is created once and then updated with later edits: %s', async (_, lostAnswer, message) => {
    const { user, requests, router } = await renderNew({
      [`POST ${ROOT}`]: answerInTurn(lostAnswer, newRequisition),
      [`POST ${ROOT}/13`]: { ...newRequisition, version: 2, comments: '<p>Late</p>' },
    });
    await completeOrder(user);
    await save(user);
    expect(await screen.findByText(message)).toBeVisible();
    await enterComment(user, 'Late');
    await save(user);
    await screen.findByRole('dialog', { name: 'Requisition Saved' });
    const [first, repeatedRequest, ...others] = listPosts(requests, ROOT);
    expect(others).toEqual([]);
    if (!first || !repeatedRequest) throw new Error('two attempts are expected');
    expect(getKey(repeatedRequest)).toBe(getKey(first));
    expect(repeatedRequest.body).toEqual(first.body);
    const changes = listPosts(requests, `${ROOT}/13`);
    expect(listVersions(changes)).toEqual(['"1"']);
    expect(changes[0]?.body).toMatchObject({ comments: '<p>Late</p>' });
    expect(router.state.location.pathname).toBe(`${FORM};id=13`);
    expect(await findComments()).toHaveTextContent('Late');
  });

  it('is neither duplicated nor lost while there is still no answer', async () => {
    const { user, requests } = await renderNew({
      [`POST ${ROOT}`]: answerInTurn(connectionError, connectionError, newRequisition),
    });
    await completeOrder(user);
    await save(user);
    await screen.findByText(messages.NO_CONNECTION);
    await save(user);
    await waitFor(() => expect(listPosts(requests, ROOT)).toHaveLength(2));
    await save(user);
    await screen.findByRole('dialog', { name: 'Requisition Saved' });
    expect(new Set(listPosts(requests, ROOT).map(getKey)).size).toBe(1);
    expect(listPosts(requests, `${ROOT}/13`)).toEqual([]);
  });

  it('continues at its own address even if later edits cannot be saved yet', async () => {
    const { user, requests, router } = await renderNew({
      [`POST ${ROOT}`]: answerInTurn(connectionError, newRequisition),
      [`POST ${ROOT}/13`]: answerInTurn(buildProblem(503, 'unavailable', ''), {
        ...newRequisition,
        version: 2,
      }),
    });
    await completeOrder(user);
    await save(user);
    await screen.findByText(messages.NO_CONNECTION);
    await enterComment(user, 'Late');
    await save(user);
    expect(await screen.findByText(messages.UNAVAILABLE)).toBeVisible();
    await waitFor(() => expect(router.state.location.pathname).toBe(`${FORM};id=13`));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(await findComments()).toHaveTextContent('Late');
    await save(user);
    await screen.findByText(messages.REQUISITION_SAVED);
    expect(listPosts(requests, ROOT)).toHaveLength(2);
    expect(listVersions(listPosts(requests, `${ROOT}/13`))).toEqual(['"1"', '"1"']);
  });
});

describe('A change whose save got no answer', () => {
  const createSaved = (version: number, text: string) =>
    buildRequisition({ version, comments: `<p>${text}</p>` });

  /**
   * Returns the requests of a save without an answer and of the next save; `answers` are those of
   * the later requests.
   */
  async function saveTwice(...answers: unknown[]): Promise<SentRequest[]> {
    const { user, requests } = await renderNew(
      { [`POST ${REQUISITION_PATH}`]: answerInTurn(connectionError, ...answers) },
      `${FORM};id=12`,
    );
    await enterComment(user, 'One');
    await save(user);
    await screen.findByText(messages.NO_CONNECTION);
    await enterComment(user, 'Two');
    await save(user);
    await screen.findByText(messages.REQUISITION_SAVED);
    return listSaves(requests);
  }

  it('does not conflict with later edits', async () => {
    const [first, repeatedRequest, lastRequest] = await saveTwice(
      createSaved(4, 'One'),
      createSaved(5, 'OneTwo'),
    );
    if (!first || !repeatedRequest || !lastRequest) throw new Error('three attempts are expected');
    expect(repeatedRequest.body).toEqual(first.body);
    expect(getKey(repeatedRequest)).toBe(getKey(first));
    expect(getKey(lastRequest)).not.toBe(getKey(first));
    expect(listVersions([first, repeatedRequest, lastRequest])).toEqual(['"3"', '"3"', '"4"']);
    expect(screen.queryByText(messages.VERSION_CONFLICT)).toBeNull();
  });

  it('is dropped if the portal rejects it, and the current values are saved', async () => {
    const [first, , lastRequest] = await saveTwice(
      buildProblem(400, 'bad_input', ''),
      createSaved(4, 'OneTwo'),
    );
    if (!first || !lastRequest) throw new Error('three attempts are expected');
    expect(getKey(lastRequest)).not.toBe(getKey(first));
    expect(listVersions([lastRequest])).toEqual(['"3"']);
  });
});

describe('Saving again before a new requisition is at its address', () => {
  it('creates no second requisition', async () => {
    let respond: (answer: unknown) => void = () => undefined;
    const { user, requests, router } = await renderNew({
      [`POST ${ROOT}`]: () => new Promise((resolve) => (respond = resolve)),
      [`POST ${ROOT}/13`]: { ...newRequisition, version: 2 },
    });
    await completeOrder(user);
    await save(user);
    await waitFor(() => expect(listPosts(requests, ROOT)).toHaveLength(1));
    // Click as soon as the button is enabled again.
    const button = screen.getByRole('button', { name: 'Save' });
    let clicks = 0;
    const observer = new MutationObserver(() => {
      if (clicks > 0 || button.hasAttribute('disabled')) return;
      clicks += 1;
      button.click();
    });
    observer.observe(document.body, { subtree: true, attributes: true, childList: true });
    respond(newRequisition);
    await waitFor(() => expect(clicks).toBe(1));
    await waitFor(() => expect(router.state.location.pathname).toBe(`${FORM};id=13`));
    await screen.findByRole('dialog', { name: 'Requisition Saved' });
    observer.disconnect();
    expect(listPosts(requests, ROOT)).toHaveLength(1);
  });
});
