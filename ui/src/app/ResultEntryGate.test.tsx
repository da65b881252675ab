import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages, Role } from '../contract';
import { profile, renderPortal } from '../test/render';
import ResultEntryGate from './ResultEntryGate';

const yes = { allowed: true, reason: null };
const no = { allowed: false, reason: messages.RESULT_ENTRY_DISABLED };

function open(canEnterResults: object, canReleaseResults: object) {
  return renderPortal(
    <ResultEntryGate home="/secured/results/lab" waiting={null}>
      <p>The bench</p>
    </ResultEntryGate>,
    {
      user: profile(Role.CLIENT_BASIC),
      answers: { 'GET /api/system/settings/result-entry': { canEnterResults, canReleaseResults } },
    },
  );
}

describe('Result entry', () => {
  it('opens for who may enter results', async () => {
    await open(yes, no);
    expect(await screen.findByText('The bench')).toBeVisible();
  });

  it('opens for who may release them', async () => {
    await open(no, yes);
    expect(await screen.findByText('The bench')).toBeVisible();
  });

  it('opens for nobody else', async () => {
    const { router } = await open(no, no);
    await waitFor(() => expect(router.state.location.pathname).toBe('/secured/results/lab'));
    expect(screen.queryByText('The bench')).toBeNull();
  });
});
