import { act, screen, waitFor, within } from '@testing-library/react';
import { useLocation } from 'react-router';
import { describe, expect, it } from 'vitest';

import { messages, Role, say } from '../../../contract';
import { renderOrder, results } from '../../../test/orderResults';
import { buildPage, buildProblem, createChangeStream } from '../../../test/portal';
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
        /was 51 L until .* · Lee Bench · Wrong specimen or patient · Tube of the bed beside/,
      ),
    ).toBeVisible();
    expect(within(screen.getByRole('row', { name: /SODIUM/ })).getByText('PENDING')).toBeVisible();
    expect(screen.getByText('PARTIAL')).toBeVisible();
    expect(screen.getByText('CRITICAL')).toBeVisible();
  });

  it('names critical results above everything else, and whether they were reported', async () => {
    await renderOrder({
      'GET /api/v2/orders/12': order,
      'GET /api/v2/orders/12/results-types': { hasClinicalResult: true },
      'GET /api/v2/orders/12/clinical-results': results,
      'GET /api/v2/critical-results/remote-operations': buildPage([
        { id: 4, closedAt: null, toldAt: null, isOverdue: true },
      ]),
    });
    const notice = await screen.findByRole('region', { name: 'Critical results' });
    expect(await within(notice).findByText('GLUCOSE 512 mg/dL HH')).toBeVisible();
    expect(await within(notice).findByText('OVERDUE')).toBeVisible();
    expect(within(notice).getByRole('button', { name: 'Show Calls' })).toBeVisible();
    const facts = screen.getByText('Patient Information');
    expect(notice.compareDocumentPosition(facts)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });

  it('names the critical result of a test of two panels once', async () => {
    const criticalRows = results.filter(({ isCritical }) => isCritical);
    await renderOrder({
      'GET /api/v2/orders/12': order,
      'GET /api/v2/orders/12/results-types': { hasClinicalResult: true },
      'GET /api/v2/orders/12/clinical-results': [
        ...results,
        ...criticalRows.map((row) => ({ ...row, key: row.key + 100 })),
      ],
    });
    const notice = await screen.findByRole('region', { name: 'Critical results' });
    expect(await within(notice).findAllByText('GLUCOSE 512 mg/dL HH')).toHaveLength(1);
  });

  it('names critical results of all families, and the tabs that have them', async () => {
    const culture = { withheld: null, result: null, findings: [], organisms: [] };
    const report = { flag: 'AA', replacedBy: null, withheld: null };
    await renderOrder({
      'GET /api/v2/orders/12': {
        ...order,
        criticalKinds: ['microbiology', 'toxicology', 'pathology'],
      },
      'GET /api/v2/orders/12/results-types': { hasClinicalResult: true },
      'GET /api/v2/orders/12/clinical-results': [],
      'GET /api/v2/orders/12/microbiology-results': [
        {
          ...culture,
          name: 'CULTURE, BLOOD',
          isCritical: true,
          findings: [{ name: 'Gram-positive cocci in clusters' }],
          organisms: [{ name: 'Staphylococcus aureus' }],
        },
        { ...culture, name: 'CULTURE, URINE', isCritical: false },
      ],
      'GET /api/v2/orders/12/toxicology-unexpected-positive-results': [
        { parentKey: null, name: 'FENTANYL', result: 'DETECTED', isPresumptive: false },
        { parentKey: '1', name: 'FENTANYL, URINE', result: '69', isPresumptive: false },
        { parentKey: null, name: 'OPIATES', result: 'DETECTED', isPresumptive: true },
      ],
      'GET /api/v2/orders/12/pathology-results': [
        {
          name: 'SURGICAL PATHOLOGY, BIOPSY',
          results: [
            { ...report, title: 'Result Report', replacedBy: 2 },
            { ...report, title: 'Revision 1' },
          ],
        },
      ],
    });
    const notice = await screen.findByRole('region', { name: 'Critical results' });
    await waitFor(() => {
      const names = within(notice).getAllByRole('listitem');
      expect(names.map(({ textContent }) => textContent)).toEqual([
        'CULTURE, BLOOD: Gram-positive cocci in clusters, Staphylococcus aureus',
        'FENTANYL DETECTED',
        'SURGICAL PATHOLOGY, BIOPSY: Revision 1',
      ]);
    });
    expect(notice).toHaveTextContent('See Microbiology, Toxicology, Pathology below.');
  });

  it('names the tabs while their critical results cannot be loaded', async () => {
    await renderOrder({
      'GET /api/v2/orders/12': { ...order, criticalKinds: ['microbiology'] },
      'GET /api/v2/orders/12/results-types': { hasClinicalResult: true },
      'GET /api/v2/orders/12/clinical-results': [],
      'GET /api/v2/orders/12/microbiology-results': buildProblem(
        503,
        'unavailable',
        'Try again later',
      ),
    });
    const notice = await screen.findByRole('region', { name: 'Critical results' });
    expect(notice).toHaveTextContent('See Microbiology below.');
  });

  it('opens a critical order from a portal of the previous release', async () => {
    await renderOrder({
      'GET /api/v2/orders/12': { ...order, criticalKinds: undefined, addedTests: undefined },
      'GET /api/v2/orders/12/results-types': { hasClinicalResult: true },
      'GET /api/v2/orders/12/clinical-results': results,
    });
    const notice = await screen.findByRole('region', { name: 'Critical results' });
    expect(await within(notice).findByText('GLUCOSE 512 mg/dL HH')).toBeVisible();
  });

  it('leads to the open task of a critical result that was corrected to a normal one', async () => {
    await renderOrder({
      'GET /api/v2/orders/12': { ...order, alertBadges: [] },
      'GET /api/v2/orders/12/results-types': { hasClinicalResult: true },
      'GET /api/v2/orders/12/clinical-results': [],
      'GET /api/v2/critical-results/remote-operations': buildPage([
        { id: 4, closedAt: null, toldAt: null, isOverdue: false },
      ]),
    });
    const notice = await screen.findByRole('region', { name: 'Critical results' });
    // The reader is of a client, who cannot tell the client.
    expect(within(notice).getByText(messages.CRITICAL_CORRECTED_CLIENT)).toBeVisible();
    expect(within(notice).getByRole('button', { name: 'Show Calls' })).toBeVisible();
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

  it('marks the tab of unexpected drugs with the words of the lab', async () => {
    await renderOrder({
      'GET /api/v2/orders/12': {
        ...order,
        criticalKinds: ['toxicology'],
        hasToxicologyUnexpectedPositive: true,
        alertBadges: ['UNEXPECTED', 'CRITICAL'],
      },
      'GET /api/v2/orders/12/results-types': {
        hasClinicalResult: true,
        hasToxicologyResult: true,
      },
      'GET /api/v2/orders/12/clinical-results': results,
    });
    const tab = await screen.findByRole('tab', { name: /Toxicology/ });
    expect(tab).toHaveTextContent('Toxicology UNEXPECTED CRITICAL');
    expect(screen.getByRole('tab', { name: 'Clinical' })).toBeVisible();
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

  it('signs with the stored signature, then offers to unsign', async () => {
    let isSigned = false;
    const signer = buildProfile(Role.PHYSICIAN);
    const image = 'data:image/png;base64,AAAA';
    const profile = { ...signer, data: { ...signer.data, signImage: image } };
    const { user, requests } = await renderPortal(<OrderResults />, {
      user: profile,
      parameters: { id: '12' },
      answers: {
        'GET /api/v2/orders/12': () => ({
          ...order,
          hasSignature: isSigned,
          canUnsign: { allowed: isSigned, reason: null },
        }),
        'GET /api/v2/orders/12/results-types': { hasClinicalResult: true },
        'GET /api/v2/orders/12/clinical-results': results,
        'POST /auth/login': { token: 'fresh', user: profile },
        'POST /api/v2/orders/sign-multiple': () => {
          isSigned = true;
          return { data: [{ id: 12, version: 3 }] };
        },
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Sign' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Electronic Signature' }));
    expect(dialog.getByText('L260000012 · LOPEZ, MARIA')).toBeVisible();
    await user.type(dialog.getByLabelText(/Password/), 'Portal-2026!');
    await user.click(dialog.getByRole('button', { name: 'Sign' }));
    expect(await screen.findByText(messages.ORDER_SIGNED)).toBeVisible();
    expect(await screen.findByRole('button', { name: 'Unsign' })).toBeEnabled();
    const signing = requests.find(({ path }) => path.endsWith('/orders/sign-multiple'));
    expect(signing?.body).toMatchObject({
      image,
      ordersIds: [12],
      versions: { 12: order.version },
    });
  });

  it('does not sign an order that changed behind the dialog, and shows it again', async () => {
    const changes = createChangeStream();
    let version = order.version;
    const signer = buildProfile(Role.PHYSICIAN);
    const image = 'data:image/png;base64,AAAA';
    const profile = { ...signer, data: { ...signer.data, signImage: image } };
    const detail = say(messages.ORDER_CHANGED, { code: order.codeValue });
    const { user, requests } = await renderPortal(<OrderResults />, {
      user: profile,
      parameters: { id: '12' },
      answers: {
        'GET /api/v2/changes': changes.answer,
        'GET /api/v2/orders/12': () => ({ ...order, version }),
        'GET /api/v2/orders/12/results-types': { hasClinicalResult: true },
        'GET /api/v2/orders/12/clinical-results': results,
        'POST /auth/login': { token: 'fresh', user: profile },
        'POST /api/v2/orders/sign-multiple': buildProblem(412, 'stale_version', detail),
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Sign' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Electronic Signature' }));
    version += 1;
    changes.announce({ kind: 'order', id: 12, version });
    await waitFor(() =>
      expect(requests.filter(({ path }) => path === '/api/v2/orders/12')).toHaveLength(2),
    );
    await user.type(dialog.getByLabelText(/Password/), 'Portal-2026!');
    await user.click(dialog.getByRole('button', { name: 'Sign' }));
    expect(await screen.findByText(detail)).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const signing = requests.find(({ path }) => path.endsWith('/orders/sign-multiple'));
    expect(signing?.body).toMatchObject({ versions: { 12: order.version } });
    await waitFor(() =>
      expect(requests.filter(({ path }) => path === '/api/v2/orders/12')).toHaveLength(3),
    );
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

  it('says why a final order cannot be signed', async () => {
    const reason = say(messages.ORDER_SIGNATURE_CLOSED, { code: 'L260000012', status: 'FINAL' });
    await renderOrder({
      'GET /api/v2/orders/12': { ...order, canSign: { allowed: false, reason } },
      'GET /api/v2/orders/12/results-types': { hasClinicalResult: true },
      'GET /api/v2/orders/12/clinical-results': results,
    });
    const button = await screen.findByRole('button', { name: 'Sign' });
    expect(button).toBeDisabled();
    expect(button).toHaveAttribute('title', reason);
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

describe('Acknowledging an order', () => {
  const types = { hasClinicalResult: true };
  const orderAnswers = {
    'GET /api/v2/orders/12': order,
    'GET /api/v2/orders/12/results-types': types,
    'GET /api/v2/orders/12/clinical-results': results,
  };

  it('sends the shown version by keyboard shortcut, and opens the next unread order', async () => {
    const { user, requests, router } = await renderOrder({
      ...orderAnswers,
      'PUT /api/v2/orders/acknowledge': {
        data: [{ id: 12, onlineAckUser: 'Dana Reyes', onlineAckDateTime: '2026-03-04T11:00:00' }],
      },
      'GET /api/v2/orders/remote-operations': buildPage([{ id: 12 }, { id: 15 }]),
    });
    await screen.findByRole('button', { name: 'Acknowledge' });
    await user.keyboard('{Alt>}{Shift>}A{/Shift}{/Alt}');
    expect(await screen.findByText(messages.ORDER_ACKNOWLEDGED)).toBeVisible();
    await waitFor(() => expect(router.state.location.pathname).toContain(';id=15'));
    const sentRequest = requests.find(({ method }) => method === 'PUT');
    expect(sentRequest?.query.getAll('ids')).toEqual(['12']);
    expect(sentRequest?.body).toEqual({ versions: { 12: 3 } });
    const searchRequest = requests.find(({ path }) => path.endsWith('orders/remote-operations'));
    expect(searchRequest?.query.get('unreadByPhysician')).toBe('true');
  });

  /** Answers with a glucose of 512 the first time, and with a corrected one of 52 from then on. */
  const buildCorrectedAnswers = () => {
    const correctedResults = results.map((result) =>
      result.name === 'GLUCOSE'
        ? { ...result, result: '52', flag: 'L', isCritical: false }
        : result,
    );
    let [reads, resultReads] = [0, 0];
    return {
      ...orderAnswers,
      'GET /api/v2/orders/12': () => ({ ...order, version: order.version + reads++ }),
      'GET /api/v2/orders/12/clinical-results': () =>
        resultReads++ === 0 ? results : correctedResults,
    };
  };

  it('shows the new results and the reason when they have changed meanwhile', async () => {
    const reason = say(messages.ORDER_RESULTS_CHANGED, { code: order.codeValue });
    const { user } = await renderOrder({
      ...buildCorrectedAnswers(),
      'PUT /api/v2/orders/acknowledge': buildProblem(412, 'stale_version', reason),
    });
    const row = await screen.findByRole('row', { name: /GLUCOSE/ });
    expect(within(row).getByText('512')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Acknowledge' }));
    expect(await screen.findByText(reason)).toBeVisible();
    expect(await within(row).findByText('52')).toBeVisible();
  });

  it('shows results that somebody else corrects while the order is open', async () => {
    const changes = createChangeStream();
    await renderOrder({ ...buildCorrectedAnswers(), 'GET /api/v2/changes': changes.answer });
    const row = await screen.findByRole('row', { name: /GLUCOSE/ });
    expect(within(row).getByText('512')).toBeVisible();
    changes.announce({ kind: 'order', id: 12, version: order.version + 1 });
    expect(await within(row).findByText('52')).toBeVisible();
  });

  it('shows a signature of somebody else, which keeps the version, without new results', async () => {
    const changes = createChangeStream();
    let hasSignature = false;
    const { requests } = await renderOrder({
      ...orderAnswers,
      'GET /api/v2/orders/12': () => ({ ...order, hasSignature }),
      'GET /api/v2/changes': changes.answer,
    });
    expect(await screen.findByRole('button', { name: 'Sign' })).toBeVisible();
    await screen.findByRole('row', { name: /GLUCOSE/ });
    hasSignature = true;
    changes.announce({ kind: 'order', id: 12, version: order.version });
    expect(await screen.findByRole('button', { name: 'Unsign' })).toBeVisible();
    expect(requests.filter(({ path }) => path.endsWith('/clinical-results'))).toHaveLength(1);
  });

  it.each([
    ['release', 'Results were released'],
    ['review', 'A result was put under review'],
    ['withdrawn', 'A result was withdrawn'],
    ['restored', 'The review of a result ended'],
    [null, 'Results changed'],
  ])('says what changed after the acknowledgment: %s', async (kind, words) => {
    const times = { acknowledged: '2026-03-04T10:00:00', changed: '2026-03-04T11:00:00' };
    const reopening = { ...times, kind };
    await renderOrder({
      ...orderAnswers,
      'GET /api/v2/orders/12': { ...order, reopened: reopening },
    });
    expect(
      await screen.findByText((text) => text.startsWith(`${words} on 03/04/2026 11:00 AM`)),
    ).toBeVisible();
  });
});
