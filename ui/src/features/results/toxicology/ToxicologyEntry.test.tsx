import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';

import { messages, ResultStatus, Role, say, Withholding } from '../../../contract';
import { enteredOrder } from '../../../test/orders';
import { buildProblem, type Answers } from '../../../test/portal';
import { buildProfile, renderPortal } from '../../../test/render';
import type { ToxicologyEntryOrder, ToxicologyEntryRow } from './api';
import { ToxicologyEntry } from './ToxicologyEntry';

const PATH = '/api/v2/orders/12/toxicology-entry';

const oxazepam: ToxicologyEntryRow = {
  orderTestId: 7,
  sameAs: null,
  parentId: null,
  level: 0,
  code: 'QOXA',
  name: 'OXAZEPAM, URINE',
  isPanel: false,
  method: 'confirmation',
  unit: 'ng/mL',
  cutOff: '20',
  low: null,
  high: null,
  detectionWindow: '3-10 days',
  resultUnit: 'ng/mL',
  unitNotice: null,
  judgedLimits: null,
  choices: [],
  result: null,
  comment: null,
  reasonCode: null,
  reason: null,
  explanation: null,
  isDetected: null,
  status: ResultStatus.PENDING,
  awaitsCollection: false,
  released: null,
  releasedAt: null,
  releasedBy: null,
  withheld: null,
  holds: [],
  leftBecause: null,
  enteredBy: null,
};
const fentanyl: ToxicologyEntryRow = {
  ...oxazepam,
  orderTestId: 8,
  code: 'QFEN',
  name: 'FENTANYL, URINE',
  cutOff: '2',
};
const enteredRow = { result: '150', isDetected: true, status: ResultStatus.UNRELEASED };

const buildEntry = (
  row: Partial<ToxicologyEntryRow> = {},
  values: Partial<ToxicologyEntryOrder> = {},
): ToxicologyEntryOrder => ({
  ...enteredOrder,
  medications: ['VALIUM'],
  specimenFault: null,
  verdicts: [],
  goneVerdicts: [],
  rows: [{ ...oxazepam, ...row }, fentanyl],
  ...values,
});

async function renderEntry(entry: ToxicologyEntryOrder, answers: Answers = {}) {
  const view = await renderPortal(<ToxicologyEntry orderId={12} tabs={null} />, {
    user: buildProfile(Role.LABORATORY),
    parameters: { id: '12', kind: 'toxicology' },
    answers: {
      [`GET ${PATH}`]: entry,
      'GET /api/v2/reasons': [{ code: 'SPECIMEN', words: 'Wrong specimen or patient' }],
      ...answers,
    },
  });
  await screen.findByLabelText('Result of OXAZEPAM, URINE');
  const getBody = (method: string) =>
    view.requests.findLast((request) => request.method === method)?.body;
  return { ...view, getBody };
}

/** Chooses why a released result is corrected. */
async function correct(user: UserEvent, name: string, submitLabel = 'Correct') {
  await user.click(getButton(name));
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByRole('option', { name: 'Wrong specimen or patient' });
  await user.selectOptions(dialog.getByLabelText(/Reason/), 'SPECIMEN');
  await user.click(dialog.getByRole('button', { name: submitLabel }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
}

const getField = (name: string) => screen.getByLabelText(name);
const getButton = (name: string | RegExp) => screen.getByRole('button', { name });

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
      [`PUT ${PATH}`]: buildEntry(enteredRow, { version: 4 }),
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

  it('says what a release would mean, and why the specimen is invalid', async () => {
    await renderEntry(
      buildEntry(enteredRow, {
        specimenFault: 'CREATININE 5 IS BELOW 20',
        verdicts: [
          {
            kind: 'consistent',
            medication: 'VALIUM',
            name: 'DIAZEPAM',
            why: 'OXAZEPAM IS A METABOLITE OF THE REPORTED DIAZEPAM',
            isPresumptive: false,
            isCritical: false,
            isShown: false,
          },
        ],
      }),
    );
    const verdicts = screen.getByRole('region', { name: 'Verdicts' });
    expect(within(verdicts).getByText('Reported medications: VALIUM')).toBeVisible();
    expect(
      within(verdicts).getByText('OXAZEPAM IS A METABOLITE OF THE REPORTED DIAZEPAM'),
    ).toBeVisible();
    expect(within(verdicts).getByText(/CREATININE 5 IS BELOW 20/)).toBeVisible();
  });

  it('locks a released result until its correction has a reason', async () => {
    const releasedRow = {
      ...enteredRow,
      status: ResultStatus.FINAL,
      released: '150',
      releasedAt: '2026-03-04T10:00:00',
      releasedBy: 'Lee Bench',
    };
    const { user, getBody } = await renderEntry(buildEntry(releasedRow), {
      [`PUT ${PATH}`]: buildEntry({
        ...releasedRow,
        result: '15',
        status: ResultStatus.UNRELEASED,
        reasonCode: 'SPECIMEN',
        reason: 'Wrong specimen or patient',
      }),
    });
    expect(getField('Result of OXAZEPAM, URINE')).toHaveAttribute('readonly');
    expect(getField('Comment on OXAZEPAM, URINE')).toHaveAttribute('readonly');
    expect(getField('Result of FENTANYL, URINE')).not.toHaveAttribute('readonly');
    const line = within(screen.getByRole('row', { name: /OXAZEPAM/ }));
    expect(line.getByText('Released 03/04/2026 10:00 AM')).toBeVisible();
    expect(line.getByText('Lee Bench')).toBeVisible();
    await correct(user, 'Correct OXAZEPAM, URINE');
    expect(line.getByText('Correction')).toBeVisible();
    expect(line.getByText('Wrong specimen or patient')).toBeVisible();
    await user.clear(getField('Result of OXAZEPAM, URINE'));
    await user.type(getField('Result of OXAZEPAM, URINE'), '15');
    await user.click(getButton('Save'));
    expect(await screen.findByText(messages.RESULTS_SAVED)).toBeVisible();
    expect(getBody('PUT')).toEqual({
      results: [
        {
          orderTestId: 7,
          result: '15',
          comment: null,
          reasonCode: 'SPECIMEN',
          explanation: null,
        },
      ],
    });
    expect(line.getByText('Correction, not released')).toBeVisible();
    expect(line.getByText('was 150 · Wrong specimen or patient')).toBeVisible();
    expect(getField('Result of OXAZEPAM, URINE')).not.toHaveAttribute('readonly');
  });

  it('changes the reason of a correction that is not released', async () => {
    const correction = { ...enteredRow, released: '180', reasonCode: 'OLD', reason: 'Old words' };
    const { user, getBody } = await renderEntry(buildEntry(correction), {
      [`PUT ${PATH}`]: buildEntry(correction, { version: 4 }),
    });
    // The lab has ended the reason since it was chosen.
    expect(screen.getByText('was 180 · Old words')).toBeVisible();
    await correct(user, 'Reason to correct OXAZEPAM, URINE', 'Change');
    expect(screen.getByText('was 180 · Wrong specimen or patient')).toBeVisible();
    await user.click(getButton('Save'));
    expect(await screen.findByText(messages.RESULTS_SAVED)).toBeVisible();
    expect(getBody('PUT')).toMatchObject({
      results: [{ orderTestId: 7, result: '150', reasonCode: 'SPECIMEN' }],
    });
  });

  it('asks why a withdrawn result is reported again, even if its value is hidden', async () => {
    const withheld = {
      kind: Withholding.WITHDRAWN,
      reason: null,
      words: null,
      by: null,
      at: '2026-03-05T10:00:00',
    };
    const hiddenRow = { status: ResultStatus.FINAL, withheld };
    const { user, getBody } = await renderEntry(buildEntry(hiddenRow), {
      [`PUT ${PATH}`]: buildEntry(hiddenRow),
    });
    expect(getField('Result of OXAZEPAM, URINE')).toHaveAttribute('readonly');
    await correct(user, 'Correct OXAZEPAM, URINE');
    await user.type(getField('Result of OXAZEPAM, URINE'), '150');
    await user.click(getButton('Save'));
    expect(await screen.findByText(messages.RESULTS_SAVED)).toBeVisible();
    expect(getBody('PUT')).toMatchObject({
      results: [{ orderTestId: 7, result: '150', reasonCode: 'SPECIMEN' }],
    });
  });

  it.each([
    [null, 'Released: 180. Readers of the report will see it beside the correction.'],
    [
      Withholding.REVIEW,
      'Under review: 180. Readers of the report see no result during the review. The release of the correction ends it, and they will see this value beside the correction.',
    ],
    [Withholding.WITHDRAWN, 'Withdrawn: 180. Readers of the report will not see it'],
  ])('says what readers will see of a corrected result (%s)', async (kind, words) => {
    const at = '2026-03-05T10:00:00';
    const withheld = kind === null ? null : { kind, reason: null, words: null, by: null, at };
    const released = { ...enteredRow, status: ResultStatus.FINAL, released: '180', withheld };
    const { user } = await renderEntry(buildEntry(released));
    await user.click(getButton('Correct OXAZEPAM, URINE'));
    expect(await screen.findByRole('dialog')).toHaveTextContent(words);
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

  it('says that the verdicts are about saved results while values are typed', async () => {
    const { user } = await renderEntry(buildEntry(enteredRow));
    const verdicts = within(screen.getByRole('region', { name: 'Verdicts' }));
    expect(verdicts.getByText(messages.TOXICOLOGY_VERDICTS_SAVED)).toBeVisible();
    await user.type(getField('Result of FENTANYL, URINE'), '9');
    expect(verdicts.getByText(messages.TOXICOLOGY_VERDICTS_UNSAVED)).toBeVisible();
    expect(verdicts.queryByText(messages.TOXICOLOGY_VERDICTS_SAVED)).toBeNull();
  });

  it('marks a rejected value and loses nothing', async () => {
    const reason = say(messages.TOXICOLOGY_NOT_A_RESULT, { test: 'FENTANYL, URINE' });
    const { user } = await renderEntry(buildEntry(), {
      [`PUT ${PATH}`]: () =>
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

  it('releases saved results after a question, which says what readers will see', async () => {
    const verdicts = [
      {
        kind: 'unexpectedPositive' as const,
        medication: '',
        name: 'FENTANYL',
        why: 'FENTANYL WAS DETECTED',
        isPresumptive: false,
        isCritical: false,
        isShown: false,
      },
      {
        kind: 'other' as const,
        medication: 'VALIUM',
        name: 'DIAZEPAM',
        why: 'NO VERDICT ON DIAZEPAM: CREATININE IS PENDING',
        isPresumptive: false,
        isCritical: false,
        isShown: false,
      },
    ];
    const { user, getBody } = await renderEntry(buildEntry(enteredRow, { verdicts }), {
      'POST /api/v2/orders/12/toxicology-release': buildEntry(
        { ...enteredRow, status: ResultStatus.FINAL, released: '150' },
        { version: 4 },
      ),
    });
    await user.click(getButton('Release 1'));
    const dialog = await screen.findByRole('dialog');
    expect(within(dialog).getByText(messages.TOXICOLOGY_VERDICTS_RELEASED)).toBeVisible();
    for (const { why } of verdicts) expect(within(dialog).getByText(why)).toBeVisible();
    await user.click(within(dialog).getByRole('button', { name: 'Release' }));
    expect(await screen.findByText(messages.RESULTS_RELEASED)).toBeVisible();
    expect(getBody('POST')).toEqual({ orderTestIds: null });
  });

  it('tells what a release newly shows from what readers see already', async () => {
    const build = (name: string, isShown: boolean) => ({
      kind: 'unexpectedPositive' as const,
      medication: '',
      name,
      why: `${name} WAS DETECTED`,
      isPresumptive: false,
      isCritical: true,
      isShown,
    });
    const verdicts = [build('FENTANYL', true), build('HEROIN', false)];
    const goneVerdicts = ['METHADONE WAS DETECTED'];
    const { user } = await renderEntry(buildEntry(enteredRow, { verdicts, goneVerdicts }));
    await user.click(getButton('Release 1'));
    const dialog = await screen.findByRole('dialog');
    const text = dialog.textContent;
    const order = [
      messages.TOXICOLOGY_VERDICTS_NEW,
      'HEROIN WAS DETECTED',
      messages.TOXICOLOGY_VERDICTS_GONE,
      'METHADONE WAS DETECTED',
      messages.TOXICOLOGY_VERDICTS_SHOWN,
      'FENTANYL WAS DETECTED',
    ].map((words) => text.indexOf(words));
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(order).not.toContain(-1);
    // Only what is new is to be told to the client.
    expect(
      within(dialog).getByText(
        say(messages.CONFIRM_RELEASE_CRITICAL, { results: 'HEROIN WAS DETECTED' }),
      ),
    ).toBeVisible();
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
