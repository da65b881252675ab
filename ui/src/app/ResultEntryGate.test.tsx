import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages, Role } from '../contract';
import { buildProfile, renderPortal } from '../test/render';
import ResultEntryGate from './ResultEntryGate';

const allowed = { allowed: true, reason: null };
const denied = { allowed: false, reason: messages.RESULT_ENTRY_DISABLED };

function renderGate(canEnterResults: object, canReleaseResults: object) {
  return renderPortal(
    <ResultEntryGate home="/secured/results/lab" fallback={null}>
      <p>The bench</p>
    </ResultEntryGate>,
    {
      user: buildProfile(Role.CLIENT_BASIC),
      answers: { 'GET /api/system/settings/result-entry': { canEnterResults, canReleaseResults } },
    },
  );
}

describe('Result entry', () => {
  it('is open to users who may enter results', async () => {
    await renderGate(allowed, denied);
    expect(await screen.findByText('The bench')).toBeVisible();
  });

  it('is open to users who may release results', async () => {
    await renderGate(denied, allowed);
    expect(await screen.findByText('The bench')).toBeVisible();
  });

  it('is closed to everybody else', async () => {
    const { router } = await renderGate(denied, denied);
    await waitFor(() => expect(router.state.location.pathname).toBe('/secured/results/lab'));
    expect(screen.queryByText('The bench')).toBeNull();
  });
});
