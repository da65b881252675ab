import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages, Role, say } from '../../../contract';
import { buildPage, buildProblem, type Answers } from '../../../test/portal';
import { buildProfile, renderPortal } from '../../../test/render';
import Autoverification from './Autoverification';

const PATH = '/api/v2/autoverification';
const LIST = `GET ${PATH}/remote-operations`;
const row = {
  id: 3,
  testId: 7,
  code: 'K',
  name: 'POTASSIUM',
  unit: 'mmol/L',
  method: 'ISE',
  testUnit: 'mmol/L',
  testMethod: 'ISE',
  low: 3.6,
  high: 5,
  allowsAbnormal: false,
  deltaPercent: 15,
  deltaDays: 30,
  isOn: false,
  isTried: false,
  switchedAt: null,
  switchedBy: null,
  switchedById: null,
  version: 4,
};
const trial = {
  results: 10,
  comparable: 10,
  released: 7,
  corrected: 1,
  isCapped: false,
  withoutEarlier: 0,
  obstacles: [{ reason: 'limits', words: messages.WAITS_LIMITS, count: 3 }],
  tests: [{ testId: 7, name: 'POTASSIUM', results: 10, comparable: 10, released: 7, corrected: 1 }],
  corrections: [
    {
      orderId: 12,
      codeValue: 'L260000012',
      test: 'POTASSIUM',
      result: '4.1 mmol/L',
      correctedResult: '6.1 mmol/L',
    },
  ],
};
const limits = { low: 3.6, high: 5, allowsAbnormal: false, deltaPercent: 15, deltaDays: 30 };

async function openRule(answers: Answers = {}, role: Role = Role.SUPERUSER) {
  const view = await renderPortal(<Autoverification />, {
    user: buildProfile(role),
    answers: {
      [LIST]: buildPage([row]),
      'GET /api/v2/public-settings/autoverification': {
        enabled: true,
        canChange: { allowed: true, reason: null },
      },
      [`POST ${PATH}/try-out`]: trial,
      'GET /api/v2/lab-data/lab-tests/7': { values: { unit: 'mmol/L', method: 'ISE' } },
      ...answers,
    },
  });
  await view.user.dblClick(await screen.findByRole('gridcell', { name: 'POTASSIUM' }));
  const findSentRequest = (method: string) =>
    view.requests.find((request) => request.method === method && request.path.startsWith(PATH));
  return { ...view, findSentRequest };
}

const getButton = (name: string) => screen.getByRole('button', { name });

describe('Autoverification', () => {
  it('tries out the limits of a rule, and lists results that were corrected later', async () => {
    const { user, findSentRequest } = await openRule();
    expect(screen.getByRole('textbox', { name: /Lowest Result/ })).toHaveValue('3.6');
    await user.click(getButton('Try Out'));
    expect(
      await screen.findByText(say(messages.TRIAL_COUNTS, { results: 10, released: 7, waiting: 3 })),
    ).toBeVisible();
    expect(screen.getByText(`3: ${messages.WAITS_LIMITS}`)).toBeVisible();
    const table = within(screen.getByRole('region', { name: 'Corrected later' }));
    expect(table.getByRole('row', { name: /L260000012 POTASSIUM 4.1 mmol\/L 6.1/ })).toBeVisible();
    expect(findSentRequest('POST')?.body).toMatchObject({ testId: 7, limits });
  });

  it('hides the counts of other limits and other days', async () => {
    const { user } = await openRule();
    await user.click(getButton('Try Out'));
    const counts = say(messages.TRIAL_COUNTS, { results: 10, released: 7, waiting: 3 });
    expect(await screen.findByText(counts)).toBeVisible();
    const low = screen.getByRole('textbox', { name: /Lowest Result/ });
    await user.type(low, '5');
    expect(screen.queryByText(counts)).not.toBeInTheDocument();
    await user.type(low, '{Backspace}');
    expect(screen.getByText(counts)).toBeVisible();
    await user.clear(screen.getByRole('textbox', { name: /Start Date/ }));
    expect(screen.queryByText(counts)).not.toBeInTheDocument();
    expect(screen.getByText(messages.TRIAL_NONE)).toBeVisible();
  });

  it.each([
    ['Largest Change', '0', messages.AUTOVERIFICATION_PERCENT],
    ['Within Days', '0', say(messages.AUTOVERIFICATION_DAYS, { max: '3,660' })],
    ['Within Days', '1.5', say(messages.AUTOVERIFICATION_DAYS, { max: '3,660' })],
    ['Within Days', '3661', say(messages.AUTOVERIFICATION_DAYS, { max: '3,660' })],
    ['Within Days', 'a week', messages.NUMBER_REQUIRED],
  ])(
    'says what %s may be instead of %s, and asks the portal nothing',
    async (name, text, fault) => {
      const { user, findSentRequest } = await openRule();
      const field = screen.getByRole('textbox', { name: new RegExp(name) });
      await user.clear(field);
      await user.type(field, text);
      await user.click(getButton('Try Out'));
      expect(field).toHaveAccessibleDescription(fault);
      expect(findSentRequest('POST')).toBeUndefined();
    },
  );

  it('shows at its field what the portal rejects, until it is typed again', async () => {
    const { user } = await openRule({
      [`POST ${PATH}/try-out`]: buildProblem(400, 'bad_input', 'Bad', [
        { field: 'limits.deltaPercent', message: messages.VALUE_INVALID },
        { field: 'startDate', message: messages.VALUE_REQUIRED },
      ]),
    });
    const change = screen.getByRole('textbox', { name: /Largest Change/ });
    await user.click(getButton('Try Out'));
    await waitFor(() => expect(change).toHaveAccessibleDescription(messages.VALUE_INVALID));
    const start = screen.getByRole('textbox', { name: /Start Date/ });
    expect(start).toHaveAccessibleDescription(messages.VALUE_REQUIRED);
    await user.type(change, '5');
    expect(screen.queryByText(messages.VALUE_INVALID)).not.toBeInTheDocument();
  });

  it('says how many results had no earlier value to compare with', async () => {
    const { user } = await openRule({ [`POST ${PATH}/try-out`]: { ...trial, withoutEarlier: 4 } });
    await user.click(getButton('Try Out'));
    expect(await screen.findByText(say(messages.TRIAL_NO_EARLIER, { count: 4 }))).toBeVisible();
  });

  it('says in which unit and by which method the limits are', async () => {
    await openRule();
    expect(await screen.findByText('In mmol/L by ISE')).toBeVisible();
  });

  it('says that a try-out without comparable results proves nothing', async () => {
    const { user } = await openRule({
      [`POST ${PATH}/try-out`]: { ...trial, comparable: 0, released: 0, corrections: [] },
    });
    await user.click(getButton('Try Out'));
    expect(await screen.findByText(messages.TRIAL_NOT_COMPARABLE)).toBeVisible();
    expect(getButton('Switch On')).toBeDisabled();
    expect(getButton('Switch On')).toHaveAccessibleDescription(
      messages.AUTOVERIFICATION_TRIED_NOTHING,
    );
  });

  it('shows progress while the portal searches', async () => {
    let answer: (value: unknown) => void = () => undefined;
    const { user } = await openRule({
      [`POST ${PATH}/try-out`]: () => new Promise((resolve) => (answer = resolve)),
    });
    await user.click(getButton('Try Out'));
    const panel = within(screen.getByRole('region', { name: 'Past results' }));
    expect(await panel.findByRole('progressbar')).toBeVisible();
    answer({ ...trial, results: 0, released: 0, obstacles: [], corrections: [] });
    expect(await screen.findByText(messages.TRIAL_EMPTY)).toBeVisible();
    expect(panel.queryByRole('progressbar')).toBeNull();
  });

  it('rejects text that is not a number, and sends nothing', async () => {
    const { user, findSentRequest } = await openRule();
    const low = screen.getByRole('textbox', { name: /Lowest Result/ });
    await user.clear(low);
    await user.type(low, 'much');
    await user.click(getButton('Try Out'));
    expect(await screen.findByText(messages.NUMBER_REQUIRED)).toBeVisible();
    expect(low).toHaveValue('much');
    expect(findSentRequest('POST')).toBeUndefined();
  });

  it('tries out all rules with their own limits', async () => {
    const { user, findSentRequest } = await openRule();
    await user.click(getButton('Try Out All Rules'));
    await waitFor(() =>
      expect(findSentRequest('POST')?.body).toMatchObject({ testId: null, limits: null }),
    );
  });

  it('switches on only limits that were tried out, after a question', async () => {
    const { user, requests } = await openRule({
      [LIST]: buildPage([{ ...row, isTried: true }]),
      [`POST ${PATH}/rules/7/switch`]: { ...row, isOn: true, isTried: true },
    });
    await waitFor(() => expect(getButton('Switch On')).toBeEnabled());
    await user.click(getButton('Switch On'));
    const dialog = await screen.findByRole('dialog', { name: 'Switch On' });
    await user.click(within(dialog).getByRole('button', { name: 'Switch On' }));
    expect(
      await screen.findByText(say(messages.AUTOVERIFICATION_ON, { test: 'POTASSIUM' })),
    ).toBeVisible();
    const sentRequest = requests.find(({ path }) => path.endsWith('/switch'));
    expect(sentRequest?.body).toEqual({ isOn: true });
    expect(sentRequest?.headers.get('If-Match')).toBe('"4"');
  });

  it('offers no switch for limits that were not tried out', async () => {
    await openRule();
    expect(getButton('Switch On')).toBeDisabled();
    expect(getButton('Switch On')).toHaveAttribute('title', messages.AUTOVERIFICATION_NOT_TRIED);
  });

  it.each([
    [
      'unit',
      { testUnit: 'mg/dL' },
      'OTHER UNIT',
      say(messages.AUTOVERIFICATION_OTHER_UNIT, { rule: 'mmol/L', test: 'mg/dL' }),
    ],
    [
      'method',
      { testMethod: null },
      'OTHER METHOD',
      say(messages.AUTOVERIFICATION_OTHER_METHOD, {
        rule: 'ISE',
        test: messages.AUTOVERIFICATION_NO_METHOD,
      }),
    ],
  ])('says that limits are for another %s, and offers to save them again', async (...state) => {
    const [, change, mark, text] = state;
    const { user, findSentRequest } = await openRule({
      [LIST]: buildPage([{ ...row, isTried: true, ...change }]),
      [`PUT ${PATH}/rules/7`]: row,
    });
    expect(screen.getByRole('gridcell', { name: mark })).toBeVisible();
    expect(await screen.findByText(text)).toBeVisible();
    expect(getButton('Switch On')).toBeDisabled();
    expect(getButton('Switch On')).toHaveAttribute('title', text);
    await user.click(getButton('Save Limits'));
    expect(await screen.findByText(messages.AUTOVERIFICATION_SAVED)).toBeVisible();
    expect(findSentRequest('PUT')?.body).toEqual(limits);
  });

  it('switches off at once', async () => {
    const { user, findSentRequest } = await openRule({
      [LIST]: buildPage([{ ...row, isOn: true, isTried: true }]),
      [`POST ${PATH}/rules/7/switch`]: { ...row, isOn: false },
    });
    await user.click(await screen.findByRole('button', { name: 'Switch Off' }));
    expect(
      await screen.findByText(say(messages.AUTOVERIFICATION_SWITCHED_OFF, { test: 'POTASSIUM' })),
    ).toBeVisible();
    expect(findSentRequest('POST')?.body).toEqual({ isOn: false });
  });

  it('saves changed limits with the version that was shown', async () => {
    const { user, findSentRequest } = await openRule({
      [`PUT ${PATH}/rules/7`]: { ...row, high: 5.2 },
    });
    await waitFor(() => expect(getButton('Save Limits')).toBeDisabled());
    const high = screen.getByRole('textbox', { name: /Highest Result/ });
    await user.clear(high);
    await user.type(high, '5.2');
    await user.click(getButton('Save Limits'));
    expect(await screen.findByText(messages.AUTOVERIFICATION_SAVED)).toBeVisible();
    expect(findSentRequest('PUT')?.body).toEqual({ ...limits, high: 5.2 });
    expect(findSentRequest('PUT')?.headers.get('If-Match')).toBe('"4"');
  });

  it('keeps what was typed when the portal rejects it, and says why', async () => {
    const { user } = await openRule({
      [`PUT ${PATH}/rules/7`]: buildProblem(400, 'bad_input', 'Bad', [
        { field: 'high', message: messages.AUTOVERIFICATION_LIMITS },
      ]),
    });
    const high = screen.getByRole('textbox', { name: /Highest Result/ });
    await user.clear(high);
    await user.type(high, '1');
    await user.click(getButton('Save Limits'));
    expect(await screen.findByText(messages.AUTOVERIFICATION_LIMITS)).toBeVisible();
    expect(high).toHaveValue('1');
  });

  it('lets Laboratory try out limits, but change nothing', async () => {
    await openRule({}, Role.LABORATORY);
    expect(getButton('Try Out')).toBeEnabled();
    expect(screen.queryByRole('button', { name: 'Save Limits' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Switch On' })).toBeNull();
  });

  it('says when the lab does not use autoverification', async () => {
    await openRule({
      'GET /api/v2/public-settings/autoverification': {
        enabled: false,
        canChange: { allowed: true, reason: null },
      },
    });
    expect(await screen.findByText(messages.AUTOVERIFICATION_OFF)).toBeVisible();
  });
});
