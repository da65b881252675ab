import { screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';

import { loadCapabilities } from '../../api';
import { setLabClock } from '../../lib/labClock';
import { capabilities, renderPortal } from '../../test/render';
import { ClockNotice } from './ClockNotice';
import { Footer } from './Footer';

const HOUR_MS = 3_600_000;
const getLocalZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone;

afterEach(() => setLabClock({ timeZone: getLocalZone(), now: new Date().toISOString() }));

async function renderWithLabClock(timeZone: string, errorMs: number) {
  const buildLab = () => ({
    ...capabilities.lab,
    timeZone,
    now: new Date(Date.now() + errorMs).toISOString(),
  });
  const view = await renderPortal(
    <>
      <ClockNotice />
      <Footer />
    </>,
    { answers: { 'GET /capabilities': () => ({ ...capabilities, lab: buildLab() }) } },
  );
  await loadCapabilities();
  window.dispatchEvent(new Event('visibilitychange'));
  return view;
}

describe("The workstation's clock", () => {
  it('is reported when it is wrong, until the user dismisses the notice', async () => {
    const { user } = await renderWithLabClock(getLocalZone(), HOUR_MS);
    expect(await screen.findByText(/This computer's clock says .* at the lab/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByRole('button', { name: 'Dismiss' })).toBeNull();
  });

  it('gets a quiet line in the footer when only its zone differs', async () => {
    await renderWithLabClock('Pacific/Kiritimati', 0);
    expect(await screen.findByText("All times are the lab's (GMT+14)")).toBeVisible();
    expect(screen.queryByRole('status')).toBeNull();
  });

  it('is not mentioned when both clocks agree', async () => {
    const { requests } = await renderWithLabClock(getLocalZone(), 0);
    await waitFor(() => expect(requests.length).toBeGreaterThan(1));
    expect(screen.queryByText(/at the lab|the lab's/)).toBeNull();
  });
});
