import { act, screen, within } from '@testing-library/react';
import { useLocation } from 'react-router';
import { describe, expect, it } from 'vitest';

import { messages, Role, say } from '../../../contract';
import { renderOrder, results } from '../../../test/orderResults';
import { allowed, shownOrder as order } from '../../../test/orders';
import { buildProfile, renderPortal } from '../../../test/render';
import OrderResults from './OrderResults';

describe('The order results screen', () => {
  it('shows flags, ranges, corrections and pending tests', async () => {
    await renderOrder({
      'GET /api/v2/orders/12': order,
      'GET /api/v2/orders/12/results-types': { hasClinicalResult: true },
      'GET /api/v2/orders/12/clinical-results': results,
    });
    const glucose = await screen.findByRole('row', { name: /GLUCOSE/ });
    expect(within(glucose).getByText('512')).toBeVisible();
    expect(within(glucose).getByText('HH')).toBeVisible();
    expect(within(glucose).getByText('70 - 99')).toBeVisible();
    expect(within(glucose).getByText('CORRECTED')).toBeVisible();
    expect(
      within(glucose).getByText(
        /was 51 mg\/dL L until .* · Lee Bench · Wrong specimen or patient · Tube of the bed beside/,
      ),
    ).toBeVisible();
    expect(within(screen.getByRole('row', { name: /SODIUM/ })).getByText('PENDING')).toBeVisible();
    expect(screen.getByText('PARTIAL')).toBeVisible();
    expect(screen.getByText('CRITICAL')).toBeVisible();
  });

  it('shows a pending culture, even if it is the only test', async () => {
    await renderOrder({
      'GET /api/v2/orders/12': order,
      'GET /api/v2/orders/12/results-types': {
        hasClinicalResult: false,
        hasMicrobiologyResult: true,
      },
      'GET /api/v2/orders/12/microbiology-results': [
        {
          key: 1,
          name: 'CULTURE, BLOOD',
          status: 1,
          label: 'PENDING',
          revision: 0,
          isCritical: false,
          releasedAt: null,
          corrections: [],
          earlier: [],
          withheld: null,
        },
      ],
    });
    const culture = await screen.findByRole('region', { name: 'CULTURE, BLOOD' });
    expect(within(culture).getByText('PENDING')).toBeVisible();
  });

  it('has a tab for each kind of result, and opens with Clinical', async () => {
    const { user } = await renderOrder({
      'GET /api/v2/orders/12': order,
      'GET /api/v2/orders/12/results-types': {
        hasClinicalResult: true,
        hasMicrobiologyResult: true,
        hasToxicologyResult: false,
        hasPathologyResult: true,
      },
      'GET /api/v2/orders/12/clinical-results': results,
    });
    const tabs = await screen.findAllByRole('tab');
    // Order 12 has a critical clinical result.
    const names = ['Clinical CRITICAL', 'Microbiology', 'Pathology'];
    expect(tabs.map((tab) => tab.textContent)).toEqual(names);
    expect(tabs[0]).toHaveAttribute('aria-selected', 'true');
    await user.click(screen.getByRole('tab', { name: 'Pathology' }));
    expect(screen.getByRole('tab', { name: 'Pathology' })).toHaveAttribute('aria-selected', 'true');
  });

  it('says when there is no result of any kind', async () => {
    await renderOrder({
      'GET /api/v2/orders/12': order,
      'GET /api/v2/orders/12/results-types': {
        hasClinicalResult: false,
        hasMicrobiologyResult: false,
      },
    });
    expect(await screen.findByText('There is no result to display.')).toBeVisible();
  });

  it.each([
    ['Enter Results', { canEnterResults: allowed }],
    ['Release Results', { canRelease: allowed }],
  ])('leads permitted users to result entry: %s', async (name, permission) => {
    const { user, router } = await renderOrder({
      'GET /api/v2/orders/12': { ...order, ...permission },
      'GET /api/v2/orders/12/results-types': { hasClinicalResult: true },
      'GET /api/v2/orders/12/clinical-results': results,
    });
    await user.click(await screen.findByRole('button', { name }));
    expect(router.state.location.pathname).toBe('/secured/result-entry/order;id=12');
  });

  it('shows the same tab again when the user comes back', async () => {
    function LeavingScreen() {
      return useLocation().pathname.startsWith('/secured') ? <p>Result entry</p> : <OrderResults />;
    }
    const { user, router } = await renderPortal(<LeavingScreen />, {
      parameters: { id: '12' },
      answers: {
        'GET /api/v2/orders/12': { ...order, canEnterResults: allowed },
        'GET /api/v2/orders/12/results-types': {
          hasClinicalResult: true,
          hasMicrobiologyResult: true,
        },
        'GET /api/v2/orders/12/clinical-results': results,
        'GET /api/v2/orders/12/microbiology-results': [],
      },
    });
    await user.click(await screen.findByRole('tab', { name: 'Microbiology' }));
    await user.click(screen.getByRole('button', { name: 'Enter Results' }));
    expect(await screen.findByText('Result entry')).toBeVisible();
    // Entry opens with the family of the tab.
    expect(router.state.location.pathname).toBe(
      '/secured/result-entry/order;id=12;kind=microbiology',
    );
    await act(() => router.navigate(-1));
    expect(await screen.findByRole('tab', { name: 'Microbiology', selected: true })).toBeVisible();
  });

  it('does not lead other users to result entry', async () => {
    await renderOrder({
      'GET /api/v2/orders/12': order,
      'GET /api/v2/orders/12/results-types': { hasClinicalResult: true },
      'GET /api/v2/orders/12/clinical-results': results,
    });
    expect(await screen.findByRole('button', { name: 'Print Results' })).toBeVisible();
    expect(screen.queryByRole('button', { name: /Enter Results|Release Results/ })).toBeNull();
  });

  it('treats an inaccessible order like a missing one', async () => {
    await renderOrder({});
    expect(await screen.findByText('No record found!')).toBeVisible();
  });
});

describe('Added tests', () => {
  const because = say(messages.TEST_ADDED, { test: 'TSH', result: '8.20 (H)' });
  const thyroxineAddition = {
    name: 'FREE T4',
    because,
    isCanceled: false,
    isReasonGone: false,
    addedAt: '2026-03-04T10:01:00',
    addedBy: 'Lee Bench',
  };
  const renderAdded = (addedTest: typeof thyroxineAddition) =>
    renderPortal(<OrderResults />, {
      user: buildProfile(Role.CLIENT_BASIC),
      parameters: { id: '12' },
      answers: {
        'GET /api/v2/orders/12': { ...order, addedTests: [addedTest] },
        'GET /api/v2/orders/12/results-types': { hasClinicalResult: true },
        'GET /api/v2/orders/12/clinical-results': results,
      },
    });

  it('say which result led to them, when, and who released it', async () => {
    await renderAdded(thyroxineAddition);
    const section = await screen.findByRole('region', { name: 'Added Tests' });
    expect(section).toHaveTextContent(`FREE T4: ${because} added 03/04/2026`);
    expect(section).toHaveTextContent('Lee Bench');
    expect(section).not.toHaveTextContent('CANCELED');
  });

  it('say that they were canceled', async () => {
    await renderAdded({ ...thyroxineAddition, isCanceled: true });
    const section = await screen.findByRole('region', { name: 'Added Tests' });
    expect(section).toHaveTextContent(`FREE T4 CANCELED: ${because}`);
  });
});
