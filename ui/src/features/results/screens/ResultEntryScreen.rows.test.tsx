import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages, ResultStatus, say } from '../../../contract';
import type { EntryRow } from '../clinical/api';
import {
  buildResultEntry,
  entered,
  findResult,
  getButton,
  getRow,
  platelets,
  released,
  renderEntry,
  RESULT_ENTRY_PATH,
} from '../../../test/resultEntry';

describe('A canceled test', () => {
  it('cannot be typed or held, and one without a specimen says so', async () => {
    const canceledRow = { result: '250', enteredBy: 'Una User', status: ResultStatus.CANCELED };
    await renderEntry({
      [`GET ${RESULT_ENTRY_PATH}`]: {
        ...buildResultEntry([canceledRow, { awaitsCollection: true }]),
        awaitsCollection: true,
      },
    });
    expect(await findResult('PLATELETS')).toHaveAttribute('readonly');
    const row = getRow('PLATELETS');
    expect(within(row).getByText('Canceled')).toBeVisible();
    expect(within(row).queryByRole('button')).toBeNull();
    expect(await findResult('GLUCOSE')).not.toHaveAttribute('readonly');
    expect(within(getRow('GLUCOSE')).getByText(messages.SPECIMEN_NEEDED)).toBeVisible();
    expect(screen.getByText('RECOLLECT')).toBeVisible();
  });
});

describe('A test in the panels of an order', () => {
  const panel = { isPanel: true, status: ResultStatus.NONE };
  const other = { name: 'PLATELETS', code: 'PLT' };
  /** Renders both rows of the test: the second owns the result, `first` changes the other. */
  const renderTwin = (first: Partial<EntryRow>) =>
    renderEntry({
      [`GET ${RESULT_ENTRY_PATH}`]: {
        ...buildResultEntry(),
        rows: [
          { ...platelets, ...panel, orderTestId: 10, name: 'FIRST PANEL' },
          { ...platelets, orderTestId: 11, parentId: 10, sameAs: 21, ...first },
          { ...platelets, ...panel, orderTestId: 20, name: 'SECOND PANEL' },
          { ...platelets, ...other, orderTestId: 21, parentId: 20, result: '250', ...entered },
        ],
      },
    });

  it('names the panel in which its result is entered', async () => {
    await renderTwin({ result: '250', ...entered });
    const [row] = screen.getAllByRole('row', { name: /PLATELETS/ });
    expect(row).toHaveTextContent('Entered in SECOND PANEL');
    expect(row).toHaveTextContent('250');
  });

  it('says which row is canceled, without a result', async () => {
    await renderTwin({ result: null, status: ResultStatus.CANCELED });
    const [row] = screen.getAllByRole('row', { name: /PLATELETS/ });
    expect(row).toHaveTextContent('Canceled');
    expect(row).not.toHaveTextContent(/Entered|250/);
  });
});

describe('A calculated result', () => {
  it('names its formula', async () => {
    await renderEntry({
      [`GET ${RESULT_ENTRY_PATH}`]: buildResultEntry([
        { result: '92', calculated: 'CKD-EPI 2021', ...entered },
      ]),
    });
    expect(await findResult('PLATELETS')).toHaveValue('92');
    expect(within(getRow('PLATELETS')).getByText('Calculated: CKD-EPI 2021')).toBeVisible();
  });
});

describe('A result from before its test got another unit', () => {
  const unitNotice = say(messages.RESULT_IN_OTHER_UNIT, { unit: 'mmol/L', test_unit: 'mg/dL' });
  const openOrder = () =>
    renderEntry({
      [`GET ${RESULT_ENTRY_PATH}`]: buildResultEntry([
        // As 10*3/uL, 4.1 would be critically low.
        { result: '4.1', flag: 'N', resultUnit: 'mmol/L', unitNotice, ...entered },
      ]),
    });

  it('is shown in its unit and with its flag, until another value is typed', async () => {
    const { user } = await openOrder();
    const row = within(getRow('PLATELETS'));
    expect(row.getByText('mmol/L')).toBeVisible();
    expect(row.getByText('Normal')).toBeVisible();
    expect(row.getByText(unitNotice)).toBeVisible();
    await user.type(await findResult('PLATELETS'), '0');
    expect(row.getByText('10*3/uL')).toBeVisible();
    expect(row.getByText('Critically low')).toBeVisible();
  });

  it('is named before the release', async () => {
    const { user } = await openOrder();
    await user.click(getButton('Release 1'));
    expect(await screen.findByRole('dialog')).toHaveTextContent(
      say(messages.CONFIRM_RELEASE_UNITS, { results: `PLATELETS: ${unitNotice}` }),
    );
  });
});

describe('The comment on a recalculated result', () => {
  const notice = say(messages.RESULT_COMMENT_EARLIER, { result: '28 mL/min' });
  const openOrder = () =>
    renderEntry({
      [`GET ${RESULT_ENTRY_PATH}`]: buildResultEntry([
        {
          result: '95',
          comment: 'REDUCE THE DOSE',
          commentNotice: notice,
          calculated: 'CKD-EPI 2021',
          isCorrection: true,
          releasedResult: '28',
          ...entered,
        },
      ]),
    });

  it('says that it was written for the earlier value', async () => {
    await openOrder();
    const field = screen.getByLabelText('Comment on PLATELETS');
    expect(within(getRow('PLATELETS')).getByText(notice)).toBeVisible();
    expect(field).toHaveAccessibleDescription(notice);
  });

  it('is named before the release', async () => {
    const { user } = await openOrder();
    await user.click(getButton('Release 1'));
    const comments = "PLATELETS 'REDUCE THE DOSE'";
    expect(
      await screen.findByText(say(messages.CONFIRM_RELEASE_COMMENTS, { comments })),
    ).toBeVisible();
  });
});

describe('A result that cannot be calculated', () => {
  it('is read from its beginning, with the reason', async () => {
    const reason = 'CREATININE is not an exact number';
    await renderEntry({
      [`GET ${RESULT_ENTRY_PATH}`]: buildResultEntry([
        { result: 'NOT CALCULATED', comment: reason, calculated: 'CKD-EPI 2021', ...entered },
      ]),
    });
    const field = await findResult('PLATELETS');
    expect(field).toHaveValue(messages.RESULT_NOT_CALCULATED);
    expect(field.className).toContain('textResult');
    const text = `Calculated: CKD-EPI 2021 · ${reason}`;
    expect(within(getRow('PLATELETS')).getByText(text)).toBeVisible();
  });
});

describe('An added test', () => {
  it('says why it was added, and whether the reason is still valid', async () => {
    const because = say(messages.TEST_ADDED, { test: 'TSH', result: '8.20 (H)' });
    const endedReason = `${because}. ${messages.TEST_ADDED_GONE}`;
    await renderEntry({
      [`GET ${RESULT_ENTRY_PATH}`]: buildResultEntry([
        { addedBecause: because },
        { addedBecause: endedReason, isReasonGone: true },
      ]),
    });
    await findResult('PLATELETS');
    expect(within(getRow('PLATELETS')).getByText(because)).toBeVisible();
    expect(within(getRow('GLUCOSE')).getByText(endedReason)).toBeVisible();
  });
});

describe('A result of a test with a rule of autoverification', () => {
  it('says why it waits, or that nobody released it', async () => {
    const waitingText = say(messages.RESULT_WAITS, { reason: messages.WAITS_LIMITS });
    await renderEntry({
      [`GET ${RESULT_ENTRY_PATH}`]: buildResultEntry([
        { result: '390', waitsBecause: waitingText, ...entered },
        { result: '90', releasedResult: '90', releasedBy: messages.AUTOVERIFICATION, ...released },
      ]),
    });
    await findResult('PLATELETS');
    expect(within(getRow('PLATELETS')).getByText(waitingText)).toBeVisible();
    expect(within(getRow('GLUCOSE')).getByText(/^Released/)).toBeVisible();
    expect(within(getRow('GLUCOSE')).getByText(messages.AUTOVERIFICATION)).toBeVisible();
  });
});

describe('A save of results whose tests have a rule of autoverification', () => {
  it('says what was released automatically, and what waits and why, until it is read', async () => {
    const savedEntry = buildResultEntry([{ result: '200', ...released }], 4);
    const { user } = await renderEntry({
      [`PUT ${RESULT_ENTRY_PATH}`]: {
        ...savedEntry,
        autoverified: [
          { name: 'PLATELETS', result: '200 K/uL', reason: null },
          { name: 'GLUCOSE', result: '390 mg/dL', reason: messages.WAITS_LIMITS },
        ],
      },
    });
    await user.type(await findResult('PLATELETS'), '200');
    await user.click(getButton('Save'));
    const releasedText = say(messages.AUTOVERIFIED, { results: 'PLATELETS 200 K/uL' });
    const waitingText = say(messages.AUTOVERIFIED_WAITING, {
      results: `GLUCOSE 390 mg/dL (${messages.WAITS_LIMITS})`,
    });
    const notice = await screen.findByRole('status', { name: 'Autoverification' });
    expect(await within(notice).findByText(releasedText)).toBeVisible();
    expect(within(notice).getByText(waitingText)).toBeVisible();
    await user.click(within(notice).getByRole('button', { name: 'Close' }));
    expect(notice).toBeEmptyDOMElement();
  });

  it('is only saved if a portal of the previous release says nothing about it', async () => {
    const savedEntry = buildResultEntry([{ result: '200', ...released }], 4);
    const { user } = await renderEntry({
      [`PUT ${RESULT_ENTRY_PATH}`]: { ...savedEntry, autoverified: undefined },
    });
    await user.type(await findResult('PLATELETS'), '200');
    await user.click(getButton('Save'));
    expect(await screen.findByText(messages.RESULTS_SAVED)).toBeVisible();
    expect(screen.getByRole('status', { name: 'Autoverification' })).toBeEmptyDOMElement();
  });
});

describe('A test of two panels', () => {
  it('is typed once and shown in both', async () => {
    const { user } = await renderEntry({
      [`GET ${RESULT_ENTRY_PATH}`]: buildResultEntry([
        {},
        {},
        { name: 'SECOND PANEL', sameAs: 1, resultType: 1, choices: [] },
      ]),
    });
    await user.type(await findResult('PLATELETS'), '251');
    expect(within(getRow('SECOND PANEL')).getByText('251')).toBeVisible();
    expect(screen.queryByLabelText('Result of SECOND PANEL')).toBeNull();
  });
});
