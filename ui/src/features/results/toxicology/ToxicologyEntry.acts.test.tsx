import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';

import { messages, ResultStatus } from '../../../contract';
import { buildProblem } from '../../../test/portal';
import {
  buildEntry,
  enteredRow,
  fentanyl,
  getButton,
  getField,
  oxazepam,
  renderEntry,
  TOXICOLOGY_ENTRY_PATH,
} from '../../../test/toxicologyEntry';

describe('A saved toxicology result', () => {
  const releasedRow = { ...enteredRow, status: ResultStatus.FINAL, released: '150' };
  const withholding = {
    kind: 'withdrawn' as const,
    reason: 'Wrong specimen or patient',
    words: null,
    by: 'Una User',
    at: '2026-11-20T10:00:00',
  };

  it('is withdrawn with a reason, and says so', async () => {
    const { user, getBody } = await renderEntry(buildEntry(releasedRow), {
      'POST /api/v2/orders/12/toxicology-withhold': buildEntry(
        { ...releasedRow, status: ResultStatus.UNRELEASED, withheld: withholding },
        { version: 4 },
      ),
    });
    await user.click(getButton('More about OXAZEPAM, URINE'));
    await user.click(await screen.findByRole('menuitem', { name: 'Withdraw ...' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.selectOptions(await dialog.findByLabelText(/Reason/), 'SPECIMEN');
    await user.click(dialog.getByRole('button', { name: 'Withdraw' }));
    expect(await screen.findByText('Withdrawn · Wrong specimen or patient')).toBeVisible();
    expect(getBody('POST')).toMatchObject({
      orderTestIds: [7],
      kind: 'withdrawn',
      reason: 'SPECIMEN',
    });
  });

  it('is held in every order, as the button says', async () => {
    const hold = {
      id: 5,
      reason: 'Control out of range',
      words: null,
      everyOrder: true,
      placedBy: 'Una User',
      placedAt: '2026-11-20T10:00:00',
    };
    const { user, getBody } = await renderEntry(buildEntry(enteredRow), {
      'POST /api/v2/orders/12/toxicology-holds': buildEntry(
        { ...enteredRow, holds: [hold], leftBecause: 'OXAZEPAM, URINE is on hold' },
        { version: 4 },
      ),
    });
    await user.click(getButton('More about OXAZEPAM, URINE'));
    await user.click(await screen.findByRole('menuitem', { name: 'Hold ...' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByRole('button', { name: 'Hold in this order' })).toBeVisible();
    await user.selectOptions(await dialog.findByLabelText(/Reason/), 'SPECIMEN');
    await user.click(dialog.getByRole('radio', { name: /In every order/ }));
    await user.click(dialog.getByRole('button', { name: 'Hold in every order' }));
    expect(await screen.findByText('ON HOLD IN EVERY ORDER · Control out of range')).toBeVisible();
    expect(getBody('POST')).toMatchObject({ orderTestIds: [7], everyOrder: true });
    expect(getButton('Release')).toBeDisabled();
    expect(getButton('Release')).toHaveAccessibleDescription(
      'Not released: OXAZEPAM, URINE is on hold.',
    );
  });
});

/** Chooses an act in the menu of a test. */
async function chooseAct(user: UserEvent, name: RegExp): Promise<void> {
  await user.click(getButton('More about OXAZEPAM, URINE'));
  await user.click(await screen.findByRole('menuitem', { name }));
  // The menu returns the focus when it has closed; keys before that would be lost.
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
}

const getLine = () => within(screen.getByRole('row', { name: /OXAZEPAM/ }));

describe('A dilution of a drug test', () => {
  const dilute = async (user: UserEvent, factor: string) => {
    await chooseAct(user, /Dilution/);
    const dialog = await screen.findByRole('dialog', { name: 'Dilution of OXAZEPAM, URINE' });
    await user.type(within(dialog).getByLabelText('Factor'), factor);
    await user.click(within(dialog).getByRole('button', { name: 'Use' }));
    await waitFor(() => expect(dialog).not.toBeInTheDocument());
  };

  it('multiplies the typed value, and says so and checks it before it is saved', async () => {
    const { user, getBody } = await renderEntry(buildEntry(), {
      [`PUT ${TOXICOLOGY_ENTRY_PATH}`]: buildEntry(
        { ...enteredRow, measured: '15', dilution: 10 },
        { version: 4 },
      ),
    });
    await dilute(user, '10');
    await user.type(getField('Result of OXAZEPAM, URINE'), '15 ng/mL');
    expect(getLine().getByText('15 ng/mL at 1:10 = 150')).toBeVisible();
    expect(getLine().getByText('Detected')).toBeVisible();
    await user.click(getButton('Save'));
    expect(await screen.findByText(messages.RESULTS_SAVED)).toBeVisible();
    expect(getBody('PUT')).toMatchObject({
      results: [{ orderTestId: 7, result: '15 ng/mL', dilution: 10 }],
    });
    expect(getLine().getByText('15 at 1:10')).toBeVisible();
  });

  it('can be chosen after the value is typed', async () => {
    const { user } = await renderEntry(buildEntry());
    await user.type(getField('Result of OXAZEPAM, URINE'), '15');
    await dilute(user, '10');
    expect(getLine().getByText('15 at 1:10 = 150')).toBeVisible();
  });

  it('that is rejected says so at the result', async () => {
    const reason = 'Enter 1000000 at most';
    const { user } = await renderEntry(buildEntry(), {
      [`PUT ${TOXICOLOGY_ENTRY_PATH}`]: () =>
        buildProblem(400, 'bad_input', reason, [{ field: 'results.0.dilution', message: reason }]),
    });
    await user.type(getField('Result of OXAZEPAM, URINE'), '1');
    await dilute(user, '9999999');
    await user.click(getButton('Save'));
    expect(await getLine().findByText(reason)).toBeVisible();
    expect(getField('Result of OXAZEPAM, URINE')).toBeInvalid();
  });

  it('stays when only the comment changes', async () => {
    const diluted = { ...enteredRow, measured: '15', dilution: 10 };
    const { user, getBody } = await renderEntry(buildEntry(diluted), {
      [`PUT ${TOXICOLOGY_ENTRY_PATH}`]: buildEntry(diluted, { version: 4 }),
    });
    await user.type(getField('Comment on OXAZEPAM, URINE'), 'By LC-MS');
    await user.click(getButton('Save'));
    expect(await screen.findByText(messages.RESULTS_SAVED)).toBeVisible();
    expect(getBody('PUT')).toMatchObject({
      results: [{ result: '15', dilution: 10, comment: 'By LC-MS' }],
    });
  });

  it('is not offered for words and for released results', async () => {
    const words = { ...enteredRow, result: 'POSITIVE', choices: ['NEGATIVE', 'POSITIVE'] };
    const released = {
      ...fentanyl,
      ...enteredRow,
      status: ResultStatus.FINAL,
      released: '150',
    };
    const { user } = await renderEntry(
      buildEntry({}, { rows: [{ ...oxazepam, ...words }, released] }),
    );
    for (const name of ['OXAZEPAM, URINE', 'FENTANYL, URINE']) {
      await user.click(getButton(`More about ${name}`));
      expect((await screen.findAllByRole('menuitem')).length).toBeGreaterThan(0);
      expect(screen.queryByRole('menuitem', { name: /Dilution/ })).toBeNull();
      await user.keyboard('{Escape}');
      await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
    }
  });
});

describe('A repeat of a drug test', () => {
  it('may confirm the first result, which stays beside it', async () => {
    const { user, getBody } = await renderEntry(buildEntry(enteredRow), {
      [`PUT ${TOXICOLOGY_ENTRY_PATH}`]: buildEntry({ ...enteredRow, firstResult: '150' }),
    });
    await chooseAct(user, /Repeat/);
    expect(getField('Result of OXAZEPAM, URINE')).toHaveValue('');
    expect(getLine().getByText('first 150')).toBeVisible();
    await user.type(getField('Result of OXAZEPAM, URINE'), '150');
    await user.click(getButton('Save'));
    expect(await screen.findByText(messages.RESULTS_SAVED)).toBeVisible();
    expect(getBody('PUT')).toMatchObject({ results: [{ result: '150', isRepeat: true }] });
    expect(getLine().getByText('first 150')).toBeVisible();
  });

  it('can be undone, and nothing is left to save', async () => {
    const { user } = await renderEntry(buildEntry(enteredRow));
    await chooseAct(user, /Repeat/);
    await chooseAct(user, /Keep First Result/);
    expect(getField('Result of OXAZEPAM, URINE')).toHaveValue('150');
    await waitFor(() => expect(getButton('Save')).toBeDisabled());
    expect(getButton('Release 1')).toBeEnabled();
  });
});
