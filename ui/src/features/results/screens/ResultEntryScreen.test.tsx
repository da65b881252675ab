import { screen, waitFor, within } from '@testing-library/react';
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

const sayNotANumber = (test: string) => say(messages.RESULT_NOT_A_NUMBER, { test });

describe('A rejected result', () => {
  it('is marked with its message and focused, and nothing typed is lost', async () => {
    let saveCount = 0;
    const { user } = await renderEntry({
      [`PUT ${RESULT_ENTRY_PATH}`]: () =>
        ++saveCount === 1
          ? buildProblem(400, 'bad_input', sayNotANumber('GLUCOSE'), [
              { field: 'results.1.result', message: sayNotANumber('GLUCOSE') },
              { field: 'results.2.result', message: messages.VALUE_REQUIRED },
            ])
          : buildResultEntry(
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
    expect(screen.getByText(sayNotANumber('GLUCOSE'))).toBeVisible();
    const rejectedField = await findResult('GLUCOSE');
    expect(rejectedField).toHaveFocus();
    expect(rejectedField).toBeInvalid();
    expect(rejectedField).toHaveAccessibleDescription(new RegExp(sayNotANumber('GLUCOSE')));
    expect(within(getRow('SARS-COV-2 RNA')).getByText(messages.VALUE_REQUIRED)).toBeVisible();
    expect(await findResult('PLATELETS')).toHaveValue('250');
    expect(await findResult('PLATELETS')).toBeValid();

    await user.clear(rejectedField);
    await user.type(rejectedField, '85');
    expect(screen.queryByText(sayNotANumber('GLUCOSE'))).toBeNull();
    expect(rejectedField).toHaveFocus();
    await user.clear(await findResult('SARS-COV-2 RNA'));
    await user.click(getButton('Save'));
    expect(await screen.findByText(messages.RESULTS_SAVED)).toBeVisible();
  });

  it('is explained when result entry has been disabled', async () => {
    const { user } = await renderEntry({
      [`PUT ${RESULT_ENTRY_PATH}`]: buildProblem(403, 'forbidden', messages.RESULT_ENTRY_DISABLED),
    });
    await user.type(await findResult('GLUCOSE'), '85');
    await user.click(getButton('Save'));
    expect(await screen.findByText(messages.FORBIDDEN)).toBeVisible();
    expect(await findResult('GLUCOSE')).toHaveValue('85');
  });

  it('shows the error of a comment at its field', async () => {
    const { user } = await renderEntry({
      [`PUT ${RESULT_ENTRY_PATH}`]: buildProblem(400, 'bad_input', messages.VALUE_INVALID, [
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

describe('A comment without a result', () => {
  it('is rejected at the result, and nothing typed is lost', async () => {
    const text = say(messages.RESULT_COMMENT_ALONE, { test: 'GLUCOSE' });
    const { user, listSaves } = await renderEntry({
      [`PUT ${RESULT_ENTRY_PATH}`]: buildProblem(400, 'bad_input', text, [
        { field: 'results.1.result', message: text },
      ]),
    });
    await user.type(await findResult('PLATELETS'), '250');
    await user.type(screen.getByLabelText('Comment on GLUCOSE'), 'HEMOLYZED');
    await user.click(getButton('Save'));
    expect(await within(getRow('GLUCOSE')).findByText(text)).toBeVisible();
    expect(await findResult('GLUCOSE')).toBeInvalid();
    expect(await findResult('PLATELETS')).toHaveValue('250');
    expect(screen.getByLabelText('Comment on GLUCOSE')).toHaveValue('HEMOLYZED');
    expect(listSaves()).toHaveLength(1);
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
      [`PUT ${RESULT_ENTRY_PATH}`]: buildResultEntry([{ result: '250', ...entered }], 4),
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
  ] as const)('stays while the field is empty: %o', async (savedRow, name, text) => {
    const { user } = await renderEntry({
      [`GET ${RESULT_ENTRY_PATH}`]: buildResultEntry([
        { ...savedRow, ...released },
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
      [`GET ${RESULT_ENTRY_PATH}`]: buildResultEntry([
        {},
        {},
        { result: 'DETECTED', flag: 'POS', ...released },
      ]),
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
      [`GET ${RESULT_ENTRY_PATH}`]: buildResultEntry([
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
      [`GET ${RESULT_ENTRY_PATH}`]: buildResultEntry([{ result: '250', ...entered }]),
    });
    await user.click(getButton('Release 1'));
    const dialog = await screen.findByRole('dialog', { name: 'Release results' });
    expect(within(dialog).getByText(say(messages.CONFIRM_RELEASE, { count: 1 }))).toBeVisible();
  });
});

describe('A critical result', () => {
  it('is named before its release', async () => {
    const { user } = await renderEntry({
      [`GET ${RESULT_ENTRY_PATH}`]: buildResultEntry([{ result: '7', flag: 'LL', ...entered }]),
    });
    await user.click(getButton('Release 1'));
    const dialog = await screen.findByRole('dialog', { name: 'Release results' });
    const text = say(messages.CONFIRM_RELEASE_CRITICAL, { results: 'PLATELETS 7 LL' });
    expect(within(dialog).getByText(text)).toBeVisible();
  });
});

describe('A result from a rejected specimen', () => {
  it('is named in the question before its release', async () => {
    const { user } = await renderEntry({
      [`GET ${RESULT_ENTRY_PATH}`]: buildResultEntry([
        { result: '250', awaitsCollection: true, ...entered },
        { result: '85', ...entered },
      ]),
    });
    await user.click(getButton('Release 2'));
    const dialog = await screen.findByRole('dialog', { name: 'Release results' });
    const text = say(messages.CONFIRM_RELEASE_REJECTED, { tests: 'PLATELETS' });
    expect(within(dialog).getByText(text)).toBeVisible();
  });
});

describe('A result from before its specimen was received', () => {
  it('is marked, and named in the question before its release', async () => {
    const { user } = await renderEntry({
      [`GET ${RESULT_ENTRY_PATH}`]: buildResultEntry([
        { result: '250', predatesSpecimen: true, ...entered },
        { result: '85', ...entered },
      ]),
    });
    expect(screen.getByText(messages.RESULT_BEFORE_SPECIMEN)).toBeVisible();
    await user.click(getButton('Release 2'));
    const dialog = await screen.findByRole('dialog', { name: 'Release results' });
    const text = say(messages.CONFIRM_RELEASE_BEFORE_SPECIMEN, { tests: 'PLATELETS' });
    expect(within(dialog).getByText(text)).toBeVisible();
  });
});

describe('Permissions', () => {
  const createDenial = (reason: string) => ({ allowed: false, reason });
  const unreleasedRows = [{ result: '250', ...entered }];

  it('allow release without entry, with a reason', async () => {
    const canEnterResults = createDenial(messages.RESULT_ENTRY_DISABLED);
    await renderEntry({
      [`GET ${RESULT_ENTRY_PATH}`]: { ...buildResultEntry(unreleasedRows), canEnterResults },
    });
    expect(await findResult('PLATELETS')).toHaveAttribute('readonly');
    expect(screen.getByText(messages.RESULT_ENTRY_DISABLED)).toBeVisible();
    expect(getButton('Save')).toBeDisabled();
    expect(getButton('Release 1')).toBeEnabled();
  });

  it('allow entry without release', async () => {
    const { user } = await renderEntry({
      [`GET ${RESULT_ENTRY_PATH}`]: {
        ...buildResultEntry(unreleasedRows),
        canRelease: createDenial(messages.FORBIDDEN),
      },
    });
    await user.type(await findResult('GLUCOSE'), '85');
    expect(getButton('Save')).toBeEnabled();
    expect(getButton('Release 1')).toBeDisabled();
  });
});

describe('An order with several kinds of results', () => {
  it('has a link to the entry of each kind', async () => {
    await renderEntry({
      'GET /api/v2/orders/12/results-types': {
        hasClinicalResult: true,
        hasMicrobiologyResult: true,
        hasToxicologyResult: false,
        hasPathologyResult: false,
      },
    });
    const kinds = within(screen.getByRole('navigation', { name: 'Kinds of results' }));
    expect(kinds.getByRole('link', { name: 'Clinical' })).toHaveAttribute('aria-current', 'page');
    expect(kinds.getByRole('link', { name: 'Microbiology' })).toHaveAttribute(
      'href',
      '/secured/result-entry/order;id=12;kind=microbiology',
    );
  });
});
