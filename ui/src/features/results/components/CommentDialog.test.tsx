import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { limits, messages } from '../../../contract';
import { shownOrder } from '../../../test/orders';
import { buildProblem } from '../../../test/portal';
import {
  buildResultEntry,
  entered,
  findResult,
  getButton,
  renderEntry,
  RESULT_ENTRY_PATH,
} from '../../../test/resultEntry';

const PATH = '/api/v2/orders/12/report-comment';
const HISTORY = 'GET /api/v2/orders/12/report-comments';
const TEXT = 'Sample hemolyzed';

/** Opens result entry for an order with this comment, and then the dialog of the comment. */
async function openDialog(answers: Record<string, unknown> = {}, comment: string | null = null) {
  const view = await renderEntry({
    [`GET ${RESULT_ENTRY_PATH}`]: { ...buildResultEntry(), reportComment: comment },
    [HISTORY]: [],
    ...answers,
  });
  await view.user.click(getButton('Order Comments'));
  const dialog = await screen.findByRole('dialog', { name: 'Order Comments' });
  const field = within(dialog).getByLabelText('Comment');
  const save = within(dialog).getByRole('button', { name: 'Save' });
  const listWrites = () =>
    view.requests.filter(({ path, method }) => method === 'PUT' && path === PATH);
  return { ...view, dialog, field, save, listWrites };
}

describe('The comment on an order in result entry', () => {
  it('is written with the version on screen', async () => {
    const { user, field, save, listWrites } = await openDialog({
      [`PUT ${PATH}`]: { ...shownOrder, version: 4, reportComment: TEXT },
    });
    expect(save).toBeDisabled();
    expect(field).toHaveAttribute('maxlength', String(limits.ORDER_COMMENT_MAX_LENGTH));
    await user.type(field, `${TEXT} `);
    await user.click(save);
    expect(await screen.findByText(messages.ORDER_COMMENT_SAVED)).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const [write] = listWrites();
    expect(write?.body).toEqual({ comment: TEXT });
    expect(write?.headers.get('If-Match')).toBe('"3"');
    expect(write?.headers.get('Idempotency-Key')).not.toBeNull();
  });

  it('is removed by an empty text', async () => {
    const { user, field, save, listWrites } = await openDialog(
      { [`PUT ${PATH}`]: { ...shownOrder, version: 4 } },
      TEXT,
    );
    await user.clear(field);
    await user.click(save);
    expect(await screen.findByText(messages.ORDER_COMMENT_REMOVED)).toBeVisible();
    expect(listWrites()[0]?.body).toEqual({ comment: null });
  });

  it('says that readers see it, and that they acknowledge it after a release', async () => {
    const { dialog } = await openDialog({
      [`GET ${RESULT_ENTRY_PATH}`]: { ...buildResultEntry(), reported: '2026-11-20T10:00:00' },
    });
    expect(dialog).toHaveTextContent(messages.ORDER_COMMENT_VISIBLE);
    expect(dialog).toHaveTextContent(messages.ORDER_COMMENT_REPORTED);
  });

  it('shows the earlier comments and who wrote them', async () => {
    const { dialog } = await openDialog({
      [HISTORY]: [
        { comment: null, writtenAt: '2026-11-20T10:00:00', writtenBy: 'Lee Bench' },
        { comment: TEXT, writtenAt: '2026-11-20T09:00:00', writtenBy: 'Una User' },
      ],
    });
    const history = await within(dialog).findByRole('region', { name: 'History' });
    expect(
      within(history)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual([
      '11/20/2026 10:00 AM · Lee Bench: removed',
      `11/20/2026 09:00 AM · Una User: ${TEXT}`,
    ]);
  });

  it('keeps the typed text in a conflict, and saves it only after a choice', async () => {
    let isStale = false;
    const { user, dialog, field, save, listWrites } = await openDialog({
      [`GET ${RESULT_ENTRY_PATH}`]: () => ({
        ...buildResultEntry([], isStale ? 4 : 3),
        reportComment: isStale ? 'Theirs' : null,
      }),
      [`PUT ${PATH}`]: () => {
        if (isStale) return { ...shownOrder, version: 5 };
        isStale = true;
        return buildProblem(412, 'stale_version', messages.VERSION_STALE);
      },
    });
    await user.type(field, TEXT);
    await user.click(save);
    const conflict = await within(dialog).findByRole('alert');
    expect(conflict).toHaveTextContent(messages.ORDER_COMMENT_CONFLICT);
    expect(conflict).toHaveTextContent('Theirs');
    expect(field).toHaveValue(TEXT);
    expect(save).toBeDisabled();
    await user.click(within(conflict).getByRole('button', { name: 'Keep Mine' }));
    await user.click(save);
    expect(await screen.findByText(messages.ORDER_COMMENT_SAVED)).toBeVisible();
    expect(listWrites().map(({ headers }) => headers.get('If-Match'))).toEqual(['"3"', '"4"']);
  });

  it('can take over the newer comment', async () => {
    let isStale = false;
    const { user, dialog, field, save } = await openDialog({
      [`GET ${RESULT_ENTRY_PATH}`]: () => ({
        ...buildResultEntry([], isStale ? 4 : 3),
        reportComment: isStale ? 'Theirs' : null,
      }),
      [`PUT ${PATH}`]: () => {
        isStale = true;
        return buildProblem(412, 'stale_version', messages.VERSION_STALE);
      },
    });
    await user.type(field, TEXT);
    await user.click(save);
    await user.click(await within(dialog).findByRole('button', { name: 'Use Newer' }));
    expect(field).toHaveValue('Theirs');
    expect(save).toBeDisabled();
  });

  it('is lost by closing only after a question', async () => {
    const { user, dialog, field } = await openDialog();
    await user.type(field, TEXT);
    const [close] = within(dialog).getAllByRole('button', { name: 'Close' });
    if (close) await user.click(close);
    expect(await screen.findByText(messages.UNSAVED_CHANGES)).toBeVisible();
    expect(field).toHaveValue(TEXT);
  });

  it('waits until typed results are saved', async () => {
    const { user } = await renderEntry({ [HISTORY]: [] });
    await user.type(await findResult('PLATELETS'), '250');
    expect(getButton('Order Comments')).toBeDisabled();
    expect(getButton('Order Comments')).toHaveAccessibleDescription(messages.RESULTS_UNSAVED);
  });

  it('is not offered to people who release nothing', async () => {
    const denied = { allowed: false, reason: 'Releasing is not enabled for your role' };
    await renderEntry({
      [`GET ${RESULT_ENTRY_PATH}`]: { ...buildResultEntry([entered]), canRelease: denied },
    });
    expect(screen.queryByRole('button', { name: 'Order Comments' })).toBeNull();
  });
});
