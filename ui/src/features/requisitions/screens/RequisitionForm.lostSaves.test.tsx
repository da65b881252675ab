import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages } from '../../../contract';
import { problem, type Answers, type Seen } from '../../../test/portal';
import {
  comment,
  comments,
  drawForm,
  FORM,
  ONE,
  orderTest,
  saves,
} from '../../../test/requisitionForm';
import { requisition } from '../../../test/requisitions';

const ROOT = '/api/v2/requisitions';
const created = requisition({ id: 13, code: 'R260000013', version: 1 });

const draw = (answers: Answers, path = `${FORM};patientId=7`) =>
  drawForm({ [`GET ${ROOT}/13`]: created, ...answers }, path);
type User = Awaited<ReturnType<typeof draw>>['user'];

/** One answer after the other; an error is a connection that broke. */
function inTurn(...answers: unknown[]) {
  const left = [...answers];
  return () => {
    const answer = left.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  };
}
const broken = new TypeError('Failed to fetch');

const save = (user: User) => user.click(screen.getByRole('button', { name: 'Save' }));
const keyOf = ({ headers }: Seen) => headers.get('Idempotency-Key');
const versions = (sent: readonly Seen[]) => sent.map(({ headers }) => headers.get('If-Match'));
const posts = (seen: readonly Seen[], path: string) =>
  seen.filter((one) => one.method === 'POST' && one.path === path);

describe('A new requisition whose save got no answer', () => {
  it.each([
    ['the connection broke', broken, messages.NO_CONNECTION],
    ['a proxy answered', new Response('', { status: 502 }), messages.CRITICAL_ERROR],
  ])('is made once, with what was typed since on top: %s', async (_, lost, said) => {
    const { user, seen, router } = await draw({
      [`POST ${ROOT}`]: inTurn(lost, created),
      [`POST ${ROOT}/13`]: { ...created, version: 2, comments: '<p>Late</p>' },
    });
    await orderTest(user);
    await save(user);
    expect(await screen.findByText(said)).toBeVisible();
    await comment(user, 'Late');
    await save(user);
    await screen.findByRole('dialog', { name: 'Requisition Saved' });
    const [first, again, ...more] = posts(seen, ROOT);
    expect(more).toEqual([]);
    if (!first || !again) throw new Error('two tries are expected');
    expect(keyOf(again)).toBe(keyOf(first));
    expect(again.body).toEqual(first.body);
    const changes = posts(seen, `${ROOT}/13`);
    expect(versions(changes)).toEqual(['"1"']);
    expect(changes[0]?.body).toMatchObject({ comments: '<p>Late</p>' });
    expect(router.state.location.pathname).toBe(`${FORM};id=13`);
    expect(await comments()).toHaveTextContent('Late');
  });

  it('is neither made anew nor lost while there is still no answer', async () => {
    const { user, seen } = await draw({ [`POST ${ROOT}`]: inTurn(broken, broken, created) });
    await orderTest(user);
    await save(user);
    await screen.findByText(messages.NO_CONNECTION);
    await save(user);
    await waitFor(() => expect(posts(seen, ROOT)).toHaveLength(2));
    await save(user);
    await screen.findByRole('dialog', { name: 'Requisition Saved' });
    expect(new Set(posts(seen, ROOT).map(keyOf)).size).toBe(1);
    expect(posts(seen, `${ROOT}/13`)).toEqual([]);
  });

  it('goes on at its own address even when what was typed since can not be saved yet', async () => {
    const { user, seen, router } = await draw({
      [`POST ${ROOT}`]: inTurn(broken, created),
      [`POST ${ROOT}/13`]: inTurn(problem(503, 'unavailable', ''), { ...created, version: 2 }),
    });
    await orderTest(user);
    await save(user);
    await screen.findByText(messages.NO_CONNECTION);
    await comment(user, 'Late');
    await save(user);
    expect(await screen.findByText(messages.UNAVAILABLE)).toBeVisible();
    await waitFor(() => expect(router.state.location.pathname).toBe(`${FORM};id=13`));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(await comments()).toHaveTextContent('Late');
    await save(user);
    await screen.findByText(messages.REQUISITION_SAVED);
    expect(posts(seen, ROOT)).toHaveLength(2);
    expect(versions(posts(seen, `${ROOT}/13`))).toEqual(['"1"', '"1"']);
  });
});

describe('A change whose save got no answer', () => {
  const saved = (version: number, words: string) =>
    requisition({ version, comments: `<p>${words}</p>` });

  /** The writes of a save that got no answer and of the one after it; `answers` are the later ones. */
  async function savedTwice(...answers: unknown[]): Promise<Seen[]> {
    const { user, seen } = await draw(
      { [`POST ${ONE}`]: inTurn(broken, ...answers) },
      `${FORM};id=12`,
    );
    await comment(user, 'One');
    await save(user);
    await screen.findByText(messages.NO_CONNECTION);
    await comment(user, 'Two');
    await save(user);
    await screen.findByText(messages.REQUISITION_SAVED);
    return saves(seen);
  }

  it('is no conflict with what the person typed since', async () => {
    const [first, again, last] = await savedTwice(saved(4, 'One'), saved(5, 'OneTwo'));
    if (!first || !again || !last) throw new Error('three tries are expected');
    expect(again.body).toEqual(first.body);
    expect(keyOf(again)).toBe(keyOf(first));
    expect(keyOf(last)).not.toBe(keyOf(first));
    expect(versions([first, again, last])).toEqual(['"3"', '"3"', '"4"']);
    expect(screen.queryByText(messages.VERSION_CONFLICT)).toBeNull();
  });

  it('is forgotten when the portal refuses it, and what the form holds now is tried', async () => {
    const [first, , last] = await savedTwice(problem(400, 'bad_input', ''), saved(4, 'OneTwo'));
    if (!first || !last) throw new Error('three tries are expected');
    expect(keyOf(last)).not.toBe(keyOf(first));
    expect(versions([last])).toEqual(['"3"']);
  });
});

describe('Save, pressed again before a new requisition is at its address', () => {
  it('makes no second one', async () => {
    let come: (answer: unknown) => void = () => undefined;
    const { user, seen, router } = await draw({
      [`POST ${ROOT}`]: () => new Promise((resolve) => (come = resolve)),
      [`POST ${ROOT}/13`]: { ...created, version: 2 },
    });
    await orderTest(user);
    await save(user);
    await waitFor(() => expect(posts(seen, ROOT)).toHaveLength(1));
    // As soon as the screen takes it again.
    const button = screen.getByRole('button', { name: 'Save' });
    let pressed = 0;
    const watch = new MutationObserver(() => {
      if (pressed > 0 || button.hasAttribute('disabled')) return;
      pressed += 1;
      button.click();
    });
    watch.observe(document.body, { subtree: true, attributes: true, childList: true });
    come(created);
    await waitFor(() => expect(pressed).toBe(1));
    await waitFor(() => expect(router.state.location.pathname).toBe(`${FORM};id=13`));
    await screen.findByRole('dialog', { name: 'Requisition Saved' });
    watch.disconnect();
    expect(posts(seen, ROOT)).toHaveLength(1);
  });
});
