import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages, Role, say } from '../../../contract';
import { renderOrder, results } from '../../../test/orderResults';
import { buildPage, buildProblem, createChangeStream } from '../../../test/portal';
import { shownOrder as order } from '../../../test/orders';

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

  /** Answers with a glucose of 512 the first time, and with a corrected 52 afterwards. */
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

  const glucoseChange = say(messages.RESULTS_CHANGED, {
    changes: 'GLUCOSE 512 mg/dL HH, now 52 mg/dL L',
  });

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
    expect(await screen.findByText(glucoseChange)).toBeVisible();
  });

  it('shows results that somebody else corrects while the order is open', async () => {
    const changes = createChangeStream();
    await renderOrder({ ...buildCorrectedAnswers(), 'GET /api/v2/changes': changes.answer });
    const row = await screen.findByRole('row', { name: /GLUCOSE/ });
    expect(within(row).getByText('512')).toBeVisible();
    changes.announce({ kind: 'order', id: 12, version: order.version + 1 });
    expect(await within(row).findByText('52')).toBeVisible();
  });

  it('says above all results what was corrected while the order is open, until OK', async () => {
    const changes = createChangeStream();
    const { user } = await renderOrder({
      ...buildCorrectedAnswers(),
      'GET /api/v2/changes': changes.answer,
    });
    await screen.findByRole('row', { name: /GLUCOSE/ });
    expect(screen.queryByText(glucoseChange)).toBeNull();
    changes.announce({ kind: 'order', id: 12, version: order.version + 1 });
    expect(await screen.findByText(glucoseChange)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'OK' }));
    expect(screen.queryByText(glucoseChange)).toBeNull();
  });

  it('does not tell the lab, which makes the corrections, what changed', async () => {
    const changes = createChangeStream();
    const answers = { ...buildCorrectedAnswers(), 'GET /api/v2/changes': changes.answer };
    await renderOrder(answers, Role.LABORATORY);
    const row = await screen.findByRole('row', { name: /GLUCOSE/ });
    changes.announce({ kind: 'order', id: 12, version: order.version + 1 });
    expect(await within(row).findByText('52')).toBeVisible();
    expect(screen.queryByText(glucoseChange)).toBeNull();
  });

  it('no longer shows an order that was moved to another physician', async () => {
    const changes = createChangeStream();
    let isMoved = false;
    await renderOrder({
      ...orderAnswers,
      'GET /api/v2/orders/12': () =>
        isMoved ? buildProblem(404, 'not_found', messages.NOT_FOUND) : order,
      'GET /api/v2/changes': changes.answer,
    });
    await screen.findByRole('row', { name: /GLUCOSE/ });
    isMoved = true;
    changes.announce({ kind: 'order', id: 12, version: order.version + 1 });
    expect(await screen.findByText(messages.NOT_FOUND)).toBeVisible();
    expect(screen.queryByRole('row', { name: /GLUCOSE/ })).toBeNull();
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
