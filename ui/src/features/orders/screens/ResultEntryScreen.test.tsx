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

const yes = { allowed: true, reason: null };

const order = (rows: Partial<EntryRow>[] = [], version = 3): ResultEntry => ({
  orderId: 12,
  codeValue: 'L260000012',
  version,
  status: 1,
  patient: { lastName: 'LOPEZ', firstName: 'MARIA', birthDate: '1961-03-04', gender: 'FEMALE' },
  canEnterResults: yes,
  canRelease: yes,
  rows: [platelets, glucose, covid].map((row, place) => ({ ...row, ...rows[place] })),
});

async function open(answers: Answers) {
  const view = await renderPortal(<ResultEntryScreen />, {
    user: profile(Role.LABORATORY),
    parameters: { id: '12' },
    answers: { [`GET ${PATH}`]: order(), ...answers },
  });
  await result('PLATELETS');
  const saves = () => view.seen.filter(({ method }) => method === 'PUT');
  return { ...view, saves };
}

const result = (name: string) => screen.findByLabelText(`Result of ${name}`);
const button = (name: string | RegExp) => screen.getByRole('button', { name });
const row = (name: string) => screen.getByRole('row', { name: new RegExp(name) });

describe('A refused result', () => {
  const notANumber = (test: string) => say(messages.RESULT_NOT_A_NUMBER, { test });

  it('is marked with its sentence, the first one has the focus, and nothing typed is lost', async () => {
    let saves = 0;
    const { user } = await open({
      [`PUT ${PATH}`]: () =>
        ++saves === 1
          ? problem(400, 'bad_input', notANumber('GLUCOSE'), [
              { field: 'results.1.result', message: notANumber('GLUCOSE') },
              { field: 'results.2.result', message: messages.VALUE_REQUIRED },
            ])
          : order(
              [
                { result: '250', ...entered },
                { result: '85', ...entered },
              ],
              4,
            ),
    });
    // Typed from the bottom up: the portal is told in the order of the screen.
    await user.type(await result('SARS-COV-2 RNA'), 'MAYBE');
    await user.type(await result('GLUCOSE'), '44,5');
    await user.type(await result('PLATELETS'), '250');
    await user.click(button('Save'));
    expect(
      await screen.findByText(say(messages.RESULTS_REFUSED, { count: 2, test: 'GLUCOSE' })),
    ).toBeVisible();
    expect(screen.getByText(notANumber('GLUCOSE'))).toBeVisible();
    const refused = await result('GLUCOSE');
    expect(refused).toHaveFocus();
    expect(refused).toBeInvalid();
    expect(refused).toHaveAccessibleDescription(new RegExp(notANumber('GLUCOSE')));
    expect(within(row('SARS-COV-2 RNA')).getByText(messages.VALUE_REQUIRED)).toBeVisible();
    expect(await result('PLATELETS')).toHaveValue('250');
    expect(await result('PLATELETS')).toBeValid();

    await user.clear(refused);
    await user.type(refused, '85');
    expect(screen.queryByText(notANumber('GLUCOSE'))).toBeNull();
    expect(refused).toHaveFocus();
    await user.clear(await result('SARS-COV-2 RNA'));
    await user.click(button('Save'));
    expect(await screen.findByText(messages.RESULTS_SAVED)).toBeVisible();
  });

  it('is told also where nobody may enter results any more', async () => {
    const { user } = await open({
      [`PUT ${PATH}`]: problem(403, 'forbidden', messages.RESULT_ENTRY_DISABLED),
    });
    await user.type(await result('GLUCOSE'), '85');
    await user.click(button('Save'));
    expect(await screen.findByText(messages.FORBIDDEN)).toBeVisible();
    expect(await result('GLUCOSE')).toHaveValue('85');
  });

  it('says where a comment is refused', async () => {
    const { user } = await open({
      [`PUT ${PATH}`]: problem(400, 'bad_input', messages.VALUE_INVALID, [
        { field: 'results.0.comment', message: messages.VALUE_INVALID },
      ]),
    });
    const comment = screen.getByLabelText('Comment on GLUCOSE');
    await user.type(comment, 'Too long');
    await user.click(button('Save'));
    expect(await within(row('GLUCOSE')).findByText(messages.VALUE_INVALID)).toBeVisible();
    await waitFor(() => expect(comment).toHaveFocus());
  });
});

describe('Two people at the results of one order', () => {
  const stale = () => problem(412, 'stale_version', messages.VERSION_STALE);

  /** Somebody else saves before this person does. */
  async function late(theirs: ResultEntry) {
    let [reads, saves] = [0, 0];
    return open({
      [`GET ${PATH}`]: () => (++reads === 1 ? order() : theirs),
      [`PUT ${PATH}`]: () =>
        ++saves === 1 ? stale() : order([{ result: '7', ...entered }, theirs.rows[1] ?? {}], 5),
    });
  }
  const theirs = order(
    [
      { result: '250', ...entered },
      { result: '85', ...entered },
    ],
    4,
  );
  const said = 'PLATELETS: 250 now, entered by Una User; you typed 7';

  it('are told what both changed, and nothing is saved over it before they decide', async () => {
    const { user, saves } = await late(theirs);
    await user.type(await result('PLATELETS'), '7');
    await user.click(button('Save'));
    expect(await screen.findByText(said)).toBeVisible();
    expect(await result('PLATELETS')).toHaveValue('7');
    // What only the other person entered is simply there.
    expect(await result('GLUCOSE')).toHaveValue('85');
    expect(screen.queryByText(/GLUCOSE: /)).toBeNull();
    expect(button('Save')).toBeDisabled();
    expect(button(/Release/)).toBeDisabled();
    await user.click(button('Keep my changes'));
    expect(screen.queryByText(said)).toBeNull();
    await user.click(button('Save'));
    expect(await screen.findByText(messages.RESULTS_SAVED)).toBeVisible();
    expect(saves().map(({ body, headers }) => [body, headers.get('If-Match')])).toEqual([
      [{ results: [{ orderTestId: 1, result: '7', comment: null }] }, '"3"'],
      [{ results: [{ orderTestId: 1, result: '7', comment: null }] }, '"4"'],
    ]);
  });

  it('may go on with the newer version', async () => {
    const { user, saves } = await late(theirs);
    await user.type(await result('PLATELETS'), '7');
    await user.click(button('Save'));
    await screen.findByText(said);
    await user.click(button('Use the newer version'));
    expect(await result('PLATELETS')).toHaveValue('250');
    expect(button('Save')).toBeDisabled();
    expect(button('Release 2')).toBeEnabled();
    expect(saves()).toHaveLength(1);
  });

  it('have nothing to compare where they entered the same', async () => {
    const { user } = await late(theirs);
    await user.type(await result('PLATELETS'), '250');
    await user.click(button('Save'));
    expect(await screen.findByText(messages.VERSION_CONFLICT)).toBeVisible();
    expect(screen.queryByText(/you typed/)).toBeNull();
    expect(screen.queryByRole('button', { name: 'Keep my changes' })).toBeNull();
  });

  it('are told where one changed the comment and the other the result', async () => {
    const { user } = await late(order([{}, { comment: 'Hemolyzed' }], 4));
    await user.type(await result('GLUCOSE'), '85');
    await user.click(button('Save'));
    expect(
      await screen.findByText(/GLUCOSE: the comment 'Hemolyzed' now, you typed 85/),
    ).toBeVisible();
  });

  it('are asked also where the order was read again while one was typing', async () => {
    const { user, seen, saves, queries } = await late(theirs);
    const field = await result('PLATELETS');
    await user.type(field, '7');
    void queries.invalidateQueries();
    const reads = () => seen.filter(({ method, path }) => method === 'GET' && path === PATH);
    await waitFor(() => expect(reads()).toHaveLength(2));
    await user.click(button('Save'));
    expect(await screen.findByText(said)).toBeVisible();
    expect(saves()[0]?.headers.get('If-Match')).toBe('"3"');
  });

  it('lose nothing when the newer version can not be read', async () => {
    let reads = 0;
    const { user } = await open({
      [`GET ${PATH}`]: () => (++reads === 1 ? order() : problem(503, 'unavailable', '')),
      [`PUT ${PATH}`]: stale,
    });
    await user.type(await result('PLATELETS'), '7');
    await user.click(button('Save'));
    expect(
      await screen.findByText(`${messages.VERSION_STALE} ${messages.UNAVAILABLE}`),
    ).toBeVisible();
    expect(await result('PLATELETS')).toHaveValue('7');
  });
});

describe('A save that got no answer', () => {
  const noAnswer = () => {
    throw new TypeError('Failed to fetch');
  };
  const saved = (platelets: string, version: number, others: Partial<EntryRow>[] = []) =>
    order([{ result: platelets, ...entered }, ...others], version);
  const keyOf = ({ headers }: { headers: Headers }) => headers.get('Idempotency-Key');

  it('is sent again as it was, and blames nobody', async () => {
    let tries = 0;
    const { user, saves } = await open({
      [`PUT ${PATH}`]: () => (++tries === 1 ? noAnswer() : saved('7', 4)),
    });
    await user.type(await result('PLATELETS'), '7');
    await user.click(button('Save'));
    expect(await screen.findByText(messages.NO_CONNECTION)).toBeVisible();
    await user.click(button('Save'));
    expect(await screen.findByText(messages.RESULTS_SAVED)).toBeVisible();
    const [first, second] = saves();
    expect(second?.body).toEqual(first?.body);
    expect(second && keyOf(second)).toBe(first && keyOf(first));
    expect(button('Save')).toBeDisabled();
    expect(screen.queryByText(messages.VERSION_CONFLICT)).toBeNull();
  });

  it('is made before what was typed since then', async () => {
    const answers = [noAnswer, () => saved('7', 4), () => saved('7', 5, [{ result: '85' }])];
    const { user, saves } = await open({ [`PUT ${PATH}`]: () => answers.shift()?.() });
    await user.type(await result('PLATELETS'), '7');
    await user.click(button('Save'));
    await screen.findByText(messages.NO_CONNECTION);
    await user.type(await result('GLUCOSE'), '85');
    await user.click(button('Save'));
    expect(await screen.findByText(messages.RESULTS_SAVED)).toBeVisible();
    const [first, second, third] = saves();
    expect([first, second, third].map((save) => save?.headers.get('If-Match'))).toEqual([
      '"3"',
      '"3"',
      '"4"',
    ]);
    expect(second?.body).toEqual(first?.body);
    expect(third?.body).toEqual({ results: [{ orderTestId: 2, result: '85', comment: null }] });
    expect(third && keyOf(third)).not.toBe(first && keyOf(first));
  });

  it('is still open where everything typed was taken back', async () => {
    let tries = 0;
    const { user, saves } = await open({
      [`PUT ${PATH}`]: () =>
        ++tries === 1 ? noAnswer() : saved(tries === 2 ? '7' : '', 2 + tries),
    });
    const field = await result('PLATELETS');
    await user.type(field, '7');
    await user.click(button('Save'));
    await screen.findByText(messages.NO_CONNECTION);
    await user.clear(field);
    await user.click(button('Save'));
    expect(await screen.findByText(messages.RESULTS_SAVED)).toBeVisible();
    expect(saves().map(({ body }) => body)).toMatchObject([
      { results: [{ result: '7' }] },
      { results: [{ result: '7' }] },
      { results: [{ result: null }] },
    ]);
  });

  it('that turns out to be refused is followed by what is typed now', async () => {
    const refusal = () => problem(400, 'bad_input', messages.VALUE_INVALID);
    const answers = [noAnswer, refusal, () => saved('8', 4)];
    const { user, saves } = await open({ [`PUT ${PATH}`]: () => answers.shift()?.() });
    const field = await result('PLATELETS');
    await user.type(field, '7');
    await user.click(button('Save'));
    await screen.findByText(messages.NO_CONNECTION);
    await user.clear(field);
    await user.type(field, '8');
    await user.click(button('Save'));
    expect(await screen.findByText(messages.RESULTS_SAVED)).toBeVisible();
    expect(saves().map(({ body }) => body)).toMatchObject([
      { results: [{ result: '7' }] },
      { results: [{ result: '7' }] },
      { results: [{ result: '8' }] },
    ]);
  });
});

describe('Enter in a result', () => {
  it('goes on to the next, past comments, and from the last to the first', async () => {
    const { user } = await open({});
    await user.click(await result('GLUCOSE'));
    await user.keyboard('{Enter}');
    expect(await result('SARS-COV-2 RNA')).toHaveFocus();
    await user.keyboard('{Enter}');
    expect(await result('PLATELETS')).toHaveFocus();
  });
});

describe('What is said beside a result', () => {
  it.each([
    [{ result: '1200', flag: 'HH' }, 'PLATELETS', 'Critically high'],
    [{}, 'SARS-COV-2 RNA', 'Positive'],
  ] as const)('stays in words while it is emptied: %o', async (saved, name, words) => {
    const { user } = await open({
      [`GET ${PATH}`]: order([
        { ...saved, ...released },
        {},
        { result: 'DETECTED', flag: 'POS', ...released },
      ]),
    });
    expect(within(row(name)).getByText(words)).toBeVisible();
    await user.clear(await result(name));
    expect(within(row(name)).getByText(words)).toBeVisible();
  });

  it('is not the flag of another value', async () => {
    const { user } = await open({
      [`GET ${PATH}`]: order([{}, {}, { result: 'DETECTED', flag: 'POS', ...released }]),
    });
    const field = await result('SARS-COV-2 RNA');
    await user.clear(field);
    await user.type(field, 'NOT DETECTED');
    expect(row('SARS-COV-2 RNA')).not.toHaveTextContent(/pos/i);
  });
});

describe('A correction of a released result', () => {
  it('is told from a first entry, beside it and before it is released', async () => {
    const { user } = await open({
      [`GET ${PATH}`]: order([
        { result: '70', isCorrection: true, ...entered },
        { result: '85', ...entered },
        { result: 'DETECTED', ...released },
      ]),
    });
    expect(within(row('PLATELETS')).getByText('Correction, not released')).toBeVisible();
    expect(within(row('GLUCOSE')).getByText('Not released')).toBeVisible();
    expect(within(row('SARS-COV-2 RNA')).getByText('Released')).toBeVisible();
    await user.click(button('Release 2'));
    const dialog = await screen.findByRole('dialog', { name: 'Release results' });
    const question = say(messages.CONFIRM_RELEASE_CORRECTIONS, { count: 2, corrections: 1 });
    expect(within(dialog).getByText(question)).toBeVisible();
  });

  it('is not spoken of where there is none', async () => {
    const { user } = await open({ [`GET ${PATH}`]: order([{ result: '250', ...entered }]) });
    await user.click(button('Release 1'));
    const dialog = await screen.findByRole('dialog', { name: 'Release results' });
    expect(within(dialog).getByText(say(messages.CONFIRM_RELEASE, { count: 1 }))).toBeVisible();
  });
});

describe('What the portal allows', () => {
  const no = (reason: string) => ({ allowed: false, reason });
  const waiting = [{ result: '250', ...entered }];

  it('lets somebody release who enters nothing, and says why', async () => {
    const canEnterResults = no(messages.RESULT_ENTRY_DISABLED);
    await open({ [`GET ${PATH}`]: { ...order(waiting), canEnterResults } });
    expect(await result('PLATELETS')).toHaveAttribute('readonly');
    expect(screen.getByText(messages.RESULT_ENTRY_DISABLED)).toBeVisible();
    expect(button('Save')).toBeDisabled();
    expect(button('Release 1')).toBeEnabled();
  });

  it('lets somebody enter who releases nothing', async () => {
    const { user } = await open({
      [`GET ${PATH}`]: { ...order(waiting), canRelease: no(messages.FORBIDDEN) },
    });
    await user.type(await result('GLUCOSE'), '85');
    expect(button('Save')).toBeEnabled();
    expect(button('Release 1')).toBeDisabled();
  });
});
