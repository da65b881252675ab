import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages, ResultStatus, say } from '../../../contract';
import {
  buildEntry,
  enteredRow,
  getButton,
  getField,
  renderEntry,
} from '../../../test/toxicologyEntry';

describe('The release of drug tests', () => {
  it('says what a release would mean, and why the specimen is invalid', async () => {
    await renderEntry(
      buildEntry(enteredRow, {
        specimenFault: 'CREATININE 5 is below 20',
        verdicts: [
          {
            kind: 'consistent',
            medication: 'VALIUM',
            name: 'DIAZEPAM',
            why: 'OXAZEPAM is a metabolite of the reported DIAZEPAM',
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
      within(verdicts).getByText('OXAZEPAM is a metabolite of the reported DIAZEPAM'),
    ).toBeVisible();
    expect(within(verdicts).getByText(/CREATININE 5 is below 20/)).toBeVisible();
  });

  it('says that the verdicts are about saved results while values are typed', async () => {
    const { user } = await renderEntry(buildEntry(enteredRow));
    const verdicts = within(screen.getByRole('region', { name: 'Verdicts' }));
    expect(verdicts.getByText(messages.TOXICOLOGY_VERDICTS_SAVED)).toBeVisible();
    await user.type(getField('Result of FENTANYL, URINE'), '9');
    expect(verdicts.getByText(messages.TOXICOLOGY_VERDICTS_UNSAVED)).toBeVisible();
    expect(verdicts.queryByText(messages.TOXICOLOGY_VERDICTS_SAVED)).toBeNull();
  });

  it('releases saved results after a question, which says what readers will see', async () => {
    const verdicts = [
      {
        kind: 'unexpectedPositive' as const,
        medication: '',
        name: 'FENTANYL',
        why: 'FENTANYL was detected',
        isPresumptive: false,
        isCritical: false,
        isShown: false,
      },
      {
        kind: 'other' as const,
        medication: 'VALIUM',
        name: 'DIAZEPAM',
        why: 'No verdict on DIAZEPAM: CREATININE is pending',
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

  it('separates what a release newly shows from what readers already see', async () => {
    const build = (name: string, isShown: boolean) => ({
      kind: 'unexpectedPositive' as const,
      medication: '',
      name,
      why: `${name} was detected`,
      isPresumptive: false,
      isCritical: true,
      isShown,
    });
    const verdicts = [build('FENTANYL', true), build('HEROIN', false)];
    const goneVerdicts = ['METHADONE was detected'];
    const { user } = await renderEntry(buildEntry(enteredRow, { verdicts, goneVerdicts }));
    await user.click(getButton('Release 1'));
    const dialog = await screen.findByRole('dialog');
    const text = dialog.textContent;
    const order = [
      messages.TOXICOLOGY_VERDICTS_NEW,
      'HEROIN was detected',
      messages.TOXICOLOGY_VERDICTS_GONE,
      'METHADONE was detected',
      messages.TOXICOLOGY_VERDICTS_SHOWN,
      'FENTANYL was detected',
    ].map((words) => text.indexOf(words));
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(order).not.toContain(-1);
    // The lab tells the client only what is new.
    expect(
      within(dialog).getByText(
        say(messages.CONFIRM_RELEASE_CRITICAL, { results: 'HEROIN was detected' }),
      ),
    ).toBeVisible();
  });
});
