import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { destinationError } from '../../../lib/destination';
import { messages, Role, say } from '../../../contract';
import { page, problem, type Answers } from '../../../test/portal';
import { profile, renderPortal } from '../../../test/render';
import { requisition, requisitionRow } from '../../../test/requisitions';
import { richOfComments, richOfText } from '../comments';
import RequisitionForm from './RequisitionForm';
import RequisitionSearch from './RequisitionSearch';

const ONE = '/api/v2/requisitions/12';
const draw = (answers: Answers = {}, change: Parameters<typeof requisition>[0] = {}) =>
  renderPortal(<RequisitionForm />, {
    user: profile(Role.CLIENT_BASIC),
    path: '/secured/requisitions/create',
    parameters: { id: '12' },
    answers: {
      [`GET ${ONE}`]: requisition(change),
      [`POST ${ONE}`]: requisition({ version: 4 }),
      [`GET ${ONE}/documents`]: [{ id: 5, name: 'order.pdf' }],
      ...answers,
    },
  });
const button = (name: string | RegExp) => screen.getByRole('button', { name });

describe('Comments', () => {
  it('are words and lines, whatever is typed', () => {
    expect(richOfText('3 < 4 & <b>no</b>\nCall')).toBe(
      '<p>3 &lt; 4 &amp; &lt;b&gt;no&lt;/b&gt;<br>Call</p>',
    );
    expect(richOfText('   ')).toBe('');
    expect(richOfComments('a &lt; b')).toBe('a &lt; b');
    expect(richOfComments('one\ntwo')).toBe('<p>one<br>two</p>');
    expect(richOfComments('<p>one</p>')).toBe('<p>one</p>');
    expect(richOfComments(null)).toBe('');
  });

  it('are not sent when nobody touched them', async () => {
    const { user, seen } = await draw({}, { comments: '<p><strong>Fragile</strong> vein</p>' });
    expect(await screen.findByText('Fragile')).toBeVisible();
    await user.click(screen.getByRole('checkbox', { name: 'Same as Primary Physician' }));
    await user.click(button('Save'));
    await screen.findByText(messages.REQUISITION_SAVED);
    const write = seen.find(({ method, path }) => method === 'POST' && path === ONE);
    expect(write?.body).not.toHaveProperty('comments');
  });

  it('are sent as they are formatted', async () => {
    const { user, seen } = await draw();
    await user.click(await screen.findByRole('textbox', { name: 'Comments' }));
    await user.paste('Fragile');
    await user.keyboard('{Control>}a{/Control}');
    await user.click(button('Bold'));
    await user.click(button('Save'));
    await screen.findByText(messages.REQUISITION_SAVED);
    const write = seen.find(({ method, path }) => method === 'POST' && path === ONE);
    expect(write?.body).toMatchObject({ comments: '<p><strong>Fragile</strong></p>' });
  });

  it('that are too long are not sent, and the form says by how much', async () => {
    const { user, seen } = await draw({}, { comments: `<p>${'x'.repeat(99_990)}</p>` });
    await user.click(await screen.findByRole('textbox', { name: 'Comments' }));
    await user.paste('twelve words');
    await user.click(button('Save'));
    expect(
      await screen.findByText(say(messages.COMMENTS_TOO_LONG, { max: 100_000, count: 100_009 })),
    ).toBeVisible();
    expect(seen.some(({ method, path }) => method === 'POST' && path === ONE)).toBe(false);
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
  ])('%s %j: %s', (type, typed, wanted) => {
    expect(destinationError(type, typed)).toBe(wanted);
  });

  it('are added, taken off and saved with the requisition', async () => {
    const { user, seen } = await draw();
    await user.type(await screen.findByRole('textbox', { name: 'Email' }), 'ward@home.org{Enter}');
    await user.click(screen.getByRole('radio', { name: 'Fax' }));
    await user.type(screen.getByRole('textbox', { name: 'Fax' }), '3125550100');
    const panel = within(screen.getByRole('region', { name: 'Additional Copies' }));
    await user.click(panel.getByRole('button', { name: 'Add' }));
    const list = screen.getByRole('list', { name: 'Additional Copies' });
    expect(within(list).getByText(/312-555-0100/)).toBeVisible();
    await user.click(button('Remove ward@home.org'));
    await user.click(button('Save'));
    await screen.findByText(messages.REQUISITION_SAVED);
    const write = seen.find(({ method, path }) => method === 'POST' && path === ONE);
    expect(write?.body).toMatchObject({
      additionalCopies: [{ type: 'FAX', destination: '312-555-0100' }],
    });
  });
});

describe('Documents', () => {
  const file = (size = 10, name = 'scan.pdf') =>
    new File([new Uint8Array(size)], name, { type: 'application/pdf' });
  const chooser = () => screen.getByLabelText('Document', { selector: 'input' });

  it('that could not be listed are not said to be none', async () => {
    await draw({ [`GET ${ONE}/documents`]: () => problem(500, 'internal', '') });
    expect(await screen.findByText(messages.INTERNAL_ERROR)).toBeVisible();
    expect(screen.queryByText('No documents')).toBeNull();
  });

  it('are uploaded, and the list shows them', async () => {
    const { user, seen } = await draw({ [`POST ${ONE}/documents`]: { id: 6, name: 'scan.pdf' } });
    await screen.findByRole('button', { name: 'order.pdf' });
    await user.upload(chooser(), file());
    expect(await screen.findByText(messages.FILE_UPLOADED)).toBeVisible();
    const write = seen.find(({ method, path }) => method === 'POST' && path.endsWith('documents'));
    expect(write?.body).toMatchObject({ id: 12, fileName: 'scan.pdf' });
  });

  it('that are too large are not even sent', async () => {
    const { user, seen } = await draw();
    await screen.findByRole('button', { name: 'order.pdf' });
    await user.upload(chooser(), file(25 * 1024 * 1024 + 1));
    expect(await screen.findByText(messages.FILE_TOO_BIG)).toBeVisible();
    expect(seen.some(({ method, path }) => method === 'POST' && path.endsWith('s'))).toBe(false);
  });

  it('that are empty are not sent either', async () => {
    const { user } = await draw();
    await screen.findByRole('button', { name: 'order.pdf' });
    await user.upload(chooser(), file(0));
    expect(await screen.findByText(messages.FILE_EMPTY)).toBeVisible();
  });

  it('say so when an upload fails', async () => {
    const { user } = await draw({
      [`POST ${ONE}/documents`]: () => problem(415, 'wrong_kind', 'This kind is not taken'),
    });
    await screen.findByRole('button', { name: 'order.pdf' });
    await user.upload(chooser(), file());
    expect(await screen.findByText('This kind is not taken')).toBeVisible();
  });

  it('say so when nobody answers an upload', async () => {
    const { user } = await draw({
      [`POST ${ONE}/documents`]: () => {
        throw new TypeError('offline');
      },
    });
    await screen.findByRole('button', { name: 'order.pdf' });
    await user.upload(chooser(), file());
    expect(await screen.findByText(messages.UPLOAD_FAILED)).toBeVisible();
  });

  it('are opened by their name and removed after a question', async () => {
    const { user, device, seen } = await draw({ [`DELETE ${ONE}/documents/5`]: null });
    await user.click(await screen.findByRole('button', { name: 'order.pdf' }));
    expect(device.documents).toEqual([
      { path: `${ONE}/documents/download?name=order.pdf`, name: 'order.pdf' },
    ]);
    await user.click(button('Remove order.pdf'));
    const question = await screen.findByRole('dialog', { name: 'Remove document' });
    expect(within(question).getByText(messages.CONFIRM_DOCUMENT_REMOVAL)).toBeInTheDocument();
    await user.click(within(question).getByRole('button', { name: 'Yes' }));
    await waitFor(() => expect(seen.some(({ method }) => method === 'DELETE')).toBe(true));
  });
});

describe('Update Bill To', () => {
  it('bills the chosen rows to somebody else, with the versions that were seen', async () => {
    const { user, seen } = await renderPortal(<RequisitionSearch />, {
      answers: {
        'GET /api/v2/requisitions/remote-operations': page([requisitionRow()]),
        'PUT /api/v2/requisitions/change-bill-to': { data: [{ id: 12, version: 4 }] },
      },
    });
    await user.click(button('Search'));
    await screen.findByRole('gridcell', { name: 'R260000012' });
    await user.click(screen.getByRole('checkbox', { name: /^Select (?!all)/ }));
    await user.click(button('Update Bill To'));
    const dialog = await screen.findByRole('dialog', { name: 'Update Bill To' });
    const choice = within(dialog).getByRole('combobox', { name: 'Bill To' });
    expect(choice).toHaveDisplayValue('INSURANCE');
    await user.selectOptions(choice, 'CLIENT');
    await user.click(within(dialog).getByRole('button', { name: 'Send' }));
    expect(await screen.findByText(messages.BILL_TO_UPDATED)).toBeVisible();
    expect(seen.find(({ method }) => method === 'PUT')?.body).toEqual({
      billTo: 'Client',
      ids: [12],
      versions: { 12: 3 },
    });
  });
});

describe('A new requisition', () => {
  it('begins with the diagnoses and medications of its patient', async () => {
    const { patient } = requisition();
    await renderPortal(<RequisitionForm />, {
      user: profile(Role.CLIENT_BASIC),
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
