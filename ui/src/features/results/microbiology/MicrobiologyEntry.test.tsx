import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages, ResultStatus, say } from '../../../contract';
import {
  buildEntry,
  check,
  CULTURE_ENTRY_PATH,
  enteredTest,
  getButton,
  getCell,
  grownCulture,
  renderEntry,
} from '../../../test/microbiologyEntry';
import { buildProblem } from '../../../test/portal';

describe('Entering a culture', () => {
  it('is impossible for a canceled test', async () => {
    await renderEntry(buildEntry({ ...enteredTest, status: ResultStatus.CANCELED }));
    const reason = say(messages.RESULT_TEST_CANCELED, { test: 'CULTURE, URINE' });
    expect(screen.getByText(reason)).toBeVisible();
    expect(getCell('Source')).toBeDisabled();
    expect(getButton('Release Final')).toBeDisabled();
  });

  it("adds antibiotics in the lab's order", async () => {
    const { user } = await renderEntry(buildEntry());
    const listValues = () =>
      screen.getAllByRole('textbox', { name: /^Value, / }).map((field) => field.ariaLabel);
    await user.click(getButton('Add Organism'));
    await user.selectOptions(getCell('Organism'), 'Escherichia coli');
    const adder = getCell('Add an antibiotic to organism 1');
    await user.selectOptions(adder, 'Colistin');
    await user.selectOptions(adder, 'Ciprofloxacin');
    expect(listValues()).toEqual(['Value, Ciprofloxacin', 'Value, Colistin']);
    await user.click(getButton('Add Panel (1)'));
    expect(listValues()).toEqual(['Value, Ampicillin', 'Value, Ciprofloxacin', 'Value, Colistin']);
  });

  it('keeps the focus of the keyboard after adding and removing', async () => {
    const { user } = await renderEntry(buildEntry());
    const press = async (name: string) => {
      getButton(name).focus();
      await user.keyboard('{Enter}');
    };
    await user.selectOptions(getCell('Add a finding'), 'Leukocytes');
    await press('Remove finding 1');
    expect(getCell('Add a finding')).toHaveFocus();
    await press('Add Organism');
    expect(getCell('Organism')).toHaveFocus();
    await user.selectOptions(getCell('Organism'), 'Escherichia coli');
    await press('Add Panel (2)');
    expect(getCell('Value, Ampicillin')).toHaveFocus();
    await press('Remove Ampicillin');
    expect(getCell('Value, Ciprofloxacin')).toHaveFocus();
    await press('Remove Organism');
    expect(getButton('Add Organism')).toHaveFocus();
  });

  it('saves specimen, findings, and organisms with their panels', async () => {
    const { user, getBody } = await renderEntry(buildEntry(), {
      [`PUT ${CULTURE_ENTRY_PATH}/7`]: buildEntry(enteredTest, { version: 4 }),
    });
    await user.selectOptions(getCell('Source'), 'Blood');
    await user.selectOptions(getCell('Add a finding'), 'Leukocytes');
    await user.selectOptions(getCell('Quantity of finding 1'), 'Few');
    await user.click(getButton('Add Organism'));
    await user.selectOptions(getCell('Organism'), 'Escherichia coli');
    await user.selectOptions(getCell('Quantity'), 'Q5');
    await user.click(getButton('Add Panel (2)'));
    await user.type(getCell('Value, Ampicillin'), '>16{Enter}0.06');
    await user.selectOptions(getCell('Reporting, Ciprofloxacin'), 'Suppress');
    await user.click(getButton('Save'));
    expect(await screen.findByText(messages.CULTURE_SAVED)).toBeVisible();
    expect(getBody('PUT')).toMatchObject({
      source: 'BLOOD',
      findings: [{ code: 'GRWBC', quantity: 'FEW' }],
      organisms: [
        {
          code: 'ECOLI',
          quantity: 'Q5',
          sensitivity: [
            { antibiotic: 'AMP', method: 'MIC', mic: '>16', interpretation: null },
            { antibiotic: 'CIP', mic: '0.06', reporting: 'suppressed' },
          ],
        },
      ],
    });
  });

  it('shows and saves a comment on an antibiotic', async () => {
    const { user, getBody } = await renderEntry(buildEntry(enteredTest), {
      [`PUT ${CULTURE_ENTRY_PATH}/7`]: buildEntry(enteredTest, { version: 4 }),
    });
    expect(getCell('Comment, Ciprofloxacin')).toHaveValue('Not for children');
    await user.type(getCell('Comment, Ampicillin'), 'High dose only');
    await user.click(getButton('Save'));
    await screen.findByText(messages.CULTURE_SAVED);
    expect(getBody('PUT')).toMatchObject({
      organisms: [
        {
          sensitivity: [
            { antibiotic: 'AMP', comment: 'High dose only' },
            { antibiotic: 'CIP', comment: 'Not for children' },
          ],
        },
      ],
    });
  });

  it('shows and keeps a collection date without a time', async () => {
    const culture = { ...grownCulture, collected: '2026-11-20T00:00:00' };
    const { user, getBody } = await renderEntry(buildEntry({ ...enteredTest, culture }), {
      [`PUT ${CULTURE_ENTRY_PATH}/7`]: buildEntry(enteredTest, { version: 4 }),
    });
    expect(getCell('Collected')).toHaveValue('11/20/2026');
    expect(getCell('Collection Time')).toHaveValue('');
    await user.clear(getCell('Collected'));
    await user.type(getCell('Collected'), '11/19/2026');
    await user.click(getButton('Save'));
    await screen.findByText(messages.CULTURE_SAVED);
    expect(getBody('PUT')).toMatchObject({ collected: '2026-11-19T00:00:00' });
  });

  it('shows and saves the time of collection', async () => {
    const { user, getBody } = await renderEntry(buildEntry(enteredTest), {
      [`PUT ${CULTURE_ENTRY_PATH}/7`]: buildEntry(enteredTest, { version: 4 }),
    });
    expect(getCell('Collection Time')).toHaveValue('07:30 AM');
    await user.clear(getCell('Collection Time'));
    await user.type(getCell('Collection Time'), '8:15');
    await user.click(getButton('Save'));
    await screen.findByText(messages.CULTURE_SAVED);
    expect(getBody('PUT')).toMatchObject({ collected: '2026-11-20T08:15:00' });
  });

  it('does not save an unfinished collection date or time', async () => {
    const { user, requests } = await renderEntry(buildEntry());
    await user.type(getCell('Collected'), '11/2');
    await user.click(getButton('Save'));
    expect(await screen.findByText(messages.DATE_INVALID)).toBeVisible();
    await user.type(getCell('Collected'), '0/2026');
    await user.type(getCell('Collection Time'), '8:1');
    expect(await screen.findByText(messages.TIME_INVALID)).toBeVisible();
    expect(requests.filter(({ method }) => method === 'PUT')).toEqual([]);
  });

  it('shows interpretation, limits, and suppression of the lab', async () => {
    await renderEntry(buildEntry(enteredTest));
    const table = within(screen.getByRole('region', { name: 'Susceptibilities of organism 1' }));
    const ampicillin = table.getByRole('row', { name: /Ampicillin/ });
    const ciprofloxacin = table.getByRole('row', { name: /Ciprofloxacin/ });
    expect(ampicillin).toHaveTextContent('S <= 4, R >= 16');
    expect(within(ampicillin).getByTitle('resistant')).toBeVisible();
    expect(within(ciprofloxacin).getByText('SUPPRESSED')).toBeVisible();
  });

  it('shows why a value is rejected while it is typed', async () => {
    const { user } = await renderEntry(buildEntry(enteredTest), {
      [`POST ${CULTURE_ENTRY_PATH}/7/check`]: {
        ...check,
        errors: [{ field: 'organisms.0.sensitivity.0.mic', message: messages.MIC_INVALID }],
      },
    });
    await user.type(getCell('Value, Ampicillin'), 'x');
    expect(await screen.findByRole('alert')).toHaveTextContent(messages.MIC_INVALID);
    expect(getCell('Value, Ampicillin')).toBeInvalid();
  });

  it('shows beside a finding that it contradicts an organism', async () => {
    const message = say(messages.CULTURE_CONTRADICTION, { finding: 'No growth', organism: 'E.' });
    const { user } = await renderEntry(buildEntry(enteredTest), {
      [`POST ${CULTURE_ENTRY_PATH}/7/check`]: {
        ...check,
        errors: [{ field: 'findings.0.code', message }],
      },
    });
    await user.type(getCell('Value, Ampicillin'), '4');
    expect(await screen.findByRole('alert')).toHaveTextContent(message);
    expect(getCell('Finding 1')).toBeInvalid();
  });

  it('moves up and down the values with the arrows', async () => {
    const { user } = await renderEntry(buildEntry(enteredTest));
    await user.click(getCell('Value, Ampicillin'));
    await user.keyboard('{ArrowDown}');
    expect(getCell('Value, Ciprofloxacin')).toHaveFocus();
    await user.keyboard('{ArrowUp}');
    expect(getCell('Value, Ampicillin')).toHaveFocus();
  });

  it('removes findings, antibiotics, and organisms', async () => {
    const { user, getBody } = await renderEntry(buildEntry(enteredTest), {
      [`PUT ${CULTURE_ENTRY_PATH}/7`]: buildEntry(enteredTest, { version: 4 }),
    });
    await user.click(getButton('Remove finding 1'));
    await user.click(getButton('Remove Ciprofloxacin'));
    await user.selectOptions(getCell('Add an antibiotic to organism 1'), 'Colistin');
    await user.selectOptions(getCell('Interpretation, Colistin'), 'S');
    await user.click(getButton('Save'));
    await screen.findByText(messages.CULTURE_SAVED);
    expect(getBody('PUT')).toMatchObject({
      findings: [],
      organisms: [{ sensitivity: [{ antibiotic: 'AMP' }, { interpretation: 'S' }] }],
    });
    await user.click(getButton('Remove Organism'));
    expect(screen.queryByRole('region', { name: 'Organism 1' })).toBeNull();
  });

  it('asks for the reason of a correction', async () => {
    const { user, getBody } = await renderEntry(
      buildEntry({ ...enteredTest, isReleased: true, stage: 'final', status: ResultStatus.FINAL }),
      {
        [`POST ${CULTURE_ENTRY_PATH}/7/check`]: { ...check, isCorrection: true },
        [`PUT ${CULTURE_ENTRY_PATH}/7`]: buildEntry(enteredTest, { version: 4 }),
      },
    );
    await user.type(getCell('Value, Ampicillin'), '4');
    await user.selectOptions(await screen.findByLabelText('Reason'), 'Changed on repeat testing');
    await user.type(getCell('Explanation'), 'Read again');
    await user.click(getButton('Save'));
    await screen.findByText(messages.CULTURE_SAVED);
    expect(getBody('PUT')).toMatchObject({ reasonCode: 'REPEAT', explanation: 'Read again' });
  });

  it('shows beside the explanation that the reason needs words, until some are typed', async () => {
    const { REASON_NEEDS_WORDS: message } = messages;
    const { user } = await renderEntry(
      buildEntry({ ...enteredTest, isReleased: true, stage: 'final', status: ResultStatus.FINAL }),
      {
        [`POST ${CULTURE_ENTRY_PATH}/7/check`]: { ...check, isCorrection: true },
        [`PUT ${CULTURE_ENTRY_PATH}/7`]: () =>
          buildProblem(400, 'bad_input', message, [{ field: 'explanation', message }]),
      },
    );
    await user.type(getCell('Value, Ampicillin'), '4');
    await user.selectOptions(await screen.findByLabelText('Reason'), 'Changed on repeat testing');
    await user.click(getButton('Save'));
    const panel = await screen.findByRole('region', { name: 'Correction' });
    expect(await within(panel).findByText(message)).toBeVisible();
    await user.type(getCell('Explanation'), 'Read again');
    expect(within(panel).queryByText(message)).toBeNull();
  });

  it('offers the results of a test with choices instead of organisms', async () => {
    const { user, getBody } = await renderEntry(
      buildEntry({ choices: ['NOT DETECTED', 'DETECTED'] }),
      { [`PUT ${CULTURE_ENTRY_PATH}/7`]: buildEntry(enteredTest, { version: 4 }) },
    );
    expect(screen.queryByRole('button', { name: 'Add Organism' })).toBeNull();
    await user.selectOptions(getCell('Result'), 'DETECTED');
    await user.click(getButton('Save'));
    await screen.findByText(messages.CULTURE_SAVED);
    expect(getBody('PUT')).toMatchObject({ result: 'DETECTED' });
  });

  it('focuses the first rejected value, which says why nothing is saved', async () => {
    const { user } = await renderEntry(buildEntry(enteredTest), {
      [`PUT ${CULTURE_ENTRY_PATH}/7`]: buildProblem(400, 'bad_request', messages.MIC_INVALID, [
        { field: 'organisms.0.sensitivity.1.mic', message: messages.MIC_INVALID },
      ]),
    });
    await user.type(getCell('Preliminary Comment'), 'x');
    await user.click(getButton('Save'));
    const row = screen.getByRole('row', { name: /Ciprofloxacin/ });
    expect(await within(row).findByRole('alert')).toHaveTextContent(messages.MIC_INVALID);
    expect(getCell('Value, Ciprofloxacin')).toHaveFocus();
    await user.type(getCell('Value, Ciprofloxacin'), '4');
    expect(within(row).queryByRole('alert')).toBeNull();
  });

  it('shows in words what somebody else changed at the same time', async () => {
    let latest = buildEntry(enteredTest);
    const { user } = await renderEntry(latest, {
      [`GET ${CULTURE_ENTRY_PATH}`]: () => latest,
      [`PUT ${CULTURE_ENTRY_PATH}/7`]: buildProblem(412, 'stale_version', messages.VERSION_STALE),
    });
    await user.selectOptions(getCell('Source'), 'Urine, clean catch');
    await user.type(getCell('Comment, Ampicillin'), 'High dose only');
    await user.click(getButton('Remove finding 1'));
    const culture = { ...grownCulture, source: null, findings: [] };
    latest = buildEntry({ ...enteredTest, culture }, { version: 4 });
    await user.click(getButton('Save'));
    const listLines = async () => {
      const items = within(await screen.findByRole('alert')).getAllByRole('listitem');
      return items.map(({ textContent }) => textContent);
    };
    expect(await listLines()).toEqual([
      'Source: none now, you entered Urine, clean catch',
      'Organisms: added Escherichia coli > 100,000 CFU/mL' +
        ' (Ampicillin >16 High dose only, Ciprofloxacin 0.06 Not for children); removed' +
        ' Escherichia coli > 100,000 CFU/mL (Ampicillin >16, Ciprofloxacin 0.06 Not for children)',
    ]);
  });
});

describe('A person who may not enter results', () => {
  it('reads the culture without changing it', async () => {
    const denied = { allowed: false, reason: 'Result entry is not enabled for your role' };
    await renderEntry(buildEntry(enteredTest, { canEnterResults: denied }));
    expect(screen.getByText(denied.reason)).toBeVisible();
    expect(getCell('Value, Ampicillin')).toBeDisabled();
    expect(getButton('Add Organism')).toBeDisabled();
  });
});

describe('A saved culture', () => {
  it('is put under review with a reason', async () => {
    const releasedTest = {
      ...enteredTest,
      isReleased: true,
      hasRelease: true,
      stage: 'final' as const,
    };
    const withholding = {
      kind: 'review' as const,
      reason: 'Changed on repeat testing',
      words: null,
      by: 'Una User',
      at: '2026-11-20T10:00:00',
    };
    const { user, getBody } = await renderEntry(buildEntry(releasedTest), {
      'POST /api/v2/orders/12/microbiology-withhold': buildEntry(
        { ...releasedTest, stage: null, withheld: withholding },
        { version: 4 },
      ),
    });
    await user.click(getButton('More about CULTURE, URINE'));
    await user.click(await screen.findByRole('menuitem', { name: 'Put under review ...' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.selectOptions(await dialog.findByLabelText(/Reason/), 'REPEAT');
    await user.click(dialog.getByRole('button', { name: 'Put under review' }));
    expect(await screen.findByText('Under review · Changed on repeat testing')).toBeVisible();
    expect(getButton('Release Final')).toBeDisabled();
    expect(getBody('POST', 'withhold')).toMatchObject({ orderTestIds: [7], kind: 'review' });
  });

  it('says why its author may not release it', async () => {
    const leftBecause = say(messages.RESULT_ENTERED_BY_YOU, { test: 'CULTURE, URINE' });
    await renderEntry(buildEntry({ ...enteredTest, leftBecause }));
    expect(screen.getByText(`${leftBecause}.`)).toBeVisible();
    expect(getButton('Release Final')).toBeDisabled();
    expect(getButton('Release Final')).toHaveAccessibleDescription(leftBecause);
  });
});
