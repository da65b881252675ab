import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';

import { limits, messages, Role } from '../../../contract';
import { buildProblem, type Answers } from '../../../test/portal';
import { buildProfile, renderPortal } from '../../../test/render';
import { ImportDialog } from './ImportDialog';

const PATH = '/api/system/users/import';
const validRow = {
  number: 2,
  email: 'wanda@demo.lab',
  lastName: 'WALKER',
  firstName: 'WANDA',
  role: 'Client Basic',
  assigned: ['LAKE CARE', 'HILL CARE'],
  errors: [] as string[],
};
const lateRow = { ...validRow, number: 3, email: 'late@demo.lab' };
const rejectedRow = { ...validRow, number: 4, email: 'nobody', errors: [messages.EMAIL_INVALID] };
const preview = {
  accepted: 2,
  rejected: 1,
  rows: [validRow, lateRow, rejectedRow],
  nextRow: null as number | null,
};

async function openScreen(answers: Answers = {}) {
  const onImported = vi.fn();
  const portal = await renderPortal(
    <ImportDialog onClose={() => undefined} onImported={onImported} />,
    {
      user: buildProfile(Role.SUPERUSER),
      answers: { [`POST ${PATH}/preview`]: preview, ...answers },
    },
  );
  const dialog = await screen.findByRole('dialog', { name: 'Import Users' });
  const chooseFile = (content = 'Email,…') =>
    portal.user.upload(
      within(dialog).getByLabelText('CSV file', { selector: 'input' }),
      new File([content], 'people.csv', { type: 'text/csv' }),
    );
  const listRows = () =>
    within(dialog)
      .getAllByRole('row')
      .slice(1)
      .map((row) =>
        within(row)
          .getAllByRole('cell')
          .map(({ textContent }) => textContent)
          .join(' | '),
      );
  return { ...portal, dialog, chooseFile, listRows, onImported };
}

describe('The import of users', () => {
  it('shows who will be invited, and errors first', async () => {
    const { dialog, chooseFile, listRows } = await openScreen();
    expect(within(dialog).queryByRole('button', { name: /Invite/ })).toBeNull();
    await chooseFile();
    expect(
      await within(dialog).findByText('2 people will be invited, 1 with errors.'),
    ).toBeVisible();
    expect(within(dialog).getByText('people.csv')).toBeVisible();
    expect(listRows()).toEqual([
      `4 | nobody | WALKER, WANDA | Client Basic | LAKE CARE; HILL CARE | ${messages.EMAIL_INVALID}`,
      '2 | wanda@demo.lab | WALKER, WANDA | Client Basic | LAKE CARE; HILL CARE | Will be invited',
      '3 | late@demo.lab | WALKER, WANDA | Client Basic | LAKE CARE; HILL CARE | Will be invited',
    ]);
  });

  it('invites the people, and shows the outcome of each row', async () => {
    const { user, dialog, chooseFile, listRows, requests, onImported } = await openScreen({
      [`POST ${PATH}`]: {
        accepted: 1,
        rejected: 2,
        nextRow: null,
        rows: [validRow, { ...lateRow, errors: [messages.USER_EMAIL_IN_USE] }, rejectedRow],
      },
    });
    await chooseFile();
    await user.click(await within(dialog).findByRole('button', { name: 'Invite 2 people' }));
    expect(await within(dialog).findByText('1 person invited, 2 with errors.')).toBeVisible();
    expect(listRows()).toEqual([
      '3 | late@demo.lab | WALKER, WANDA | Client Basic | LAKE CARE; HILL CARE | Email in use',
      `4 | nobody | WALKER, WANDA | Client Basic | LAKE CARE; HILL CARE | ${messages.EMAIL_INVALID}`,
      '2 | wanda@demo.lab | WALKER, WANDA | Client Basic | LAKE CARE; HILL CARE | Invited',
    ]);
    expect(within(dialog).queryByRole('button', { name: /Invite/ })).toBeNull();
    expect(onImported).toHaveBeenCalledOnce();
    const [first, second] = requests.filter(({ path }) => path.startsWith(PATH));
    expect(second?.body).toEqual({ ...(first?.body as object), firstRow: 2 });
  });

  it('invites a long file in parts, and continues after a failure', async () => {
    let parts = 0;
    const { user, dialog, chooseFile, requests } = await openScreen({
      [`POST ${PATH}/preview`]: { ...preview, accepted: 3, rejected: 1 },
      [`POST ${PATH}`]: () => {
        parts += 1;
        if (parts === 1) {
          return Response.json({
            accepted: 2,
            rejected: 0,
            rows: [validRow, lateRow],
            nextRow: 1002,
          });
        }
        if (parts === 2) return buildProblem(503, 'unavailable', '');
        return Response.json({ accepted: 1, rejected: 1, rows: [rejectedRow], nextRow: null });
      },
    });
    await chooseFile();
    await user.click(await within(dialog).findByRole('button', { name: 'Invite 3 people' }));
    await user.click(await within(dialog).findByRole('button', { name: 'Invite 1 person' }));
    expect(await within(dialog).findByText('3 people invited, 1 with errors.')).toBeVisible();
    const sentRequests = requests.filter(({ path }) => path === PATH);
    expect(sentRequests.map(({ body }) => (body as { firstRow: number }).firstRow)).toEqual([
      2, 1002, 1002,
    ]);
    const [, failedKey, repeatedKey] = sentRequests.map(({ headers }) =>
      headers.get('Idempotency-Key'),
    );
    expect(failedKey).toBe(repeatedKey);
  });

  it('shows how much of a long file is done', async () => {
    const responses: ((response: Response) => void)[] = [];
    const hold = () => new Promise<Response>((resolve) => responses.push(resolve));
    const { user, dialog, chooseFile } = await openScreen({
      [`POST ${PATH}/preview`]: { ...preview, accepted: 3, rejected: 1 },
      [`POST ${PATH}`]: hold,
    });
    await chooseFile();
    await user.click(await within(dialog).findByRole('button', { name: 'Invite 3 people' }));
    const bar = await within(dialog).findByRole(
      'progressbar',
      { name: messages.USER_IMPORT_INVITING },
      { timeout: 10_000 },
    );
    expect(bar).toHaveAttribute('aria-valuenow', '0');
    responses[0]?.(
      Response.json({ accepted: 1, rejected: 1, rows: [validRow, rejectedRow], nextRow: 1002 }),
    );
    await waitFor(() => expect(bar).toHaveAttribute('aria-valuenow', '50'));
    await waitFor(() => expect(responses).toHaveLength(2));
    responses[1]?.(Response.json({ accepted: 2, rejected: 0, rows: [lateRow], nextRow: null }));
    expect(await within(dialog).findByText('3 people invited, 1 with errors.')).toBeVisible();
    expect(within(dialog).queryByRole('progressbar')).toBeNull();
  });

  it('repeats with the same key after a lost answer', async () => {
    let answers = 0;
    const { user, dialog, chooseFile, requests } = await openScreen({
      [`POST ${PATH}`]: () => {
        answers += 1;
        if (answers === 1) throw new TypeError('connection lost');
        return Response.json(preview);
      },
    });
    await chooseFile();
    const button = await within(dialog).findByRole('button', { name: 'Invite 2 people' });
    await user.click(button);
    expect(await screen.findByText(messages.NO_CONNECTION)).toBeVisible();
    await user.click(within(dialog).getByRole('button', { name: 'Invite 2 people' }));
    expect(await within(dialog).findByText('2 people invited, 1 with errors.')).toBeVisible();
    const keys = requests
      .filter(({ path }) => path === PATH)
      .map(({ headers }) => headers.get('Idempotency-Key'));
    expect(keys).toHaveLength(2);
    expect(keys[0]).toBe(keys[1]);
  });

  it('says why it cannot read a file, until another is chosen', async () => {
    let answers = 0;
    const { dialog, chooseFile } = await openScreen({
      [`POST ${PATH}/preview`]: () => {
        answers += 1;
        if (answers > 1) return Response.json(preview);
        const message = messages.USER_IMPORT_ENCODING;
        return buildProblem(400, 'import_unreadable', message, [{ field: 'content', message }]);
      },
    });
    await chooseFile('first');
    expect(await within(dialog).findByText(messages.USER_IMPORT_ENCODING)).toBeVisible();
    await chooseFile('second');
    expect(await within(dialog).findByText(/2 people will be invited/)).toBeVisible();
    expect(within(dialog).queryByText(messages.USER_IMPORT_ENCODING)).toBeNull();
  });

  it('sends no file that is too large', async () => {
    const { dialog, chooseFile, requests } = await openScreen();
    await chooseFile('x'.repeat(limits.USER_IMPORT_MAX_BYTES + 1));
    expect(await within(dialog).findByText(messages.USER_IMPORT_TOO_LARGE)).toBeVisible();
    expect(requests.some(({ path }) => path.startsWith(PATH))).toBe(false);
  });
});
