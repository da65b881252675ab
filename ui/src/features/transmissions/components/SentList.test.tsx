import { act, screen } from '@testing-library/react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { limits, messages } from '../../../contract';
import { buildProblem } from '../../../test/portal';
import { renderPortal } from '../../../test/render';
import type { Recipient } from '../api';
import { SentList } from './SentList';

const SENT = 'GET /api/v2/requisitions/transmissions';

const recipient: Recipient = {
  id: 5,
  subject: 'forms',
  requisitionIds: [12],
  orderIds: [],
  type: 'FAX',
  destination: '312-555-0199',
  status: 'sending',
  attempts: 1,
  lastError: null,
  createdAt: '2026-03-09T14:05:00+00:00',
  nextTryAt: null,
  sentAt: null,
  deliveredAt: null,
  sentBy: 'Ada Tester',
};

describe('The sent forms', () => {
  it('show a note when nothing was sent', async () => {
    await renderPortal(<SentList id={12} />, { answers: { [SENT]: [] } });
    expect(await screen.findByText(messages.SENT_EMPTY)).toBeVisible();
  });

  it('show the error when they could not be loaded', async () => {
    const answers = { [SENT]: buildProblem(500, 'internal_error', 'Oops') };
    await renderPortal(<SentList id={12} />, { answers });
    expect(await screen.findByText(messages.INTERNAL_ERROR)).toBeVisible();
    expect(screen.queryByText(messages.SENT_EMPTY)).toBeNull();
  });

  it('show each recipient with status and reason', async () => {
    const failedRecipient: Recipient = {
      ...recipient,
      id: 4,
      type: 'EMAIL',
      destination: 'office@clinic.example',
      status: 'failed',
      lastError: 'The address was refused',
    };
    const { requests } = await renderPortal(<SentList id={12} />, {
      answers: { [SENT]: [{ ...recipient, status: 'delivered' }, failedRecipient] },
    });
    const [first, second] = await screen.findAllByRole('listitem');
    expect(first).toHaveTextContent(/Fax 312-555-0199\s*Delivered/);
    expect(first).toHaveTextContent('Ada Tester');
    expect(second).toHaveTextContent(/Email office@clinic.example\s*Failed/);
    expect(second).toHaveTextContent('The address was refused');
    expect(requests.at(-1)?.query.getAll('ids')).toEqual(['12']);
  });

  it('mark corrected results', async () => {
    await renderPortal(<SentList content="results" id={12} />, {
      answers: {
        'GET /api/v2/orders/transmissions': [
          { ...recipient, subject: 'correctedResults' },
          { ...recipient, id: 4, subject: 'results' },
        ],
      },
    });
    const [corrected, first] = await screen.findAllByRole('listitem');
    expect(corrected).toHaveTextContent('Fax 312-555-0199 (corrected results)');
    expect(first).not.toHaveTextContent('corrected');
  });

  it('are refreshed only while some are in progress', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    let requestCount = 0;
    await renderPortal(<SentList id={12} />, {
      answers: {
        [SENT]: () => {
          requestCount += 1;
          return [{ ...recipient, status: requestCount === 1 ? 'sending' : 'delivered' }];
        },
      },
    });
    expect(await screen.findByText('Sending')).toBeVisible();
    await act(() => vi.advanceTimersByTimeAsync(limits.SENT_REFRESH_MS));
    expect(await screen.findByText('Delivered')).toBeVisible();
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    expect(requestCount).toBe(2);
  });
});
