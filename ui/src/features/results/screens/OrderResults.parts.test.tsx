import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages } from '../../../contract';
import { renderOrder, results, specimens, tube } from '../../../test/orderResults';
import { allowed, shownOrder as order } from '../../../test/orders';
import { buildProblem, createChangeStream } from '../../../test/portal';

describe('The specimens of an order', () => {
  const page = {
    'GET /api/v2/orders/12': { ...order, canCancel: allowed },
    'GET /api/v2/orders/12/results-types': { hasClinicalResult: true },
    'GET /api/v2/orders/12/clinical-results': results,
    'GET /api/v2/reasons': [{ code: 'CLOTTED', words: 'Clotted' }],
    'GET /api/v2/collection-sites': [],
  };

  it('prints the labels of the tubes again', async () => {
    const label = { requisitionId: 13, key: 'A', title: 'GOLD TOP, SERUM', image: 'aGk=' };
    const { user, requests } = await renderOrder({
      ...page,
      'GET /api/labels/orders/12': [{ ...label, zpl: '', epl: '' }],
      'GET /api/v2/requisitions/13/label-prints': [],
    });
    await user.click(await screen.findByRole('button', { name: 'Print Labels' }));
    const dialog = await screen.findByRole('dialog', { name: 'Labels' });
    expect(await within(dialog).findByRole('img', { name: `Label: ${label.title}` })).toBeVisible();
    expect(requests.some(({ path }) => path === '/api/v2/requisitions/labels')).toBe(false);
  });

  it('offers no labels to people who cannot change specimens', async () => {
    const denied = { allowed: false, reason: 'Not for your role' };
    await renderOrder({
      ...page,
      'GET /api/v2/orders/12/specimens': { ...specimens, canChange: denied },
    });
    expect(await screen.findByRole('region', { name: 'Specimens' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Print Labels' })).toBeNull();
  });

  it('rejects a tube only with a reason, and asks for a new collection', async () => {
    const rejectedTube = { ...tube, state: 'rejected', reason: 'Clotted' };
    const replacement = { ...tube, id: 2, state: 'expected', isReplacement: true };
    const { user, requests } = await renderOrder({
      ...page,
      'PUT /api/v2/orders/12/specimens': {
        ...specimens,
        version: 4,
        awaitsCollection: true,
        tubes: [rejectedTube, { ...replacement, receivedAt: null, receivedBy: null }],
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Change Specimens' }));
    const dialog = await screen.findByRole('dialog', { name: 'Change Specimens' });
    await user.selectOptions(within(dialog).getByLabelText(/1 · GOLD TOP/), 'rejected');
    await user.click(within(dialog).getByRole('button', { name: 'Save' }));
    expect(within(dialog).getByText(messages.REASON_UNKNOWN)).toBeVisible();
    await user.selectOptions(within(dialog).getByLabelText(/Reason for tube 1/), 'CLOTTED');
    await user.click(within(dialog).getByRole('button', { name: 'Save' }));
    expect(await screen.findByText(/New collection requested/)).toBeVisible();
    const sentRequest = requests.find(({ method }) => method === 'PUT');
    expect(sentRequest?.body).toMatchObject({
      tubes: [{ number: 1, state: 'rejected', reason: 'CLOTTED' }],
    });
  });

  it('asks for no new collection if the tests of a rejected tube are canceled', async () => {
    const expected = { ...tube, state: 'expected', receivedAt: null, receivedBy: null };
    await renderOrder({
      ...page,
      'GET /api/v2/orders/12/specimens': {
        ...specimens,
        tubes: [{ ...expected, isReplacement: true, isNeeded: false }],
      },
    });
    expect(await screen.findByText(/New collection no longer needed/)).toBeVisible();
    expect(screen.queryByText(/New collection requested/)).toBeNull();
  });

  it('shows and keeps a collection date without a time, and rejects unfinished dates', async () => {
    const replacement = { ...tube, isReplacement: true, collectedAt: '2026-03-05T00:00:00' };
    const { user, requests } = await renderOrder({
      ...page,
      'GET /api/v2/orders/12/specimens': { ...specimens, tubes: [replacement] },
      'PUT /api/v2/orders/12/specimens': { ...specimens, version: 4, tubes: [replacement] },
    });
    expect(await screen.findByText(/collected 03\/05\/2026$/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Change Specimens' }));
    const dialog = await screen.findByRole('dialog', { name: 'Change Specimens' });
    const date = within(dialog).getByRole('textbox', { name: 'Tube 1 was collected' });
    expect(date).toHaveValue('03/05/2026');
    await user.clear(date);
    await user.type(date, '03/0');
    await user.click(within(dialog).getByRole('button', { name: 'Save' }));
    expect(await within(dialog).findByText(messages.DATE_INVALID)).toBeVisible();
    expect(requests.some(({ method }) => method === 'PUT')).toBe(false);
    await user.clear(date);
    await user.type(date, '03/05/2026');
    await user.click(within(dialog).getByRole('button', { name: 'Save' }));
    expect(await screen.findByText(messages.SPECIMENS_SAVED)).toBeVisible();
    expect(requests.find(({ method }) => method === 'PUT')?.body).toMatchObject({
      tubes: [{ number: 1, collectedAt: '2026-03-05T00:00:00' }],
    });
  });

  it('are saved with the version that the dialog shows, whatever arrives meanwhile', async () => {
    let current: unknown = specimens;
    let currentOrder = page['GET /api/v2/orders/12'];
    const reason = 'Somebody else changed the order';
    const { user, requests, queries } = await renderOrder({
      ...page,
      'GET /api/v2/orders/12': () => currentOrder,
      'GET /api/v2/orders/12/specimens': () => current,
      'PUT /api/v2/orders/12/specimens': () => buildProblem(412, 'stale_version', reason),
    });
    await user.click(await screen.findByRole('button', { name: 'Change Specimens' }));
    const dialog = await screen.findByRole('dialog', { name: 'Change Specimens' });
    current = { ...specimens, version: 4, tubes: [{ ...tube, conditionWords: 'Pale' }] };
    // The section of the specimens moves above the results, which must not close the dialog.
    currentOrder = { ...currentOrder, awaitsCollection: true };
    await act(() => queries.invalidateQueries());
    await screen.findByText(/Pale/);
    await screen.findByText('RECOLLECT');
    await user.click(within(dialog).getByRole('button', { name: 'Save' }));
    expect(await screen.findByText(new RegExp(reason))).toBeVisible();
    const [save] = requests.filter(({ method }) => method === 'PUT');
    expect(save?.headers.get('If-Match')).toBe('"3"');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('cancels chosen tests with a reason', async () => {
    const test = { parentId: null, level: 0, kind: 'clinical', isPanel: false, status: 1 };
    const { user, requests } = await renderOrder({
      ...page,
      'GET /api/v2/orders/12/tests': [
        { ...test, id: 2, name: 'GLUCOSE', awaitsCollection: false, canCancel: false },
        { ...test, id: 3, name: 'SODIUM', awaitsCollection: false, canCancel: true },
      ],
      'POST /api/v2/orders/12/cancel': order,
    });
    await user.click(await screen.findByRole('button', { name: 'Cancel Tests' }));
    const dialog = await screen.findByRole('dialog', { name: 'Cancel Tests' });
    expect(await within(dialog).findByRole('checkbox', { name: 'GLUCOSE' })).toBeDisabled();
    expect(within(dialog).getByText(messages.TESTS_RELEASED_HERE)).toBeVisible();
    await user.click(within(dialog).getByRole('checkbox', { name: 'SODIUM' }));
    await user.selectOptions(await within(dialog).findByLabelText(/Reason/), 'CLOTTED');
    await user.click(within(dialog).getByRole('button', { name: 'Cancel Tests' }));
    expect(await screen.findByText(messages.TESTS_CANCELED)).toBeVisible();
    expect(requests.find(({ path }) => path.endsWith('/cancel'))?.body).toMatchObject({
      orderTestIds: [3],
      reason: 'CLOTTED',
    });
  });
});

describe('The tests to cancel', () => {
  it('are below their panels, and canceled ones say so', async () => {
    const test = { level: 1, kind: 'clinical', isPanel: false, status: 1, awaitsCollection: false };
    const panel = { ...test, parentId: null, level: 0, isPanel: true, canCancel: false };
    const { user, requests } = await renderOrder({
      'GET /api/v2/orders/12': { ...order, canCancel: allowed },
      'GET /api/v2/orders/12/results-types': { hasClinicalResult: true },
      'GET /api/v2/orders/12/clinical-results': results,
      'GET /api/v2/reasons': [{ code: 'CLOTTED', words: 'Clotted' }],
      'GET /api/v2/orders/12/tests': [
        { ...panel, id: 1, name: 'BASIC PANEL' },
        { ...test, id: 2, parentId: 1, name: 'GLUCOSE', canCancel: true },
        { ...panel, id: 3, name: 'LIVER PANEL' },
        { ...test, id: 4, parentId: 3, name: 'GLUCOSE', canCancel: true },
        { ...test, id: 5, parentId: 3, name: 'ALBUMIN', canCancel: false, status: 32 },
        { ...test, id: 6, parentId: null, level: 0, name: 'SODIUM', canCancel: true },
      ],
      'POST /api/v2/orders/12/cancel': order,
    });
    await user.click(await screen.findByRole('button', { name: 'Cancel Tests' }));
    const dialog = await screen.findByRole('dialog', { name: 'Cancel Tests' });
    const liver = await within(dialog).findByRole('group', { name: 'LIVER PANEL' });
    expect(within(liver).getByRole('checkbox', { name: 'ALBUMIN CANCELED' })).toBeDisabled();
    expect(within(liver).queryByRole('checkbox', { name: 'SODIUM' })).toBeNull();
    await user.click(within(liver).getByRole('checkbox', { name: 'GLUCOSE' }));
    await user.selectOptions(await within(dialog).findByLabelText(/Reason/), 'CLOTTED');
    await user.click(within(dialog).getByRole('button', { name: 'Cancel Tests' }));
    expect(await screen.findByText(messages.TESTS_CANCELED)).toBeVisible();
    const cancelRequest = requests.find(({ path }) => path.endsWith('/cancel'));
    expect(cancelRequest?.body).toMatchObject({ orderTestIds: [4] });
  });
});

describe('The last values of an order', () => {
  it('lose a value of another order that is withheld while the page is open', async () => {
    const changes = createChangeStream();
    const value = { collectionDate: '2026-02-04T08:00:00', result: '777', number: 777, flag: 'H' };
    let values = [{ key: 2, values: [value] }];
    const { user, requests } = await renderOrder({
      'GET /api/v2/orders/12': order,
      'GET /api/v2/orders/12/results-types': { hasClinicalResult: true },
      'GET /api/v2/orders/12/clinical-results': results,
      'GET /api/v2/orders/12/last-values': () => values,
      'GET /api/v2/changes': changes.answer,
    });
    const glucose = await screen.findByRole('row', { name: /GLUCOSE/ });
    await user.hover(within(glucose).getByRole('button', { name: 'GLUCOSE' }));
    expect(await within(await screen.findByRole('tooltip')).findByText(/777/)).toBeVisible();
    values = [];
    changes.announce({ kind: 'order', id: 9, version: 5, patientId: order.patient.id });
    await waitFor(() => expect(screen.queryByText(/777/)).toBeNull());
    // Changes of other patients load nothing.
    const countReads = () => requests.filter(({ path }) => path.endsWith('/last-values')).length;
    const reads = countReads();
    changes.announce({ kind: 'order', id: 8, version: 5, patientId: order.patient.id + 1 });
    changes.announce({ kind: 'order', id: 12, version: order.version });
    await waitFor(() =>
      expect(requests.filter(({ path }) => path === '/api/v2/orders/12').length).toBeGreaterThan(1),
    );
    expect(countReads()).toBe(reads);
  });
});

describe('The comment on an order', () => {
  const answers = (values: object) => ({
    'GET /api/v2/orders/12': { ...order, ...values },
    'GET /api/v2/orders/12/results-types': { hasClinicalResult: true },
    'GET /api/v2/orders/12/clinical-results': results,
  });
  const changedAt = '2026-03-04T10:12:00';

  it('is shown with a change after the release, and by whom', async () => {
    const commentChange = { changedAt, changedBy: 'Lee Bench' };
    await renderOrder(answers({ reportComment: 'Sample hemolyzed', commentChange }));
    const section = await screen.findByRole('region', { name: 'Order Comments' });
    expect(section).toHaveTextContent('Sample hemolyzed');
    expect(section).toHaveTextContent(
      'Changed after the release: 03/04/2026 10:12 AM by Lee Bench',
    );
  });

  it('names nobody to patients', async () => {
    const commentChange = { changedAt, changedBy: null };
    await renderOrder(answers({ reportComment: 'Sample hemolyzed', commentChange }));
    const section = await screen.findByRole('region', { name: 'Order Comments' });
    expect(section).toHaveTextContent(/Changed after the release: 03\/04\/2026 10:12 AM$/);
  });

  it('has no section where there is none', async () => {
    await renderOrder(answers({ reportComment: null }));
    expect(await screen.findByRole('region', { name: 'Order Documents' })).toBeVisible();
    expect(screen.queryByRole('region', { name: 'Order Comments' })).toBeNull();
  });
});

describe('Order documents', () => {
  const createFile = (name: string) => new File([name], name, { type: 'application/pdf' });
  const PATH = '/api/v2/orders/12/documents';
  const reads = {
    'GET /api/v2/orders/12': order,
    'GET /api/v2/orders/12/results-types': { hasClinicalResult: true },
    'GET /api/v2/orders/12/clinical-results': results,
  };
  const scan = new File(['%PDF-1.4'], 'scan.pdf', { type: 'application/pdf' });

  it('are uploaded, and removed after a question if the user may', async () => {
    const { user, requests } = await renderOrder({
      ...reads,
      [`GET ${PATH}`]: [
        { id: 1, name: 'card.pdf', canRemove: { allowed: true, reason: null } },
        { id: 2, name: 'letter.pdf', canRemove: { allowed: false, reason: null } },
      ],
      [`POST ${PATH}`]: { id: 3, name: 'scan.pdf', canRemove: allowed },
      [`DELETE ${PATH}/1`]: new Response(null, { status: 204 }),
    });
    expect(await screen.findByRole('button', { name: 'letter.pdf' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Remove letter.pdf' })).toBeNull();
    await user.upload(screen.getByLabelText('Document'), scan);
    expect(await screen.findByText(messages.FILE_UPLOADED)).toBeVisible();
    const sentRequest = requests.find(({ method, path }) => method === 'POST' && path === PATH);
    expect(sentRequest?.body).toMatchObject({ fileName: 'scan.pdf', fileBase64: btoa('%PDF-1.4') });
    await user.click(screen.getByRole('button', { name: 'Remove card.pdf' }));
    const dialog = await screen.findByRole('dialog', { name: messages.DELETE_DOCUMENT_TITLE });
    expect(within(dialog).getByText(messages.CONFIRM_ORDER_DOCUMENT_REMOVAL)).toBeVisible();
    await user.click(within(dialog).getByRole('button', { name: 'Yes' }));
    expect(await screen.findByText(messages.FILE_REMOVED)).toBeVisible();
  });

  it('are chosen together; one that fails keeps its error, and the others are stored', async () => {
    const stored: { id: number; name: string; canRemove: typeof allowed }[] = [];
    const { user, requests } = await renderOrder({
      ...reads,
      [`GET ${PATH}`]: () => [...stored],
      [`POST ${PATH}`]: ({ body }: { body?: unknown }) => {
        const { fileName } = body as { fileName: string };
        if (fileName === 'second.pdf')
          return buildProblem(415, 'wrong_kind', 'This kind is not accepted');
        stored.push({ id: stored.length + 1, name: fileName, canRemove: allowed });
        return stored.at(-1);
      },
    });
    await screen.findByText('No documents');
    const chooser = screen.getByLabelText<HTMLInputElement>('Document');
    expect(chooser.multiple).toBe(true);
    const names = ['first.pdf', 'second.pdf', 'third.pdf'];
    await user.upload(chooser, [...names.map(createFile), new File([], 'empty.pdf')]);
    expect(await screen.findByRole('button', { name: 'third.pdf' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'first.pdf' })).toBeVisible();
    const row = screen.getByText('second.pdf').closest('li');
    expect(row).toHaveTextContent('This kind is not accepted');
    expect(
      screen.getByText(`${messages.FILE_UPLOADED}: first.pdf, third.pdf`, { exact: false }),
    ).toBeVisible();
    const sent = requests.filter(({ method, path }) => method === 'POST' && path === PATH);
    expect(sent.map(({ body }) => (body as { fileName: string }).fileName)).toEqual(names);
  });

  it('wait for those before them, and each says so', async () => {
    let finish: (answer: Response) => void = () => undefined;
    const { user } = await renderOrder({
      ...reads,
      [`GET ${PATH}`]: [],
      [`POST ${PATH}`]: () => new Promise<Response>((resolve) => (finish = resolve)),
    });
    await screen.findByText('No documents');
    await user.upload(
      screen.getByLabelText('Document'),
      ['first.pdf', 'second.pdf'].map(createFile),
    );
    expect(await screen.findByText('Uploading…')).toBeVisible();
    expect(screen.getByText('Waiting…')).toBeVisible();
    finish(buildProblem(503, 'unavailable', 'The portal is busy'));
    expect(await screen.findByRole('button', { name: /Try again .* first\.pdf/ })).toBeVisible();
    expect(screen.getByText('Uploading…')).toBeVisible();
    expect(screen.queryByText('Waiting…')).toBeNull();
  });

  it('that were not uploaded are not left without a question', async () => {
    const { user, router } = await renderOrder({
      ...reads,
      [`GET ${PATH}`]: [],
      [`POST ${PATH}`]: () => buildProblem(503, 'unavailable', 'The portal is busy'),
    });
    await screen.findByText('No documents');
    await user.upload(screen.getByLabelText('Document'), scan);
    await screen.findByRole('button', { name: 'Try again to upload scan.pdf' });
    await act(() => router.navigate('/elsewhere'));
    const question = await screen.findByRole('dialog', { name: 'Unsaved changes' });
    await user.click(within(question).getByRole('button', { name: 'Cancel' }));
    expect(screen.getByRole('button', { name: 'Try again to upload scan.pdf' })).toBeVisible();
  });

  it('say that their list cannot be loaded, also beside a file that was not uploaded', async () => {
    const { user } = await renderOrder({
      ...reads,
      [`GET ${PATH}`]: () => buildProblem(500, 'internal_error', ''),
      [`POST ${PATH}`]: () => buildProblem(503, 'unavailable', 'The portal is busy'),
    });
    expect(await screen.findByText(messages.INTERNAL_ERROR)).toBeVisible();
    await user.upload(screen.getByLabelText('Document'), scan);
    await screen.findByRole('button', { name: 'Try again to upload scan.pdf' });
    expect(screen.getByText(messages.INTERNAL_ERROR)).toBeVisible();
  });

  it('say why an upload failed, and offer the file for another try', async () => {
    let uploads = 0;
    const { user, requests } = await renderOrder({
      ...reads,
      [`GET ${PATH}`]: () => (uploads > 1 ? [{ id: 3, name: 'scan.pdf', canRemove: allowed }] : []),
      [`POST ${PATH}`]: () =>
        ++uploads === 1
          ? buildProblem(500, 'internal_error', 'Oops')
          : { id: 3, name: 'scan.pdf', canRemove: allowed },
    });
    await screen.findByText('No documents');
    await user.upload(screen.getByLabelText('Document'), scan);
    expect(await screen.findByText(messages.UPLOAD_NOT_STORED)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Try again to upload scan.pdf' }));
    expect(await screen.findByRole('button', { name: 'scan.pdf' })).toBeVisible();
    expect(screen.queryByText(messages.UPLOAD_NOT_STORED)).toBeNull();
    const sentRequests = requests.filter(({ method, path }) => method === 'POST' && path === PATH);
    const keys = sentRequests.map(({ headers }) => headers.get('Idempotency-Key'));
    expect(keys).toHaveLength(2);
    expect(keys[1]).toBe(keys[0]);
  });
});
