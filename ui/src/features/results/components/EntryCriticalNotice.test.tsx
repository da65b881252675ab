import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages, Role } from '../../../contract';
import { enteredOrder } from '../../../test/orders';
import { buildPage, createChangeStream } from '../../../test/portal';
import { buildProfile, renderPortal } from '../../../test/render';
import {
  buildResultEntry,
  entered,
  findResult,
  getButton,
  released,
  renderEntry,
  RESULT_ENTRY_PATH,
} from '../../../test/resultEntry';
import { EntryCriticalNotice } from './EntryCriticalNotice';

const LIST_PATH = '/api/v2/critical-results/remote-operations';
const openNotice = { id: 4, closedAt: null, toldAt: null, isOverdue: false };

describe('Critical results in result entry', () => {
  it('lead to the calls as soon as they are released', async () => {
    let isReleased = false;
    const result = { result: '7', flag: 'LL' } as const;
    const { user } = await renderEntry({
      [`GET ${RESULT_ENTRY_PATH}`]: buildResultEntry([{ ...result, ...entered }]),
      'POST /api/v2/orders/12/release': () => {
        isReleased = true;
        return buildResultEntry([{ ...result, ...released }], 4);
      },
      [`GET ${LIST_PATH}`]: () => buildPage(isReleased ? [openNotice] : []),
    });
    await user.click(getButton('Release 1'));
    const dialog = await screen.findByRole('dialog', { name: 'Release results' });
    expect(screen.queryByText(messages.CRITICAL_OPEN)).toBeNull();
    await user.click(within(dialog).getByRole('button', { name: 'Release' }));
    const notice = await screen.findByRole('region', { name: 'Critical results' });
    expect(within(notice).getByText(messages.CRITICAL_OPEN)).toBeVisible();
    expect(within(notice).getByRole('button', { name: 'Show Calls' })).toBeVisible();
  });

  it('follow the calls of colleagues, and nothing typed is lost', async () => {
    const changes = createChangeStream();
    let notice: object = openNotice;
    const { user } = await renderEntry({
      'GET /api/v2/changes': changes.answer,
      [`GET ${LIST_PATH}`]: () => buildPage([notice]),
    });
    expect(await screen.findByText(messages.CRITICAL_OPEN)).toBeVisible();
    await user.type(await findResult('GLUCOSE'), '85');
    notice = { ...openNotice, closedAt: '2026-11-20T10:00:00' };
    // A call keeps the version of the order.
    changes.announce({ kind: 'order', id: 12, version: 3 });
    await waitFor(() => expect(screen.queryByText(messages.CRITICAL_OPEN)).toBeNull());
    expect(await findResult('GLUCOSE')).toHaveValue('85');
  });

  it('are not mentioned to people who do not tell the client', async () => {
    const { requests } = await renderPortal(<EntryCriticalNotice order={enteredOrder} />, {
      user: buildProfile(Role.CLIENT_BASIC),
      answers: { [`GET ${LIST_PATH}`]: buildPage([openNotice]) },
    });
    expect(requests.map(({ path }) => path)).not.toContain(LIST_PATH);
    expect(screen.queryByRole('region')).toBeNull();
  });

  it('are not mentioned once their notice is closed', async () => {
    const closedNotice = { ...openNotice, closedAt: '2026-11-20T10:00:00' };
    const { requests } = await renderEntry({ [`GET ${LIST_PATH}`]: buildPage([closedNotice]) });
    expect(requests.map(({ path }) => path)).toContain(LIST_PATH);
    expect(screen.queryByText(messages.CRITICAL_OPEN)).toBeNull();
  });
});
