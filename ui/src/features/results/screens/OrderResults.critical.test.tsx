import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages } from '../../../contract';
import { renderOrder, results } from '../../../test/orderResults';
import { buildPage, buildProblem, createChangeStream } from '../../../test/portal';
import { shownOrder as order } from '../../../test/orders';

describe('The critical results of an order', () => {
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

  it('shows a call of the lab, and the notice of a correction, while the order is open', async () => {
    const changes = createChangeStream();
    const answers = { closedAt: null, isOverdue: false };
    let notice = { ...answers, id: 4, toldAt: null as string | null };
    let version = order.version;
    await renderOrder({
      'GET /api/v2/orders/12': () => ({ ...order, version }),
      'GET /api/v2/orders/12/results-types': { hasClinicalResult: true },
      'GET /api/v2/orders/12/clinical-results': results,
      'GET /api/v2/critical-results/remote-operations': () => buildPage([notice]),
      'GET /api/v2/changes': changes.answer,
    });
    const region = await screen.findByRole('region', { name: 'Critical results' });
    expect(await within(region).findByText('NOT REPORTED')).toBeVisible();
    notice = { ...notice, toldAt: '2026-03-04T10:00:00Z' };
    changes.announce({ kind: 'order', id: 12, version });
    await waitFor(() => expect(within(region).queryByText('NOT REPORTED')).toBeNull());
    notice = { ...notice, id: 5, toldAt: null };
    version += 1;
    changes.announce({ kind: 'order', id: 12, version });
    expect(await within(region).findByText('NOT REPORTED')).toBeVisible();
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
    // The reader works for a client, and sees the message for clients.
    expect(within(notice).getByText(messages.CRITICAL_CORRECTED_CLIENT)).toBeVisible();
    expect(within(notice).getByRole('button', { name: 'Show Calls' })).toBeVisible();
  });

  it('marks the tab of unexpected drugs with the label of the lab', async () => {
    await renderOrder({
      'GET /api/v2/orders/12': {
        ...order,
        criticalKinds: ['toxicology'],
        hasToxicologyUnexpectedPositive: true,
        alertBadges: ['CRITICAL', 'UNEXPECTED'],
      },
      'GET /api/v2/orders/12/results-types': {
        hasClinicalResult: true,
        hasToxicologyResult: true,
      },
      'GET /api/v2/orders/12/clinical-results': results,
    });
    const tab = await screen.findByRole('tab', { name: /Toxicology/ });
    expect(tab).toHaveTextContent('Toxicology CRITICAL UNEXPECTED');
    expect(screen.getByRole('tab', { name: 'Clinical' })).toBeVisible();
  });
});
