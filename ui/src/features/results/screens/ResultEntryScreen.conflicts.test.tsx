import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages, ResultStatus, say } from '../../../contract';
import { buildProblem } from '../../../test/portal';
import {
  buildResultEntry,
  entered,
  findResult,
  getButton,
  renderEntry,
  RESULT_ENTRY_PATH,
} from '../../../test/resultEntry';
import type { EntryRow, ResultEntry } from '../clinical/api';

describe('Two users entering results of one order', () => {
  const createConflict = () => buildProblem(412, 'stale_version', messages.VERSION_STALE);

  /** Renders an entry form that is saved after somebody else has saved. */
  async function renderStale(newerEntry: ResultEntry) {
    let [reads, saves] = [0, 0];
    return renderEntry({
      [`GET ${RESULT_ENTRY_PATH}`]: () => (++reads === 1 ? buildResultEntry() : newerEntry),
      [`PUT ${RESULT_ENTRY_PATH}`]: () =>
        ++saves === 1
          ? createConflict()
          : buildResultEntry([{ result: '7', ...entered }, newerEntry.rows[1] ?? {}], 5),
    });
  }
  const theirs = buildResultEntry(
    [
      { result: '250', ...entered },
      { result: '85', ...entered },
    ],
    4,
  );
  const conflictLine = 'PLATELETS: 250 now, entered by Una User; you typed 7';

  it('see what both changed, and must decide before saving', async () => {
    const { user, listSaves } = await renderStale(theirs);
    await user.type(await findResult('PLATELETS'), '7');
    await user.click(getButton('Save'));
    expect(await screen.findByText(conflictLine)).toBeVisible();
    expect(await findResult('PLATELETS')).toHaveValue('7');
    // A result that only the other user entered is simply shown.
    expect(await findResult('GLUCOSE')).toHaveValue('85');
    expect(screen.queryByText(/GLUCOSE: /)).toBeNull();
    expect(screen.getByText(messages.VERSION_CONFLICT_CHOICE)).toBeVisible();
    expect(getButton('Save')).toBeDisabled();
    expect(getButton('Save')).toHaveAccessibleDescription(messages.RESULTS_IN_CONFLICT);
    expect(getButton(/Release/)).toBeDisabled();
    await user.click(getButton('Keep my changes'));
    expect(screen.queryByText(conflictLine)).toBeNull();
    await user.click(getButton('Save'));
    expect(await screen.findByText(messages.RESULTS_SAVED)).toBeVisible();
    expect(listSaves().map(({ body, headers }) => [body, headers.get('If-Match')])).toEqual([
      [{ results: [{ orderTestId: 1, result: '7', comment: null }] }, '"3"'],
      [{ results: [{ orderTestId: 1, result: '7', comment: null }] }, '"4"'],
    ]);
  });

  it('can continue with the newer version', async () => {
    const { user, listSaves } = await renderStale(theirs);
    await user.type(await findResult('PLATELETS'), '7');
    await user.click(getButton('Save'));
    await screen.findByText(conflictLine);
    await user.click(getButton('Use the newer version'));
    expect(await findResult('PLATELETS')).toHaveValue('250');
    expect(getButton('Save')).toBeDisabled();
    expect(getButton('Release 2')).toBeEnabled();
    expect(listSaves()).toHaveLength(1);
  });

  it('see no comparison if they entered the same', async () => {
    const { user } = await renderStale(theirs);
    await user.type(await findResult('PLATELETS'), '250');
    await user.click(getButton('Save'));
    expect(await screen.findByText(messages.VERSION_CONFLICT)).toBeVisible();
    expect(screen.queryByText(/you typed/)).toBeNull();
    expect(screen.queryByRole('button', { name: 'Keep my changes' })).toBeNull();
  });

  it('see a conflict between a comment and a result of one test', async () => {
    const { user } = await renderStale(buildResultEntry([{}, { comment: 'Hemolyzed' }], 4));
    await user.type(await findResult('GLUCOSE'), '85');
    await user.click(getButton('Save'));
    expect(
      await screen.findByText(/GLUCOSE: the comment 'Hemolyzed' now, you typed 85/),
    ).toBeVisible();
  });

  it('are also asked if the order was reloaded while typing', async () => {
    const { user, requests, listSaves, queries } = await renderStale(theirs);
    const field = await findResult('PLATELETS');
    await user.type(field, '7');
    void queries.invalidateQueries();
    const listReads = () =>
      requests.filter(({ method, path }) => method === 'GET' && path === RESULT_ENTRY_PATH);
    await waitFor(() => expect(listReads()).toHaveLength(2));
    await user.click(getButton('Save'));
    expect(await screen.findByText(conflictLine)).toBeVisible();
    expect(listSaves()[0]?.headers.get('If-Match')).toBe('"3"');
  });

  it('read what they typed if the order was canceled meanwhile', async () => {
    const reason = 'Order L260000012 is CANCELED and cannot be changed';
    const { user } = await renderStale({
      ...buildResultEntry([], 4),
      canEnterResults: { allowed: false, reason },
    });
    await user.type(await findResult('PLATELETS'), '7');
    await user.click(getButton('Save'));
    const notice = await screen.findByRole('alert');
    expect(notice).toHaveTextContent(messages.ENTRY_CLOSED);
    expect(within(notice).getByText('PLATELETS: 7')).toBeVisible();
    expect(notice).not.toHaveTextContent(messages.VERSION_CONFLICT_SAVE);
    expect(getButton('Save')).toBeDisabled();
  });

  it('can delete what they typed for a test that was canceled meanwhile', async () => {
    const canceledEntry = buildResultEntry([{ status: ResultStatus.CANCELED }], 4);
    const { user, listSaves } = await renderStale(canceledEntry);
    await user.type(await findResult('PLATELETS'), '7');
    await user.type(await findResult('GLUCOSE'), '85');
    await user.click(getButton('Save'));
    await user.click(await screen.findByRole('button', { name: 'Keep my changes' }));
    await user.clear(await findResult('PLATELETS'));
    await user.type(await findResult('PLATELETS'), '8');
    expect(await findResult('PLATELETS')).toHaveValue('');
    await user.click(getButton('Save'));
    expect(await screen.findByText(messages.RESULTS_SAVED)).toBeVisible();
    expect(listSaves()[1]?.body).toEqual({
      results: [{ orderTestId: 2, result: '85', comment: null }],
    });
  });

  it('lose nothing if the newer version cannot be loaded', async () => {
    let reads = 0;
    const { user } = await renderEntry({
      [`GET ${RESULT_ENTRY_PATH}`]: () =>
        ++reads === 1 ? buildResultEntry() : buildProblem(503, 'unavailable', ''),
      [`PUT ${RESULT_ENTRY_PATH}`]: createConflict,
    });
    await user.type(await findResult('PLATELETS'), '7');
    await user.click(getButton('Save'));
    expect(
      await screen.findByText(`${messages.VERSION_STALE} ${messages.UNAVAILABLE}`),
    ).toBeVisible();
    expect(await findResult('PLATELETS')).toHaveValue('7');
  });
});

describe('A release that comes too late', () => {
  const shownEntry = buildResultEntry([{ result: '250', ...entered }]);

  /** Releases the shown results after somebody else has saved a newer entry. */
  async function releaseAfter(newerEntry: ResultEntry) {
    let reads = 0;
    const { user } = await renderEntry({
      [`GET ${RESULT_ENTRY_PATH}`]: () => (++reads === 1 ? shownEntry : newerEntry),
      'POST /api/v2/orders/12/release': buildProblem(412, 'stale_version', messages.VERSION_STALE),
    });
    await user.click(getButton('Release 1'));
    const dialog = await screen.findByRole('dialog', { name: 'Release results' });
    await user.click(within(dialog).getByRole('button', { name: 'Release' }));
  }

  it('says who released the results first', async () => {
    const row = { result: '250', status: ResultStatus.FINAL, releasedBy: 'Lee Bench' };
    await releaseAfter(buildResultEntry([row], 4));
    const message = say(messages.RELEASED_FIRST, { name: 'Lee Bench' });
    expect(await screen.findByText(message)).toBeVisible();
    expect(screen.queryByText(messages.VERSION_CONFLICT)).toBeNull();
  });

  it('says that nothing was done, if the order changed in another way', async () => {
    await releaseAfter(buildResultEntry([{ result: '251', ...entered }], 4));
    expect(await screen.findByText(messages.ORDER_CHANGED_FIRST)).toBeVisible();
    expect(await findResult('PLATELETS')).toHaveValue('251');
    expect(getButton('Release 1')).toBeDisabled();
  });
});

describe('A save that got no answer', () => {
  const throwConnectionError = () => {
    throw new TypeError('Failed to fetch');
  };
  const createSaved = (platelets: string, version: number, moreRows: Partial<EntryRow>[] = []) =>
    buildResultEntry([{ result: platelets, ...entered }, ...moreRows], version);
  const getKey = ({ headers }: { headers: Headers }) => headers.get('Idempotency-Key');

  it('is repeated unchanged, without a conflict', async () => {
    let attempts = 0;
    const { user, listSaves } = await renderEntry({
      [`PUT ${RESULT_ENTRY_PATH}`]: () =>
        ++attempts === 1 ? throwConnectionError() : createSaved('7', 4),
    });
    await user.type(await findResult('PLATELETS'), '7');
    await user.click(getButton('Save'));
    expect(await screen.findByText(messages.NO_CONNECTION)).toBeVisible();
    await user.click(getButton('Save'));
    expect(await screen.findByText(messages.RESULTS_SAVED)).toBeVisible();
    const [first, second] = listSaves();
    expect(second?.body).toEqual(first?.body);
    expect(second && getKey(second)).toBe(first && getKey(first));
    expect(getButton('Save')).toBeDisabled();
    expect(screen.queryByText(messages.VERSION_CONFLICT)).toBeNull();
  });

  it('is repeated before later edits are saved', async () => {
    const answers = [
      throwConnectionError,
      () => createSaved('7', 4),
      () => createSaved('7', 5, [{ result: '85' }]),
    ];
    const { user, listSaves } = await renderEntry({
      [`PUT ${RESULT_ENTRY_PATH}`]: () => answers.shift()?.(),
    });
    await user.type(await findResult('PLATELETS'), '7');
    await user.click(getButton('Save'));
    await screen.findByText(messages.NO_CONNECTION);
    await user.type(await findResult('GLUCOSE'), '85');
    await user.click(getButton('Save'));
    expect(await screen.findByText(messages.RESULTS_SAVED)).toBeVisible();
    const [first, second, third] = listSaves();
    expect([first, second, third].map((save) => save?.headers.get('If-Match'))).toEqual([
      '"3"',
      '"3"',
      '"4"',
    ]);
    expect(second?.body).toEqual(first?.body);
    expect(third?.body).toEqual({ results: [{ orderTestId: 2, result: '85', comment: null }] });
    expect(third && getKey(third)).not.toBe(first && getKey(first));
  });

  it('is repeated even if its edits were reverted', async () => {
    let attempts = 0;
    const { user, listSaves } = await renderEntry({
      [`PUT ${RESULT_ENTRY_PATH}`]: () =>
        ++attempts === 1
          ? throwConnectionError()
          : createSaved(attempts === 2 ? '7' : '', 2 + attempts),
    });
    const field = await findResult('PLATELETS');
    await user.type(field, '7');
    await user.click(getButton('Save'));
    await screen.findByText(messages.NO_CONNECTION);
    await user.clear(field);
    await user.click(getButton('Save'));
    expect(await screen.findByText(messages.RESULTS_SAVED)).toBeVisible();
    expect(listSaves().map(({ body }) => body)).toMatchObject([
      { results: [{ result: '7' }] },
      { results: [{ result: '7' }] },
      { results: [{ result: null }] },
    ]);
  });

  it('is followed by the current values if it is rejected', async () => {
    const createRejection = () => buildProblem(400, 'bad_input', messages.VALUE_INVALID);
    const answers = [throwConnectionError, createRejection, () => createSaved('8', 4)];
    const { user, listSaves } = await renderEntry({
      [`PUT ${RESULT_ENTRY_PATH}`]: () => answers.shift()?.(),
    });
    const field = await findResult('PLATELETS');
    await user.type(field, '7');
    await user.click(getButton('Save'));
    await screen.findByText(messages.NO_CONNECTION);
    await user.clear(field);
    await user.type(field, '8');
    await user.click(getButton('Save'));
    expect(await screen.findByText(messages.RESULTS_SAVED)).toBeVisible();
    expect(listSaves().map(({ body }) => body)).toMatchObject([
      { results: [{ result: '7' }] },
      { results: [{ result: '7' }] },
      { results: [{ result: '8' }] },
    ]);
  });
});
