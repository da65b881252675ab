import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages, Role, say } from '../../../contract';
import { renderOrder, results } from '../../../test/orderResults';
import { buildProblem, createChangeStream } from '../../../test/portal';
import { shownOrder as order } from '../../../test/orders';
import { buildProfile, renderPortal } from '../../../test/render';
import OrderResults from './OrderResults';

describe('Signing an order', () => {
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
});
