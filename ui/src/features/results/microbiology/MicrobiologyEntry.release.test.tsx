import { screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';

import { messages, say } from '../../../contract';
import {
  buildEntry,
  enteredTest,
  getButton,
  getCell,
  grownCulture,
  renderEntry,
} from '../../../test/microbiologyEntry';
import { setScreenWidth, widths } from '../../../test/screens';

afterEach(() => setScreenWidth(widths.desktop));

describe('Releasing a culture', () => {
  it('releases it as preliminary or final after a question', async () => {
    const { user, getBody } = await renderEntry(buildEntry(enteredTest), {
      'POST /api/v2/orders/12/microbiology-release': buildEntry(
        { ...enteredTest, isReleased: true, stage: 'final' },
        { version: 4 },
      ),
    });
    await user.click(getButton('Release Final'));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText(say(messages.CONFIRM_FINAL, { test: 'CULTURE, URINE' }))).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Release' }));
    expect(await screen.findByText(messages.CULTURE_RELEASED_FINAL)).toBeVisible();
    expect(getBody('POST', 'release')).toEqual({ kind: 'final', orderTestIds: [7] });
  });

  it('says that it corrects the released culture', async () => {
    const culture = { ...grownCulture, isCorrection: true, reasonCode: 'REPEAT' };
    const { user } = await renderEntry(buildEntry({ ...enteredTest, culture, hasRelease: true }));
    await user.click(getButton('Release Final'));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText(messages.CONFIRM_CULTURE_CORRECTION)).toBeVisible();
  });

  it('is a button on phones, where the preliminary release is in the menu', async () => {
    setScreenWidth(widths.phone);
    await renderEntry(buildEntry(enteredTest));
    expect(getButton('Release Final')).toBeEnabled();
    expect(screen.queryByRole('button', { name: 'Release Preliminary' })).toBeNull();
  });

  it('is disabled while something is missing, and says what', async () => {
    const gap = { field: 'organisms.0.quantity', message: 'Escherichia coli: enter the quantity' };
    await renderEntry(
      buildEntry({ ...enteredTest, culture: { ...grownCulture, finalGaps: [gap] } }),
    );
    expect(getButton('Release Final')).toBeDisabled();
    expect(getButton('Release Preliminary')).toBeEnabled();
    expect(screen.getByText(gap.message)).toBeVisible();
  });

  it('is disabled without permission', async () => {
    const denied = { allowed: false, reason: 'Releasing is not enabled for your role' };
    await renderEntry(buildEntry(enteredTest, { canRelease: denied }));
    expect(getButton('Release Final')).toBeDisabled();
    expect(getButton('Release Final')).toHaveAccessibleDescription(denied.reason);
  });

  it('is disabled before anything is entered, and with unsaved values', async () => {
    const { user } = await renderEntry(buildEntry());
    expect(getButton('Release Final')).toBeDisabled();
    await user.type(getCell('Preliminary Comment'), 'x');
    expect(screen.getByText('Unsaved')).toBeVisible();
    expect(getButton('Release Preliminary')).toBeDisabled();
  });
});
