import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';

import { messages, say } from '../../../contract';
import { buildProblem } from '../../../test/portal';
import {
  buildResultEntry,
  entered,
  findResult,
  getButton,
  getRow,
  released,
  renderEntry,
  RESULT_ENTRY_PATH,
} from '../../../test/resultEntry';

const ORDER = '/api/v2/orders/12';
const reasons = {
  'GET /api/v2/reasons': [
    { code: 'SPECIMEN', words: 'Wrong specimen or patient' },
    { code: 'OTHER', words: 'Other' },
  ],
};
/** Chooses an act in the menu of a test. */
async function chooseAct(user: UserEvent, name: RegExp): Promise<void> {
  await user.click(getButton('More about PLATELETS'));
  await user.click(await screen.findByRole('menuitem', { name }));
  // The menu returns the focus when it has closed; keys before that would be lost.
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
}

const releasedRow = { result: '250', releasedResult: '250', ...released };

describe('A dilution', () => {
  const chooseFactor = async (user: UserEvent, factor: string) => {
    await chooseAct(user, /Dilution/);
    const dialog = await screen.findByRole('dialog', { name: 'Dilution of PLATELETS' });
    const field = within(dialog).getByLabelText('Factor');
    await user.type(field, factor);
    expect(field).toHaveValue(factor);
    await user.click(within(dialog).getByRole('button', { name: 'Use' }));
    await waitFor(() => expect(dialog).not.toBeInTheDocument());
  };

  it('multiplies a saved result, and says so before it is saved', async () => {
    const { user, listSaves } = await renderEntry({
      [`GET ${RESULT_ENTRY_PATH}`]: buildResultEntry([{ result: '95', ...entered }]),
      [`PUT ${RESULT_ENTRY_PATH}`]: buildResultEntry([{ result: '950', ...entered }], 4),
    });
    await findResult('PLATELETS');
    await chooseFactor(user, '10');
    expect(within(getRow('PLATELETS')).getByText('95 at 1:10 = 950')).toBeVisible();
    await user.click(getButton('Save'));
    await screen.findByText(messages.RESULTS_SAVED);
    expect(listSaves().map(({ body }) => body)).toEqual([
      { results: [expect.objectContaining({ result: '95', dilution: 10 })] },
    ]);
  });

  it('can be chosen after the value is typed', async () => {
    const { user } = await renderEntry({});
    await user.type(await findResult('PLATELETS'), '95');
    await chooseFactor(user, '10');
    expect(within(getRow('PLATELETS')).getByText('95 at 1:10 = 950')).toBeVisible();
  });

  it('that is rejected says so at the result', async () => {
    const reason = 'Enter 1000000 at most';
    const { user } = await renderEntry({
      [`PUT ${RESULT_ENTRY_PATH}`]: () =>
        buildProblem(400, 'bad_input', reason, [{ field: 'results.0.dilution', message: reason }]),
    });
    await user.type(await findResult('PLATELETS'), '0');
    await chooseFactor(user, '9999999');
    await user.click(getButton('Save'));
    await user.click(await screen.findByRole('button', { name: 'Yes, save' }));
    expect(await within(getRow('PLATELETS')).findByText(reason)).toBeVisible();
  });

  it('replaces an earlier one, and stays when only the comment changes', async () => {
    const dilutedRow = { result: '950', measured: '95', dilution: 10, ...entered };
    const { user, listSaves } = await renderEntry({
      [`GET ${RESULT_ENTRY_PATH}`]: buildResultEntry([dilutedRow]),
      [`PUT ${RESULT_ENTRY_PATH}`]: buildResultEntry([dilutedRow], 4),
    });
    await findResult('PLATELETS');
    await user.type(screen.getByRole('textbox', { name: 'Comment on PLATELETS' }), 'clumps');
    await user.click(getButton('Save'));
    await screen.findByText(messages.RESULTS_SAVED);
    await chooseFactor(user, '20');
    expect(within(getRow('PLATELETS')).getByText('95 at 1:20 = 1900')).toBeVisible();
    await user.click(getButton('Save'));
    await waitFor(() => expect(listSaves()).toHaveLength(2));
    expect(listSaves().map(({ body }) => body)).toEqual([
      { results: [expect.objectContaining({ result: '95', dilution: 10, comment: 'clumps' })] },
      { results: [expect.objectContaining({ result: '95', dilution: 20 })] },
    ]);
  });
});

describe('A repeat', () => {
  const openRepeat = async () => {
    const view = await renderEntry({
      [`GET ${RESULT_ENTRY_PATH}`]: buildResultEntry([{ result: '250', ...entered }]),
      [`PUT ${RESULT_ENTRY_PATH}`]: buildResultEntry([{ result: '250', ...entered }], 4),
    });
    await chooseAct(view.user, /Repeat/);
    expect(await findResult('PLATELETS')).toHaveValue('');
    expect(within(getRow('PLATELETS')).getByText('first 250')).toBeVisible();
    return view;
  };

  it('may confirm the first result', async () => {
    const { user, listSaves } = await openRepeat();
    await user.type(await findResult('PLATELETS'), '250');
    await user.click(getButton('Save'));
    await screen.findByText(messages.RESULTS_SAVED);
    expect(listSaves().map(({ body }) => body)).toEqual([
      { results: [expect.objectContaining({ result: '250', isRepeat: true })] },
    ]);
  });

  it('can be undone, and nothing is left to save', async () => {
    const { user } = await openRepeat();
    await chooseAct(user, /Keep First Result/);
    expect(await findResult('PLATELETS')).toHaveValue('250');
    await waitFor(() => expect(getButton('Save')).toBeDisabled());
    expect(getButton('Release 1')).toBeEnabled();
  });
});

describe('A released result', () => {
  it('is typed again only after a reason', async () => {
    const { user, listSaves } = await renderEntry({
      ...reasons,
      [`GET ${RESULT_ENTRY_PATH}`]: buildResultEntry([releasedRow]),
      [`PUT ${RESULT_ENTRY_PATH}`]: buildResultEntry([{ result: '200', ...entered }], 4),
    });
    expect(await findResult('PLATELETS')).toHaveAttribute('readonly');
    await user.click(getButton('Correct PLATELETS'));
    const dialog = await screen.findByRole('dialog', { name: 'Correct PLATELETS' });
    await user.click(within(dialog).getByRole('button', { name: 'Correct' }));
    expect(within(dialog).getByText(messages.REASON_UNKNOWN)).toBeVisible();
    await within(dialog).findByRole('option', { name: 'Wrong specimen or patient' });
    await user.selectOptions(within(dialog).getByLabelText(/Reason/), 'SPECIMEN');
    await user.type(within(dialog).getByLabelText(/Explanation/), 'Bed beside');
    await user.click(within(dialog).getByRole('button', { name: 'Correct' }));
    const field = await findResult('PLATELETS');
    await waitFor(() => expect(field).not.toHaveAttribute('readonly'));
    await user.clear(field);
    await user.type(field, '200');
    await user.click(getButton('Save'));
    expect(await screen.findByText(messages.RESULTS_SAVED)).toBeVisible();
    expect(listSaves()[0]?.body).toEqual({
      results: [
        {
          orderTestId: 1,
          result: '200',
          comment: null,
          correction: { reason: 'SPECIMEN', words: 'Bed beside' },
        },
      ],
    });
  });

  it('can be reported again after it was withdrawn', async () => {
    const withheld = {
      kind: 'withdrawn',
      reason: 'Wrong specimen or patient',
      words: null,
      by: 'Una User',
      at: '2026-11-20T10:00:00',
    } as const;
    const { user, listSaves } = await renderEntry({
      ...reasons,
      [`GET ${RESULT_ENTRY_PATH}`]: buildResultEntry([{ ...releasedRow, withheld }]),
      [`PUT ${RESULT_ENTRY_PATH}`]: buildResultEntry([{ result: '250', ...entered }], 4),
    });
    await user.click(getButton('Correct PLATELETS'));
    const dialog = await screen.findByRole('dialog', { name: 'Correct PLATELETS' });
    await within(dialog).findByRole('option', { name: 'Wrong specimen or patient' });
    expect(dialog).toHaveTextContent('Withdrawn: 250. Readers of the report will not see it');
    await user.selectOptions(within(dialog).getByLabelText(/Reason/), 'SPECIMEN');
    await user.click(within(dialog).getByRole('button', { name: 'Correct' }));
    await user.click(getButton('Save'));
    expect(await screen.findByText(messages.RESULTS_SAVED)).toBeVisible();
    expect(listSaves().map(({ body }) => body)).toEqual([
      {
        results: [
          {
            orderTestId: 1,
            result: '250',
            comment: null,
            correction: { reason: 'SPECIMEN', words: null },
          },
        ],
      },
    ]);
  });

  it('can be put under review at once', async () => {
    const { user, requests } = await renderEntry({
      ...reasons,
      [`GET ${RESULT_ENTRY_PATH}`]: buildResultEntry([releasedRow]),
      [`POST ${ORDER}/withhold`]: buildResultEntry(
        [
          {
            ...releasedRow,
            withheld: {
              kind: 'review',
              reason: 'Wrong specimen or patient',
              words: null,
              by: 'Una User',
              at: '2026-11-20T10:00:00',
            },
          },
        ],
        4,
      ),
    });
    await chooseAct(user, /Put under review/);
    const dialog = await screen.findByRole('dialog', { name: 'Review PLATELETS' });
    await within(dialog).findByRole('option', { name: 'Wrong specimen or patient' });
    await user.selectOptions(within(dialog).getByLabelText(/Reason/), 'SPECIMEN');
    await user.click(within(dialog).getByRole('button', { name: 'Put under review' }));
    expect(await within(getRow('PLATELETS')).findByText(/^Under review/)).toBeVisible();
    const sentRequest = requests.find(({ path }) => path === `${ORDER}/withhold`);
    expect(sentRequest?.body).toEqual({
      orderTestIds: [1],
      kind: 'review',
      reason: 'SPECIMEN',
      words: null,
    });
    expect(sentRequest?.headers.get('If-Match')).toBe('"3"');
  });

  it('can be withdrawn without ending its review first', async () => {
    const withheld = {
      kind: 'review',
      reason: 'Wrong specimen or patient',
      words: null,
      by: 'Una User',
      at: '2026-11-20T10:00:00',
    } as const;
    const { user, requests } = await renderEntry({
      ...reasons,
      [`GET ${RESULT_ENTRY_PATH}`]: buildResultEntry([{ ...releasedRow, withheld }]),
      [`POST ${ORDER}/withhold`]: buildResultEntry(
        [{ ...releasedRow, withheld: { ...withheld, kind: 'withdrawn' } }],
        4,
      ),
    });
    await chooseAct(user, /Withdraw/);
    const dialog = await screen.findByRole('dialog', { name: 'Withdraw PLATELETS' });
    expect(within(dialog).getByText(/stays hidden/)).toBeVisible();
    await within(dialog).findByRole('option', { name: 'Wrong specimen or patient' });
    await user.selectOptions(within(dialog).getByLabelText(/Reason/), 'SPECIMEN');
    await user.click(within(dialog).getByRole('button', { name: 'Withdraw' }));
    expect(await within(getRow('PLATELETS')).findByText(/^Withdrawn/)).toBeVisible();
    const acts = requests.filter(({ method, path }) => method === 'POST' && path.startsWith(ORDER));
    expect(acts.map(({ path }) => path)).toEqual([`${ORDER}/withhold`]);
    expect(acts[0]?.body).toMatchObject({ orderTestIds: [1], kind: 'withdrawn' });
  });
});

describe('An unusual value', () => {
  it('is questioned before it is saved', async () => {
    const { user, listSaves } = await renderEntry({
      [`PUT ${RESULT_ENTRY_PATH}`]: buildResultEntry([{ result: '3000', ...entered }], 4),
    });
    await user.type(await findResult('PLATELETS'), '3000');
    await user.click(getButton('Save'));
    const dialog = await screen.findByRole('dialog', { name: 'Unusual results' });
    expect(within(dialog).getByText('PLATELETS: 3000 is over 2000. Is it right?')).toBeVisible();
    expect(listSaves()).toHaveLength(0);
    await waitFor(() =>
      expect(within(dialog).getByRole('button', { name: 'Change' })).toHaveFocus(),
    );
    await user.click(within(dialog).getByRole('button', { name: 'Yes, save' }));
    expect(await screen.findByText(messages.RESULTS_SAVED)).toBeVisible();
    expect(listSaves()[0]?.body).toEqual({
      results: [{ orderTestId: 1, result: '3000', comment: null, isConfirmed: true }],
    });
  });

  it('is questioned again when another one is typed after a rejected save', async () => {
    let saveCount = 0;
    const { user, listSaves } = await renderEntry({
      [`PUT ${RESULT_ENTRY_PATH}`]: () =>
        ++saveCount === 1
          ? buildProblem(400, 'bad_input', messages.VALUE_INVALID, [
              { field: 'results.1.result', message: messages.VALUE_INVALID },
            ])
          : buildResultEntry([{ result: '4000', ...entered }], 4),
    });
    const confirm = async (text: string) => {
      const dialog = await screen.findByRole('dialog', { name: 'Unusual results' });
      expect(within(dialog).getByText(text)).toBeVisible();
      await user.click(within(dialog).getByRole('button', { name: 'Yes, save' }));
      await waitFor(() => expect(dialog).not.toBeInTheDocument());
    };
    await user.type(await findResult('PLATELETS'), '3000');
    await user.type(await findResult('SARS-COV-2 RNA'), 'MAYBE');
    await user.click(getButton('Save'));
    await confirm('PLATELETS: 3000 is over 2000. Is it right?');
    expect(await screen.findByText(messages.VALUE_INVALID)).toBeVisible();
    await user.clear(await findResult('SARS-COV-2 RNA'));
    await user.clear(await findResult('PLATELETS'));
    await user.type(await findResult('PLATELETS'), '4000');
    await user.click(getButton('Save'));
    await confirm('PLATELETS: 4000 is over 2000. Is it right?');
    expect(await screen.findByText(messages.RESULTS_SAVED)).toBeVisible();
    expect(listSaves()).toHaveLength(2);
  });
});

const hold = {
  id: 7,
  reason: 'Control out of range',
  words: null,
  everyOrder: false,
  placedBy: 'Una User',
  placedAt: '2026-11-20T10:00:00',
};

describe('A hold', () => {
  it('is shown at its test and can be lifted with a note', async () => {
    const { user, requests } = await renderEntry({
      [`GET ${RESULT_ENTRY_PATH}`]: buildResultEntry([{ holds: [hold] }]),
      [`POST ${ORDER}/holds/7/lift`]: buildResultEntry([], 4),
    });
    expect(within(getRow('PLATELETS')).getByText('ON HOLD · Control out of range')).toBeVisible();
    await chooseAct(user, /Lift hold/);
    const dialog = within(await screen.findByRole('dialog', { name: 'Lift hold of PLATELETS' }));
    await user.type(dialog.getByRole('textbox', { name: 'Note' }), ' Control repeated ');
    await user.click(dialog.getByRole('button', { name: 'Lift hold' }));
    await waitFor(() => expect(within(getRow('PLATELETS')).queryByText(/ON HOLD/)).toBeNull());
    expect(await screen.findByText(messages.RESULT_HOLD_LIFTED)).toBeVisible();
    const write = requests.find(({ path }) => path === `${ORDER}/holds/7/lift`);
    expect(write?.body).toEqual({ words: 'Control repeated' });
  });
});

describe('The holds of an order', () => {
  const placedHold = {
    id: 7,
    test: 'PLATELETS',
    reason: 'Control out of range',
    words: '2-2s',
    everyOrder: false,
    placedBy: 'Una User',
    placedAt: '2026-11-20T10:00:00',
    liftedBy: null,
    liftedAt: null,
    liftedWords: null,
  };
  const liftedHold = {
    ...placedHold,
    id: 8,
    words: null,
    everyOrder: true,
    liftedBy: 'Leo Lab',
    liftedAt: '2026-11-20T11:30:00',
  };

  it('say who placed and lifted them, when, and why', async () => {
    await renderEntry({
      [`GET ${RESULT_ENTRY_PATH}`]: {
        ...buildResultEntry(),
        holdRecords: [placedHold, liftedHold],
      },
    });
    const records = within(screen.getByRole('list', { name: 'Holds' })).getAllByRole('listitem');
    expect(records.map(({ textContent }) => textContent)).toEqual([
      'PLATELETS: on hold 11/20/2026 10:00 AM · Una User · Control out of range · 2-2s',
      'PLATELETS: on hold in every order 11/20/2026 10:00 AM · Una User · Control out of range; ' +
        'lifted 11/20/2026 11:30 AM · Leo Lab',
    ]);
  });

  it('are not listed without any', async () => {
    await renderEntry({});
    expect(screen.queryByRole('list', { name: 'Holds' })).toBeNull();
  });
});

describe('A release with held results', () => {
  const leftBecause = 'PLATELETS is on hold and cannot be released: Control out of range';
  const heldRow = { result: '7', flag: 'LL' as const, ...entered, holds: [hold], leftBecause };
  const explanation = `Not released: ${leftBecause}.`;

  it('counts and names only what clients will see, and says what stays unreleased', async () => {
    const { user } = await renderEntry({
      [`GET ${RESULT_ENTRY_PATH}`]: buildResultEntry([heldRow, { result: '85', ...entered }]),
      [`POST ${ORDER}/release`]: buildResultEntry([heldRow, { result: '85', ...released }], 4),
    });
    await user.click(getButton('Release 1'));
    const dialog = await screen.findByRole('dialog', { name: 'Release results' });
    expect(within(dialog).getByText(say(messages.CONFIRM_RELEASE, { count: 1 }))).toBeVisible();
    expect(within(dialog).getByText(explanation)).toBeVisible();
    expect(within(dialog).queryByText(/Tell the client/)).toBeNull();
    await user.click(within(dialog).getByRole('button', { name: 'Release' }));
    const toast = (await screen.findByText(messages.RESULTS_RELEASED)).closest('[role=alert]');
    expect(toast).toHaveTextContent(explanation);
  });

  it('is impossible with only held results, and explains why', async () => {
    await renderEntry({ [`GET ${RESULT_ENTRY_PATH}`]: buildResultEntry([heldRow]) });
    const button = getButton('Release');
    expect(button).toBeDisabled();
    expect(button).toHaveAccessibleDescription(explanation);
  });
});

describe('Verification', () => {
  it('is offered where the lab requires it', async () => {
    const { user, requests } = await renderEntry({
      [`GET ${RESULT_ENTRY_PATH}`]: {
        ...buildResultEntry([{ result: '250', ...entered }]),
        verificationRequired: true,
      },
      [`POST ${ORDER}/verify`]: buildResultEntry(
        [{ result: '250', ...entered, verifiedBy: 'Una User' }],
        4,
      ),
    });
    await user.click(getButton('Verify 1'));
    expect(await within(getRow('PLATELETS')).findByText('Verified by Una User')).toBeVisible();
    expect(requests.some(({ path }) => path === `${ORDER}/verify`)).toBe(true);
  });
});
