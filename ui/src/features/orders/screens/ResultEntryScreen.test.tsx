import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages, ResultStatus, Role, say } from '../../../contract';
import { problem, type Answers } from '../../../test/portal';
import { profile, renderPortal } from '../../../test/render';
import type { EntryRow, ResultEntry } from '../api';
import ResultEntryScreen from './ResultEntryScreen';

const PATH = '/api/v2/orders/12/result-entry';

const platelets: EntryRow = {
  orderTestId: 1,
  parentId: null,
  level: 0,
  code: 'PLT',
  name: 'PLATELETS',
  unit: '10*3/uL',
  referenceRange: '150 - 400',
  resultType: 1,
  choices: [],
  isPanel: false,
  result: null,
  comment: null,
  flag: null,
  status: ResultStatus.PENDING,
  isCorrection: false,
  enteredBy: null,
  previousResult: null,
  previousDate: null,
  low: 150,
  high: 400,
  criticalLow: 20,
  criticalHigh: 1000,
};
const glucose: EntryRow = {
  ...platelets,
  orderTestId: 2,
  code: 'GLU',
  name: 'GLUCOSE',
  low: 70,
  high: 99,
  criticalLow: 40,
  criticalHigh: 450,
};
const covid: EntryRow = {
  ...platelets,
  orderTestId: 3,
  code: 'COVID',
  name: 'SARS-COV-2 RNA',
  resultType: 32,
  choices: ['NOT DETECTED', 'DETECTED'],
};
const entered = { status: ResultStatus.UNRELEASED, enteredBy: 'Una User' };
const released = { status: ResultStatus.FINAL, enteredBy: 'Una User' };

const allowed = { allowed: true, reason: null };

const createEntry = (rows: Partial<EntryRow>[] = [], version = 3): ResultEntry => ({
  orderId: 12,
  codeValue: 'L260000012',
  version,
  status: 1,
  clientName: 'NORTH SHORE',
  collectionDate: '2026-11-20T07:30:00',
  patient: {
    ...{ code: 'P0000007', lastName: 'LOPEZ', firstName: 'MARIA', middleName: null },
    ...{ birthDate: '1961-03-04', gender: 'FEMALE' },
  },
  canEnterResults: allowed,
  canRelease: allowed,
  rows: [platelets, glucose, covid].map((row, index) => ({ ...row, ...rows[index] })),
});

async function renderEntry(answers: Answers) {
  const view = await renderPortal(<ResultEntryScreen />, {
    user: profile(Role.LABORATORY),
    parameters: { id: '12' },
    answers: { [`GET ${PATH}`]: createEntry(), ...answers },
  });
  await findResult('PLATELETS');
  const listSaves = () => view.requests.filter(({ method }) => method === 'PUT');
  return { ...view, listSaves };
}

const findResult = (name: string) => screen.findByLabelText(`Result of ${name}`);
const getButton = (name: string | RegExp) => screen.getByRole('button', { name });
const getRow = (name: string) => screen.getByRole('row', { name: new RegExp(name) });

describe('A rejected result', () => {
  const notANumber = (test: string) => say(messages.RESULT_NOT_A_NUMBER, { test });

  it('is marked with its message and focused, and nothing typed is lost', async () => {
    let saveCount = 0;
    const { user } = await renderEntry({
      [`PUT ${PATH}`]: () =>
        ++saveCount === 1
          ? problem(400, 'bad_input', notANumber('GLUCOSE'), [
              { field: 'results.1.result', message: notANumber('GLUCOSE') },
              { field: 'results.2.result', message: messages.VALUE_REQUIRED },
            ])
          : createEntry(
              [
                { result: '250', ...entered },
                { result: '85', ...entered },
              ],
              4,
            ),
    });
    // Typed from bottom to top; the request must have the order on screen.
    await user.type(await findResult('SARS-COV-2 RNA'), 'MAYBE');
    await user.type(await findResult('GLUCOSE'), '44,5');
    await user.type(await findResult('PLATELETS'), '250');
    await user.click(getButton('Save'));
    expect(
      await screen.findByText(say(messages.RESULTS_REFUSED, { count: 2, test: 'GLUCOSE' })),
    ).toBeVisible();
    expect(screen.getByText(notANumber('GLUCOSE'))).toBeVisible();
    const rejectedField = await findResult('GLUCOSE');
    expect(rejectedField).toHaveFocus();
    expect(rejectedField).toBeInvalid();
    expect(rejectedField).toHaveAccessibleDescription(new RegExp(notANumber('GLUCOSE')));
    expect(within(getRow('SARS-COV-2 RNA')).getByText(messages.VALUE_REQUIRED)).toBeVisible();
    expect(await findResult('PLATELETS')).toHaveValue('250');
    expect(await findResult('PLATELETS')).toBeValid();

    await user.clear(rejectedField);
    await user.type(rejectedField, '85');
    expect(screen.queryByText(notANumber('GLUCOSE'))).toBeNull();
    expect(rejectedField).toHaveFocus();
    await user.clear(await findResult('SARS-COV-2 RNA'));
    await user.click(getButton('Save'));
    expect(await screen.findByText(messages.RESULTS_SAVED)).toBeVisible();
  });

  it('is explained when result entry has been disabled', async () => {
    const { user } = await renderEntry({
      [`PUT ${PATH}`]: problem(403, 'forbidden', messages.RESULT_ENTRY_DISABLED),
    });
    await user.type(await findResult('GLUCOSE'), '85');
    await user.click(getButton('Save'));
    expect(await screen.findByText(messages.FORBIDDEN)).toBeVisible();
    expect(await findResult('GLUCOSE')).toHaveValue('85');
  });

  it('shows the error of a comment at its field', async () => {
    const { user } = await renderEntry({
      [`PUT ${PATH}`]: problem(400, 'bad_input', messages.VALUE_INVALID, [
        { field: 'results.0.comment', message: messages.VALUE_INVALID },
      ]),
    });
    const comment = screen.getByLabelText('Comment on GLUCOSE');
    await user.type(comment, 'Too long');
    await user.click(getButton('Save'));
    expect(await within(getRow('GLUCOSE')).findByText(messages.VALUE_INVALID)).toBeVisible();
    await waitFor(() => expect(comment).toHaveFocus());
  });
});

describe('Two users entering results of one order', () => {
  const createConflict = () => problem(412, 'stale_version', messages.VERSION_STALE);

  /** Renders an entry form whose save comes after somebody else's. */
  async function renderStale(theirs: ResultEntry) {
    let [reads, saves] = [0, 0];
    return renderEntry({
      [`GET ${PATH}`]: () => (++reads === 1 ? createEntry() : theirs),
      [`PUT ${PATH}`]: () =>
        ++saves === 1
          ? createConflict()
          : createEntry([{ result: '7', ...entered }, theirs.rows[1] ?? {}], 5),
    });
  }
  const theirs = createEntry(
    [
      { result: '250', ...entered },
      { result: '85', ...entered },
    ],
    4,
  );
  const conflictLine = 'PLATELETS: 250 now, entered by Una User; you typed 7';

  it('see what both changed, and must decide before saving', async () => {
    const { user, listSaves: saves } = await renderStale(theirs);
    await user.type(await findResult('PLATELETS'), '7');
    await user.click(getButton('Save'));
    expect(await screen.findByText(conflictLine)).toBeVisible();
    expect(await findResult('PLATELETS')).toHaveValue('7');
    // A result that only the other user entered is simply shown.
    expect(await findResult('GLUCOSE')).toHaveValue('85');
    expect(screen.queryByText(/GLUCOSE: /)).toBeNull();
    expect(getButton('Save')).toBeDisabled();
    expect(getButton(/Release/)).toBeDisabled();
    await user.click(getButton('Keep my changes'));
    expect(screen.queryByText(conflictLine)).toBeNull();
    await user.click(getButton('Save'));
    expect(await screen.findByText(messages.RESULTS_SAVED)).toBeVisible();
    expect(saves().map(({ body, headers }) => [body, headers.get('If-Match')])).toEqual([
      [{ results: [{ orderTestId: 1, result: '7', comment: null }] }, '"3"'],
      [{ results: [{ orderTestId: 1, result: '7', comment: null }] }, '"4"'],
    ]);
  });

  it('can continue with the newer version', async () => {
    const { user, listSaves: saves } = await renderStale(theirs);
    await user.type(await findResult('PLATELETS'), '7');
    await user.click(getButton('Save'));
    await screen.findByText(conflictLine);
    await user.click(getButton('Use the newer version'));
    expect(await findResult('PLATELETS')).toHaveValue('250');
    expect(getButton('Save')).toBeDisabled();
    expect(getButton('Release 2')).toBeEnabled();
    expect(saves()).toHaveLength(1);
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
    const { user } = await renderStale(createEntry([{}, { comment: 'Hemolyzed' }], 4));
    await user.type(await findResult('GLUCOSE'), '85');
    await user.click(getButton('Save'));
    expect(
      await screen.findByText(/GLUCOSE: the comment 'Hemolyzed' now, you typed 85/),
    ).toBeVisible();
  });

  it('are also asked if the order was reloaded while typing', async () => {
    const { user, requests, listSaves: saves, queries } = await renderStale(theirs);
    const field = await findResult('PLATELETS');
    await user.type(field, '7');
    void queries.invalidateQueries();
    const listReads = () =>
      requests.filter(({ method, path }) => method === 'GET' && path === PATH);
    await waitFor(() => expect(listReads()).toHaveLength(2));
    await user.click(getButton('Save'));
    expect(await screen.findByText(conflictLine)).toBeVisible();
    expect(saves()[0]?.headers.get('If-Match')).toBe('"3"');
  });

  it('lose nothing if the newer version cannot be loaded', async () => {
    let reads = 0;
    const { user } = await renderEntry({
      [`GET ${PATH}`]: () => (++reads === 1 ? createEntry() : problem(503, 'unavailable', '')),
      [`PUT ${PATH}`]: createConflict,
    });
    await user.type(await findResult('PLATELETS'), '7');
    await user.click(getButton('Save'));
    expect(
      await screen.findByText(`${messages.VERSION_STALE} ${messages.UNAVAILABLE}`),
    ).toBeVisible();
    expect(await findResult('PLATELETS')).toHaveValue('7');
  });
});

describe('A save that got no answer', () => {
  const throwConnectionError = () => {
    throw new TypeError('Failed to fetch');
  };
  const createSaved = (platelets: string, version: number, moreRows: Partial<EntryRow>[] = []) =>
    createEntry([{ result: platelets, ...entered }, ...moreRows], version);
  const getKey = ({ headers }: { headers: Headers }) => headers.get('Idempotency-Key');

  it('is repeated unchanged, without a conflict', async () => {
    let attempts = 0;
    const { user, listSaves: saves } = await renderEntry({
      [`PUT ${PATH}`]: () => (++attempts === 1 ? throwConnectionError() : createSaved('7', 4)),
    });
    await user.type(await findResult('PLATELETS'), '7');
    await user.click(getButton('Save'));
    expect(await screen.findByText(messages.NO_CONNECTION)).toBeVisible();
    await user.click(getButton('Save'));
    expect(await screen.findByText(messages.RESULTS_SAVED)).toBeVisible();
    const [first, second] = saves();
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
    const { user, listSaves: saves } = await renderEntry({
      [`PUT ${PATH}`]: () => answers.shift()?.(),
    });
    await user.type(await findResult('PLATELETS'), '7');
    await user.click(getButton('Save'));
    await screen.findByText(messages.NO_CONNECTION);
    await user.type(await findResult('GLUCOSE'), '85');
    await user.click(getButton('Save'));
    expect(await screen.findByText(messages.RESULTS_SAVED)).toBeVisible();
    const [first, second, third] = saves();
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
    const { user, listSaves: saves } = await renderEntry({
      [`PUT ${PATH}`]: () =>
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
    expect(saves().map(({ body }) => body)).toMatchObject([
      { results: [{ result: '7' }] },
      { results: [{ result: '7' }] },
      { results: [{ result: null }] },
    ]);
  });

  it('is followed by the current values if it is rejected', async () => {
    const createRejection = () => problem(400, 'bad_input', messages.VALUE_INVALID);
    const answers = [throwConnectionError, createRejection, () => createSaved('8', 4)];
    const { user, listSaves: saves } = await renderEntry({
      [`PUT ${PATH}`]: () => answers.shift()?.(),
    });
    const field = await findResult('PLATELETS');
    await user.type(field, '7');
    await user.click(getButton('Save'));
    await screen.findByText(messages.NO_CONNECTION);
    await user.clear(field);
    await user.type(field, '8');
    await user.click(getButton('Save'));
    expect(await screen.findByText(messages.RESULTS_SAVED)).toBeVisible();
    expect(saves().map(({ body }) => body)).toMatchObject([
      { results: [{ result: '7' }] },
      { results: [{ result: '7' }] },
      { results: [{ result: '8' }] },
    ]);
  });
});

describe('Enter in a result', () => {
  it('moves to the next result, past comments, and from the last to the first', async () => {
    const { user } = await renderEntry({});
    await user.click(await findResult('GLUCOSE'));
    await user.keyboard('{Enter}');
    expect(await findResult('SARS-COV-2 RNA')).toHaveFocus();
    await user.keyboard('{Enter}');
    expect(await findResult('PLATELETS')).toHaveFocus();
  });
});

describe('Ctrl+S in a result', () => {
  it('saves what was typed', async () => {
    const { user, listSaves } = await renderEntry({
      [`PUT ${PATH}`]: createEntry([{ result: '250', ...entered }], 4),
    });
    await user.type(await findResult('PLATELETS'), '250');
    await user.keyboard('{Control>}s{/Control}');
    expect(await screen.findByText(messages.RESULTS_SAVED)).toBeVisible();
    expect(listSaves()).toHaveLength(1);
  });
});

describe('The text next to a result', () => {
  it.each([
    [{ result: '1200', flag: 'HH' }, 'PLATELETS', 'Critically high'],
    [{}, 'SARS-COV-2 RNA', 'Positive'],
  ] as const)('stays while the field is empty: %o', async (saved, name, text) => {
    const { user } = await renderEntry({
      [`GET ${PATH}`]: createEntry([
        { ...saved, ...released },
        {},
        { result: 'DETECTED', flag: 'POS', ...released },
      ]),
    });
    expect(within(getRow(name)).getByText(text)).toBeVisible();
    await user.clear(await findResult(name));
    expect(within(getRow(name)).getByText(text)).toBeVisible();
  });

  it('is not the flag of another value', async () => {
    const { user } = await renderEntry({
      [`GET ${PATH}`]: createEntry([{}, {}, { result: 'DETECTED', flag: 'POS', ...released }]),
    });
    const field = await findResult('SARS-COV-2 RNA');
    await user.clear(field);
    await user.type(field, 'NOT DETECTED');
    expect(getRow('SARS-COV-2 RNA')).not.toHaveTextContent(/pos/i);
  });
});

describe('A correction of a released result', () => {
  it('is marked as a correction, and counted before release', async () => {
    const { user } = await renderEntry({
      [`GET ${PATH}`]: createEntry([
        { result: '70', isCorrection: true, ...entered },
        { result: '85', ...entered },
        { result: 'DETECTED', ...released },
      ]),
    });
    expect(within(getRow('PLATELETS')).getByText('Correction, not released')).toBeVisible();
    expect(within(getRow('GLUCOSE')).getByText('Not released')).toBeVisible();
    expect(within(getRow('SARS-COV-2 RNA')).getByText('Released')).toBeVisible();
    await user.click(getButton('Release 2'));
    const dialog = await screen.findByRole('dialog', { name: 'Release results' });
    const question = say(messages.CONFIRM_RELEASE_CORRECTIONS, { count: 2, corrections: 1 });
    expect(within(dialog).getByText(question)).toBeVisible();
  });

  it('is not mentioned if there is none', async () => {
    const { user } = await renderEntry({
      [`GET ${PATH}`]: createEntry([{ result: '250', ...entered }]),
    });
    await user.click(getButton('Release 1'));
    const dialog = await screen.findByRole('dialog', { name: 'Release results' });
    expect(within(dialog).getByText(say(messages.CONFIRM_RELEASE, { count: 1 }))).toBeVisible();
  });
});

describe('Permissions', () => {
  const createDenial = (reason: string) => ({ allowed: false, reason });
  const unreleased = [{ result: '250', ...entered }];

  it('allow release without entry, with a reason', async () => {
    const canEnterResults = createDenial(messages.RESULT_ENTRY_DISABLED);
    await renderEntry({ [`GET ${PATH}`]: { ...createEntry(unreleased), canEnterResults } });
    expect(await findResult('PLATELETS')).toHaveAttribute('readonly');
    expect(screen.getByText(messages.RESULT_ENTRY_DISABLED)).toBeVisible();
    expect(getButton('Save')).toBeDisabled();
    expect(getButton('Release 1')).toBeEnabled();
  });

  it('allow entry without release', async () => {
    const { user } = await renderEntry({
      [`GET ${PATH}`]: { ...createEntry(unreleased), canRelease: createDenial(messages.FORBIDDEN) },
    });
    await user.type(await findResult('GLUCOSE'), '85');
    expect(getButton('Save')).toBeEnabled();
    expect(getButton('Release 1')).toBeDisabled();
  });
});
