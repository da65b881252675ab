import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages, ResultStatus, Withholding } from '../../../contract';
import {
  buildEntry,
  correct,
  enteredRow,
  getButton,
  getField,
  renderEntry,
  TOXICOLOGY_ENTRY_PATH,
} from '../../../test/toxicologyEntry';

describe('A correction of a drug test', () => {
  it('locks a released result until its correction has a reason', async () => {
    const releasedRow = {
      ...enteredRow,
      status: ResultStatus.FINAL,
      released: '150',
      releasedAt: '2026-03-04T10:00:00',
      releasedBy: 'Lee Bench',
    };
    const { user, getBody } = await renderEntry(buildEntry(releasedRow), {
      [`PUT ${TOXICOLOGY_ENTRY_PATH}`]: buildEntry({
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
      [`PUT ${TOXICOLOGY_ENTRY_PATH}`]: buildEntry(correction, { version: 4 }),
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
      [`PUT ${TOXICOLOGY_ENTRY_PATH}`]: buildEntry(hiddenRow),
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
});
