import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages, ResultStatus, say } from '../../../contract';
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

describe('Toxicology entry', () => {
  it('locks canceled tests, and marks those without a specimen', async () => {
    await renderEntry(
      buildEntry(
        {},
        {
          rows: [
            { ...oxazepam, ...enteredRow, status: ResultStatus.CANCELED },
            { ...fentanyl, awaitsCollection: true },
          ],
        },
      ),
    );
    expect(getField('Result of OXAZEPAM, URINE')).toHaveAttribute('readonly');
    expect(getField('Result of FENTANYL, URINE')).not.toHaveAttribute('readonly');
    const waitingRow = screen.getByRole('row', { name: /FENTANYL/ });
    expect(within(waitingRow).getByText(messages.SPECIMEN_NEEDED)).toBeVisible();
  });

  it('goes down the column with Enter and saves what was typed', async () => {
    const { user, getBody } = await renderEntry(buildEntry(), {
      [`PUT ${TOXICOLOGY_ENTRY_PATH}`]: buildEntry(enteredRow, { version: 4 }),
    });
    await user.type(getField('Result of OXAZEPAM, URINE'), '150{Enter}');
    expect(getField('Result of FENTANYL, URINE')).toHaveFocus();
    await user.click(getButton('Save'));
    expect(await screen.findByText(messages.RESULTS_SAVED)).toBeVisible();
    expect(getBody('PUT')).toEqual({
      results: [
        { orderTestId: 7, result: '150', comment: null, reasonCode: null, explanation: null },
      ],
    });
    const line = screen.getByRole('row', { name: /OXAZEPAM/ });
    expect(within(line).getByText('Detected')).toBeVisible();
  });

  it('enters a test of two panels once', async () => {
    const rows = [
      { ...oxazepam, ...enteredRow },
      { ...oxazepam, ...enteredRow, orderTestId: 9, sameAs: 7 },
    ];
    await renderEntry(buildEntry({}, { rows }));
    expect(screen.getAllByLabelText('Result of OXAZEPAM, URINE')).toHaveLength(1);
    expect(screen.getByText('Entered above')).toBeVisible();
    expect(getButton('Release 1')).toBeEnabled();
  });

  it('checks each letter that is typed', async () => {
    const { user } = await renderEntry(buildEntry({ ...enteredRow }));
    const line = within(screen.getByRole('row', { name: /OXAZEPAM/ }));
    const field = getField('Result of OXAZEPAM, URINE');
    expect(line.getByText('Detected')).toBeVisible();
    await user.clear(field);
    expect(line.queryByText('Detected')).toBeNull();
    await user.type(field, '19');
    expect(line.getByText('Not detected')).toBeVisible();
    await user.type(field, '0');
    expect(line.getByText('Detected')).toBeVisible();
    expect(field).toBeValid();
    await user.clear(field);
    await user.type(field, '<30');
    expect(line.getByText('Below or above the cut-off')).toBeVisible();
    expect(field).toBeInvalid();
  });

  it('asks about an unusual value, and saves it only after the answer', async () => {
    const { user, requests, getBody } = await renderEntry(buildEntry(), {
      [`PUT ${TOXICOLOGY_ENTRY_PATH}`]: buildEntry({ ...enteredRow, result: '30000' }),
    });
    const listSaves = () => requests.filter(({ method }) => method === 'PUT');
    const question = (value: string) =>
      say(messages.RESULT_ABSURDLY_HIGH, { test: 'OXAZEPAM, URINE', value, limit: 20_000 });
    await user.type(getField('Result of OXAZEPAM, URINE'), '30000 ng/mL');
    await user.click(getButton('Save'));
    const dialog = await screen.findByRole('dialog', { name: 'Unusual results' });
    expect(dialog).toHaveTextContent(question('30000'));
    await user.click(within(dialog).getByRole('button', { name: 'Change' }));
    await waitFor(() => expect(dialog).not.toBeInTheDocument());
    expect(listSaves()).toHaveLength(0);
    await user.click(getButton('Save'));
    await user.click(await screen.findByRole('button', { name: 'Yes, save' }));
    expect(await screen.findByText(messages.RESULTS_SAVED)).toBeVisible();
    expect(getBody('PUT')).toMatchObject({
      results: [{ orderTestId: 7, result: '30000 ng/mL', isConfirmed: true }],
    });
  });

  it('asks again about another value', async () => {
    const reason = 'FENTANYL, URINE: enter a number';
    const { user, requests } = await renderEntry(buildEntry(), {
      [`PUT ${TOXICOLOGY_ENTRY_PATH}`]: () =>
        buildProblem(400, 'bad_input', reason, [{ field: 'results.1.result', message: reason }]),
    });
    await user.type(getField('Result of FENTANYL, URINE'), 'maybe');
    await user.type(getField('Result of OXAZEPAM, URINE'), '30000');
    await user.click(getButton('Save'));
    await user.click(await screen.findByRole('button', { name: 'Yes, save' }));
    await screen.findAllByText(reason);
    await user.type(getField('Result of OXAZEPAM, URINE'), '1');
    await user.click(getButton('Save'));
    expect(await screen.findByRole('dialog', { name: 'Unusual results' })).toHaveTextContent(
      '300001 is over 20000',
    );
    expect(requests.filter(({ method }) => method === 'PUT')).toHaveLength(1);
  });

  it('marks a rejected value and loses nothing', async () => {
    const reason = say(messages.TOXICOLOGY_NOT_A_RESULT, { test: 'FENTANYL, URINE' });
    const { user } = await renderEntry(buildEntry(), {
      [`PUT ${TOXICOLOGY_ENTRY_PATH}`]: () =>
        buildProblem(400, 'bad_input', reason, [{ field: 'results.1.result', message: reason }]),
    });
    await user.type(getField('Result of OXAZEPAM, URINE'), '150');
    await user.type(getField('Result of FENTANYL, URINE'), 'maybe');
    await user.click(getButton('Save'));
    const line = await screen.findByRole('row', { name: /FENTANYL/ });
    expect(await within(line).findByText(reason)).toBeVisible();
    expect(getField('Result of FENTANYL, URINE')).toBeInvalid();
    await waitFor(() => expect(getField('Result of FENTANYL, URINE')).toHaveFocus());
    expect((await screen.findByRole('alert')).textContent).toContain(reason);
    expect(getField('Result of OXAZEPAM, URINE')).toHaveValue('150');
  });

  it('shows a result from before a change of the unit with its own unit', async () => {
    const unitNotice = say(messages.RESULT_IN_OTHER_UNIT, { unit: 'ng/mL', test_unit: 'mg/L' });
    const row = { ...enteredRow, unit: 'mg/L', resultUnit: 'ng/mL', cutOff: null, unitNotice };
    const { user } = await renderEntry(buildEntry(row));
    const line = within(screen.getByRole('row', { name: /OXAZEPAM/ }));
    expect(line.getByText('ng/mL')).toBeVisible();
    expect(line.getByText(unitNotice)).toBeVisible();
    await user.type(getField('Result of OXAZEPAM, URINE'), '0');
    expect(line.getByText('mg/L')).toBeVisible();
    await user.clear(getField('Result of OXAZEPAM, URINE'));
    await user.type(getField('Result of OXAZEPAM, URINE'), '150');
    await user.click(getButton('Release 1'));
    expect(await screen.findByRole('dialog')).toHaveTextContent(
      say(messages.CONFIRM_RELEASE_UNITS, { results: `OXAZEPAM, URINE: ${unitNotice}` }),
    );
  });

  it('is locked without the permission, and says why', async () => {
    const denied = { allowed: false, reason: messages.RESULT_ENTRY_DISABLED };
    await renderEntry(buildEntry({}, { canEnterResults: denied }));
    expect(screen.getByText(messages.RESULT_ENTRY_DISABLED)).toBeVisible();
    expect(getField('Result of OXAZEPAM, URINE')).toHaveAttribute('readonly');
  });
});
