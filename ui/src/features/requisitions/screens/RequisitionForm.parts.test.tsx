import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { validateDestination } from '../../../lib/destination';
import { messages, Role, say } from '../../../contract';
import { buildPage, buildProblem, type Answers, type SentRequest } from '../../../test/portal';
import { buildProfile, renderPortal } from '../../../test/render';
import { buildRequisition, buildRequisitionRow } from '../../../test/requisitions';
import { commentsToHtml, textToHtml } from '../comments';
import RequisitionForm from './RequisitionForm';
import RequisitionSearch from './RequisitionSearch';

const REQUISITION_PATH = '/api/v2/requisitions/12';
const renderForm = (answers: Answers = {}, change: Parameters<typeof buildRequisition>[0] = {}) =>
  renderPortal(<RequisitionForm />, {
    user: buildProfile(Role.CLIENT_BASIC),
    path: '/secured/requisitions/create',
    parameters: { id: '12' },
    answers: {
      [`GET ${REQUISITION_PATH}`]: buildRequisition(change),
      [`POST ${REQUISITION_PATH}`]: buildRequisition({ version: 4 }),
      [`GET ${REQUISITION_PATH}/documents`]: [{ id: 5, name: 'order.pdf' }],
      ...answers,
    },
  });
const getButton = (name: string | RegExp) => screen.getByRole('button', { name });

describe('Comments', () => {
  it('keep text and line breaks', () => {
    expect(textToHtml('3 < 4 & <b>no</b>\nCall')).toBe(
      '<p>3 &lt; 4 &amp; &lt;b&gt;no&lt;/b&gt;<br>Call</p>',
    );
    expect(textToHtml('   ')).toBe('');
    expect(commentsToHtml('a &lt; b')).toBe('a &lt; b');
    expect(commentsToHtml('one\ntwo')).toBe('<p>one<br>two</p>');
    expect(commentsToHtml('<p>one</p>')).toBe('<p>one</p>');
    expect(commentsToHtml(null)).toBe('');
  });

  it('are not sent when unchanged', async () => {
    const { user, requests } = await renderForm(
      {},
      { comments: '<p><strong>Fragile</strong> vein</p>' },
    );
    expect(await screen.findByText('Fragile')).toBeVisible();
    await user.click(screen.getByRole('checkbox', { name: 'Same as Primary Physician' }));
    await user.click(getButton('Save'));
    await screen.findByText(messages.REQUISITION_SAVED);
    const write = requests.find(
      ({ method, path }) => method === 'POST' && path === REQUISITION_PATH,
    );
    expect(write?.body).not.toHaveProperty('comments');
  });

  it('are sent with their formatting', async () => {
    const { user, requests } = await renderForm();
    await user.click(await screen.findByRole('textbox', { name: 'Comments' }));
    await user.paste('Fragile');
    await user.keyboard('{Control>}a{/Control}');
    await user.click(getButton('Bold'));
    await user.click(getButton('Save'));
    await screen.findByText(messages.REQUISITION_SAVED);
    const write = requests.find(
      ({ method, path }) => method === 'POST' && path === REQUISITION_PATH,
    );
    expect(write?.body).toMatchObject({ comments: '<p><strong>Fragile</strong></p>' });
  });

  it('that are too long are not sent, and the form shows the length', async () => {
    const { user, requests } = await renderForm({}, { comments: `<p>${'x'.repeat(99_990)}</p>` });
    await user.click(await screen.findByRole('textbox', { name: 'Comments' }));
    await user.paste('twelve words');
    await user.click(getButton('Save'));
    expect(
      await screen.findByText(say(messages.COMMENTS_TOO_LONG, { max: 100_000, count: 100_009 })),
    ).toBeVisible();
    expect(
      requests.some(({ method, path }) => method === 'POST' && path === REQUISITION_PATH),
    ).toBe(false);
  });
});

describe('Additional copies', () => {
  it.each([
    ['EMAIL', '', messages.EMAIL_REQUIRED],
    ['EMAIL', 'nobody', messages.EMAIL_INVALID],
    ['EMAIL', 'a@b.org, c@d.org', messages.EMAIL_INVALID],
    ['FAX', '', messages.FAX_REQUIRED],
    ['FAX', '312555', messages.FAX_INVALID],
    ['EMAIL', 'a@b.org', null],
    ['FAX', '3125550100', null],
  ])('%s %j: %s', (type, typedText, expected) => {
    expect(validateDestination(type, typedText)).toBe(expected);
  });

  it('are added, removed and saved with the requisition', async () => {
    const { user, requests } = await renderForm();
    await user.type(await screen.findByRole('textbox', { name: 'Email' }), 'ward@home.org{Enter}');
    await user.click(screen.getByRole('radio', { name: 'Fax' }));
    await user.type(screen.getByRole('textbox', { name: 'Fax' }), '3125550100');
    const panel = within(screen.getByRole('region', { name: 'Additional Copies' }));
    await user.click(panel.getByRole('button', { name: 'Add' }));
    const list = screen.getByRole('list', { name: 'Additional Copies' });
    expect(within(list).getByText(/312-555-0100/)).toBeVisible();
    await user.click(getButton('Remove ward@home.org'));
    await user.click(getButton('Save'));
    await screen.findByText(messages.REQUISITION_SAVED);
    const write = requests.find(
      ({ method, path }) => method === 'POST' && path === REQUISITION_PATH,
    );
    expect(write?.body).toMatchObject({
      additionalCopies: [{ type: 'FAX', destination: '312-555-0100' }],
    });
  });

  it('are listed once, even if typed in another case', async () => {
    const { user } = await renderForm();
    const field = await screen.findByRole('textbox', { name: 'Email' });
    await user.type(field, 'ward@home.org{Enter}WARD@home.org{Enter}');
    const notice = say(messages.ALREADY_LISTED, { name: 'ward@home.org' });
    expect(await screen.findByText(notice)).toBeVisible();
    const list = screen.getByRole('list', { name: 'Additional Copies' });
    expect(within(list).getAllByRole('listitem')).toHaveLength(1);
  });
});

describe('Documents', () => {
  const createFile = (size = 10, name = 'scan.pdf') =>
    new File([new Uint8Array(size)], name, { type: 'application/pdf' });
  const getFileInput = () => screen.getByLabelText('Document', { selector: 'input' });

  it('show the failure when they cannot be listed', async () => {
    await renderForm({
      [`GET ${REQUISITION_PATH}/documents`]: () => buildProblem(500, 'internal', ''),
    });
    expect(await screen.findByText(messages.INTERNAL_ERROR)).toBeVisible();
    expect(screen.queryByText('No documents')).toBeNull();
  });

  it('are uploaded, and the list shows them', async () => {
    const { user, requests } = await renderForm({
      [`POST ${REQUISITION_PATH}/documents`]: { id: 6, name: 'scan.pdf' },
    });
    await screen.findByRole('button', { name: 'order.pdf' });
    await user.upload(getFileInput(), createFile());
    expect(await screen.findByText(messages.FILE_UPLOADED)).toBeVisible();
    const write = requests.find(
      ({ method, path }) => method === 'POST' && path.endsWith('documents'),
    );
    expect(write?.body).toMatchObject({ id: 12, fileName: 'scan.pdf' });
  });

  it('that are too large are not sent', async () => {
    const { user, requests } = await renderForm();
    await screen.findByRole('button', { name: 'order.pdf' });
    await user.upload(getFileInput(), createFile(25 * 1024 * 1024 + 1));
    expect(await screen.findByRole('alert')).toHaveTextContent(/^Only 25 MB files allowed\.$/);
    expect(screen.getByText(messages.FILE_TOO_BIG_ADVICE)).toBeVisible();
    const isUpload = ({ method, path }: SentRequest) =>
      method === 'POST' && path === `${REQUISITION_PATH}/documents`;
    expect(requests.some(isUpload)).toBe(false);
  });

  it('that are empty are not sent', async () => {
    const { user } = await renderForm();
    await screen.findByRole('button', { name: 'order.pdf' });
    await user.upload(getFileInput(), createFile(0));
    expect(await screen.findByRole('alert')).toHaveTextContent(messages.FILE_EMPTY);
  });

  it('show why an upload was rejected', async () => {
    const { user } = await renderForm({
      [`POST ${REQUISITION_PATH}/documents`]: () =>
        buildProblem(415, 'wrong_kind', 'This kind is not accepted'),
    });
    await screen.findByRole('button', { name: 'order.pdf' });
    await user.upload(getFileInput(), createFile());
    expect(await screen.findByRole('alert')).toHaveTextContent('This kind is not accepted');
  });

  it('show that an upload got no answer', async () => {
    const { user } = await renderForm({
      [`POST ${REQUISITION_PATH}/documents`]: () => {
        throw new TypeError('offline');
      },
    });
    await screen.findByRole('button', { name: 'order.pdf' });
    await user.upload(getFileInput(), createFile());
    expect(await screen.findByText(messages.UPLOAD_NOT_SENT)).toBeVisible();
    // The row says it, and a toast.
    expect(screen.getAllByText(messages.UPLOAD_FAILED)).toHaveLength(2);
  });

  it('are opened by name and removed after a question, which a message confirms', async () => {
    const { user, device, requests } = await renderForm({
      [`DELETE ${REQUISITION_PATH}/documents/5`]: null,
    });
    await user.click(await screen.findByRole('button', { name: 'order.pdf' }));
    expect(device.documents).toEqual([
      { path: `${REQUISITION_PATH}/documents/download?name=order.pdf`, name: 'order.pdf' },
    ]);
    await user.click(getButton('Remove order.pdf'));
    const question = await screen.findByRole('dialog', { name: 'Remove document' });
    expect(within(question).getByText(messages.CONFIRM_DOCUMENT_REMOVAL)).toBeInTheDocument();
    await user.click(within(question).getByRole('button', { name: 'Yes' }));
    expect(await screen.findByText(messages.FILE_REMOVED)).toBeVisible();
    expect(requests.some(({ method }) => method === 'DELETE')).toBe(true);
  });
});

describe('Update Bill To', () => {
  it('changes who is billed for the selected rows, with the versions on screen', async () => {
    const { user, requests } = await renderPortal(<RequisitionSearch />, {
      answers: {
        'GET /api/v2/requisitions/remote-operations': buildPage([buildRequisitionRow()]),
        'PUT /api/v2/requisitions/change-bill-to': { data: [{ id: 12, version: 4 }] },
      },
    });
    await user.click(getButton('Search'));
    await screen.findByRole('gridcell', { name: 'R260000012' });
    await user.click(screen.getByRole('checkbox', { name: /^Select (?!all)/ }));
    await user.click(getButton('Update Bill To'));
    const dialog = await screen.findByRole('dialog', { name: 'Update Bill To' });
    const choice = within(dialog).getByRole('combobox', { name: 'Bill To' });
    expect(choice).toHaveDisplayValue('INSURANCE');
    await user.selectOptions(choice, 'CLIENT');
    await user.click(within(dialog).getByRole('button', { name: 'Send' }));
    expect(await screen.findByText(messages.BILL_TO_UPDATED)).toBeVisible();
    expect(requests.find(({ method }) => method === 'PUT')?.body).toEqual({
      billTo: 'Client',
      ids: [12],
      versions: { 12: 3 },
    });
    expect(requests.filter(({ path }) => path.endsWith('/without-insurance'))).toEqual([]);
  });

  it('asks first where insurance is billed and none is listed', async () => {
    const { user, requests } = await renderPortal(<RequisitionSearch />, {
      answers: {
        'GET /api/v2/requisitions/remote-operations': buildPage([buildRequisitionRow()]),
        'GET /api/v2/requisitions/without-insurance': [12],
        'PUT /api/v2/requisitions/change-bill-to': { data: [{ id: 12, version: 4 }] },
      },
    });
    const countChanges = () => requests.filter(({ method }) => method === 'PUT').length;
    await user.click(getButton('Search'));
    await screen.findByRole('gridcell', { name: 'R260000012' });
    await user.click(screen.getByRole('checkbox', { name: /^Select (?!all)/ }));
    await user.click(getButton('Update Bill To'));
    await user.click(getButton('Send'));
    const question = say(messages.BILL_TO_WITHOUT_INSURANCE, { count: 1, total: 1 });
    expect(await screen.findByText(question)).toBeVisible();
    await user.click(getButton('Go back'));
    await user.click(getButton('Send'));
    expect(await screen.findByText(question)).toBeVisible();
    expect(countChanges()).toBe(0);
    await user.click(getButton('Send anyway'));
    expect(await screen.findByText(messages.BILL_TO_UPDATED)).toBeVisible();
    expect(countChanges()).toBe(1);
  });
});

describe('A new requisition', () => {
  it('starts with the diagnoses and medications of its patient', async () => {
    const { patient } = buildRequisition();
    await renderPortal(<RequisitionForm />, {
      user: buildProfile(Role.CLIENT_BASIC),
      path: '/secured/requisitions/create',
      parameters: { patientId: '7' },
      answers: {
        'GET /api/v2/patients/7': {
          ...patient,
          diagnoses: [{ id: 3, code: 'I10', description: 'Essential hypertension' }],
          medications: [{ id: 9, name: 'LISINOPRIL 10 MG' }],
        },
      },
    });
    expect(await screen.findByText('Essential hypertension')).toBeVisible();
    expect(screen.getByText('LISINOPRIL 10 MG')).toBeVisible();
  });
});
