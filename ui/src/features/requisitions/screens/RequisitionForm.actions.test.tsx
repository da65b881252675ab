import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';

import { messages, Role, say } from '../../../contract';
import { page, problem, type Answers } from '../../../test/portal';
import { profile, renderPortal } from '../../../test/render';
import {
  insuranceRecord,
  readersMay,
  requisition,
  requisitionRow,
} from '../../../test/requisitions';
import { onScreenOf, widths } from '../../../test/screens';
import type { Requisition } from '../api';
import RequisitionForm from './RequisitionForm';
import RequisitionSearch from './RequisitionSearch';

const ONE = '/api/v2/requisitions/12';
const LIST = 'GET /api/v2/requisitions/remote-operations';
const VALIDITY = 'GET /api/v2/diagnoses/validity';
const i10 = { id: 3, code: 'I10', description: 'Essential hypertension', testId: null };
const earlier = requisitionRow({ id: 9, code: 'R260000009', tests: ['Lipid Panel'] });

interface Options {
  change?: Partial<Requisition>;
  answers?: Answers;
  role?: Role;
}

const draw = ({ change = {}, answers = {}, role = Role.CLIENT_BASIC }: Options = {}) =>
  renderPortal(<RequisitionForm />, {
    user: profile(role),
    path: '/secured/requisitions/create',
    parameters: { id: '12' },
    answers: {
      [`GET ${ONE}`]: requisition(change),
      [`POST ${ONE}`]: requisition({ version: 4 }),
      [VALIDITY]: { release: 'FY2026', ended: [] },
      [LIST]: page([requisitionRow(), earlier]),
      'GET /auth/storage-key': { key: btoa('k'.repeat(32)) },
      ...answers,
    },
  });

const button = (name: string) => screen.getByRole('button', { name });
const written = (seen: Awaited<ReturnType<typeof draw>>['seen']) =>
  seen.find(({ method, path }) => method === 'POST' && path === ONE)?.body;

afterEach(() => onScreenOf(widths.desktop));

describe('Diagnoses', () => {
  it('support all tests, or the one that is chosen', async () => {
    const { user, seen } = await draw({ change: { diagnoses: [i10] } });
    const support = await screen.findByRole('combobox', { name: 'Test that I10 supports' });
    expect(support).toHaveDisplayValue('All tests');
    await user.selectOptions(support, 'TSH Thyroid');
    await user.click(button('Save'));
    await screen.findByText(messages.REQUISITION_SAVED);
    expect(written(seen)).toMatchObject({ diagnoses: [{ id: 3, testId: 20 }] });
  });

  it('support all tests again, and the form says so, when their test is removed', async () => {
    const { user } = await draw({ change: { diagnoses: [{ ...i10, testId: 20 }] } });
    const support = await screen.findByRole('combobox', { name: 'Test that I10 supports' });
    await user.click(button('Remove Thyroid'));
    expect(
      await screen.findByText(say(messages.DIAGNOSES_SUPPORT_ALL, { codes: 'I10' })),
    ).toBeVisible();
    expect(support).toHaveDisplayValue('All tests');
  });

  it('name the release in use, and those that are not valid on the collection date', async () => {
    await draw({
      change: { diagnoses: [i10], additionalTestsDxCodes: [{ ...i10, id: 4, code: 'E11.9' }] },
      answers: {
        [VALIDITY]: ({ query }: { query: URLSearchParams }) => ({
          release: 'FY2026',
          ended: query.get('date') === '2026-03-27' ? [i10, { ...i10, id: 4, code: 'E11.9' }] : [],
        }),
      },
    });
    expect(await screen.findByText('ICD-10-CM FY2026')).toBeVisible();
    for (const code of ['I10', 'E11.9']) {
      expect(await screen.findByText(say(messages.DIAGNOSIS_NOT_BILLABLE, { code }))).toBeVisible();
    }
  });

  it('are refused by name, all at once', async () => {
    const refusals = ['I10', 'E11.9'].map((code, index) => ({
      field: `diagnoses.${index}`,
      message: say(messages.DIAGNOSIS_NOT_BILLABLE, { code }),
    }));
    const { user } = await draw({
      change: { diagnoses: [i10, { ...i10, id: 4, code: 'E11.9' }] },
      answers: { [`POST ${ONE}`]: () => problem(400, 'bad_input', '', refusals) },
    });
    await user.click(await screen.findByRole('checkbox', { name: 'Same as Primary Physician' }));
    await user.click(button('Save'));
    const both = refusals.map(({ message }) => message).join('. ');
    expect(await screen.findByText(both)).toBeVisible();
  });
});

describe('Previous requisitions', () => {
  it('of the patient: the latest at once, or one from the grid', async () => {
    const { user, device, seen } = await draw();
    await waitFor(() => expect(button('Previous Requisition')).toBeEnabled());
    const asked = seen.find(({ path }) => path === '/api/v2/requisitions/remote-operations');
    expect(asked?.query.get('patient')).toBe('7');
    await user.click(button('Previous Requisition'));
    await user.click(button('Choose a previous requisition'));
    const grid = await screen.findByRole('table', { name: 'Previous Requisitions' });
    expect(within(grid).queryByText('R260000012')).not.toBeInTheDocument();
    await user.click(within(grid).getByRole('button', { name: 'R260000009' }));
    const path = '/secured/requisitions/create;id=9';
    expect(device.windows).toEqual([path, path]);
  });

  it('are none before there is a patient', async () => {
    await renderPortal(<RequisitionForm />);
    expect(button('Previous Requisition')).toBeDisabled();
    expect(button('Choose a previous requisition')).toBeDisabled();
  });
});

describe('Recent requisitions', () => {
  it('hold what was opened, on the form and on the search, and only sealed', async () => {
    const { user, device } = await draw();
    await user.click(await screen.findByRole('button', { name: 'Recent Requisitions' }));
    const list = await screen.findByRole('table', { name: 'Recent Requisitions' });
    const row = within(list).getAllByRole('row')[1];
    expect(row).toHaveTextContent('R260000012OKONKWOAISHA04/17/1952NORTH SHOREThyroid');
    await waitFor(() => expect(device.preferences.get('recentRequisitions')).toBeTruthy());
    expect(JSON.stringify(device.preferences.get('recentRequisitions'))).not.toContain('OKONKWO');
    await user.click(within(list).getByRole('button', { name: 'R260000012' }));
    expect(device.windows).toEqual(['/secured/requisitions/create;id=12']);
  });

  it('are not offered when there are none', async () => {
    await renderPortal(<RequisitionSearch />);
    expect(screen.queryByRole('button', { name: 'Recent Requisitions' })).not.toBeInTheDocument();
  });
});

const copy = {
  id: 12,
  code: 'R260000012',
  patientId: 7,
  physician: { id: 3, npi: '2123456789', firstName: 'HELEN', lastName: 'CARTWRIGHT' },
  billTo: 'Patient',
  comments: '<p>Fragile</p>',
  tests: [
    {
      isConfidential: true,
      test: { ...requisition().tests[0]?.test, parentId: null, children: [] },
    },
  ],
  diagnoses: [{ ...i10, testId: 20 }],
  additionalTestsDxCodes: [],
  medications: [{ name: 'LISINOPRIL' }],
  billingInfo: [32, 31],
  left: ['test OLD', 'diagnosis Q9'],
};

describe('A copy', () => {
  const drawCopy = () =>
    renderPortal(<RequisitionForm />, {
      user: profile(Role.CLIENT_BASIC),
      path: '/secured/requisitions/create',
      parameters: { copyOf: '12' },
      answers: {
        [`GET ${ONE}/copy`]: copy,
        'GET /api/v2/patients/7': {
          ...requisition().patient,
          insuranceInformation: [
            insuranceRecord({ id: 31, order: 1 }),
            insuranceRecord({ id: 32, order: 2, payer: 'CIGNA' }),
          ],
        },
        'POST /api/v2/requisitions': requisition({ id: 13, code: 'R260000013' }),
      },
    });

  it('is a new requisition, saved only when the person saves it', async () => {
    const { user, seen } = await drawCopy();
    expect(await screen.findByRole('heading', { name: 'New Requisition' })).toBeVisible();
    expect(await screen.findByText('Fragile')).toBeVisible();
    expect(screen.getByRole('radio', { name: 'PATIENT' })).toBeChecked();
    expect(button('Sign')).toBeDisabled();
    await user.click(button('Save'));
    await screen.findByText(messages.REQUISITION_SAVED);
    const write = seen.find(({ path }) => path === '/api/v2/requisitions')?.body;
    expect(write).toMatchObject({
      patientId: 7,
      physicianId: 3,
      priority: 'ROUTINE',
      billTo: 'Patient',
      comments: '<p>Fragile</p>',
      tests: [{ test: { id: 20 }, isConfidential: true }],
      diagnoses: [{ id: 3, testId: 20 }],
      medications: [{ name: 'LISINOPRIL' }],
      billingInfo: [
        { patientBillingInformationId: 32, position: 1 },
        { patientBillingInformationId: 31, position: 2 },
      ],
      additionalCopies: [],
    });
  });

  it('names what could not come along, and is not left without a question', async () => {
    const { router } = await drawCopy();
    expect(
      await screen.findByText(
        say(messages.REQUISITION_NOT_COPIED, {
          code: 'R260000012',
          left: 'test OLD, diagnosis Q9',
        }),
      ),
    ).toBeVisible();
    void router.navigate('/secured/requisitions/search');
    expect(await screen.findByText(messages.UNSAVED_CHANGES)).toBeVisible();
  });

  it('is asked for from the form', async () => {
    const { user, device } = await draw();
    await user.click(await screen.findByRole('button', { name: 'Copy' }));
    expect(device.windows).toEqual(['/secured/requisitions/create;copyOf=12']);
  });

  it('is asked for from the grid, with exactly one row chosen', async () => {
    const { user, device } = await renderPortal(<RequisitionSearch />, {
      answers: { [LIST]: page([requisitionRow(), earlier]) },
    });
    await user.click(button('Search'));
    await screen.findByRole('gridcell', { name: 'R260000012' });
    const boxes = screen.getAllByRole('checkbox', { name: /^Select (?!all)/ });
    expect(button('Copy')).toBeDisabled();
    for (const box of boxes) await user.click(box);
    expect(button('Copy')).toBeDisabled();
    if (boxes[1]) await user.click(boxes[1]);
    await user.click(button('Copy'));
    expect(device.windows).toEqual(['/secured/requisitions/create;copyOf=12']);
  });
});

describe('The signature viewer', () => {
  const signature = {
    id: 2,
    imageSignature: 'data:image/png;base64,AA==',
    userName: 'HELEN CARTWRIGHT',
    signedDateTime: '2026-03-27T09:00:00',
    removedAt: null,
  };

  it('shows the image, who signed and when, and what was taken back', async () => {
    const before = { ...signature, id: 1, userName: 'SAM', removedAt: '2026-03-27T14:00:00+00:00' };
    const { user } = await draw({
      change: { hasSignature: true },
      answers: {
        [`GET ${ONE}/signature`]: signature,
        [`GET ${ONE}/signatures`]: [signature, before],
      },
    });
    await user.click(await screen.findByRole('button', { name: 'View Signature' }));
    const dialog = await screen.findByRole('dialog', { name: 'Signature' });
    expect(await within(dialog).findByRole('img', { name: 'Signature' })).toBeVisible();
    expect(within(dialog).getByText(/Electronically signed by: HELEN CARTWRIGHT/)).toBeVisible();
    const history = within(dialog).getByRole('region', { name: 'Signature history' });
    expect(within(history).getByText('SAM')).toBeVisible();
    expect(within(history).getByText(/Taken back/)).toBeVisible();
  });

  it('says that nothing is signed where nothing is', async () => {
    const { user } = await draw({ answers: { [`GET ${ONE}/signatures`]: [] } });
    await user.click(await screen.findByRole('button', { name: 'Signature History' }));
    const dialog = await screen.findByRole('dialog', { name: 'Signature' });
    expect(await within(dialog).findByText('Not signed.')).toBeVisible();
  });
});

describe('What may be done', () => {
  const off = (...names: string[]) => names.forEach((name) => expect(button(name)).toBeDisabled());
  const on = (...names: string[]) => names.forEach((name) => expect(button(name)).toBeEnabled());

  it('with a new requisition: nothing but saving and clearing', async () => {
    await renderPortal(<RequisitionForm />);
    on('Save', 'Clear');
    off('Sign', 'Labels', 'Print', 'Copy', 'Cancel Requisition');
  });

  it('with a done one: no Save and no Cancel; it can be signed', async () => {
    await draw({ change: { status: 4 } });
    await screen.findByText(/is DONE and cannot be changed/);
    off('Save', 'Cancel Requisition');
    on('Sign', 'Labels', 'Print', 'Copy');
  });

  it('with a done and signed one: its signer may unsign', async () => {
    await draw({ change: { status: 4, hasSignature: true, signedByMe: true } });
    await screen.findByText(/is DONE and cannot be changed/);
    off('Save');
    on('Unsign');
  });

  it.each([false, true])(
    'with a canceled one (signed: %s): neither sign nor unsign',
    async (signed) => {
      await draw({ change: { status: 2, hasSignature: signed, signedByMe: signed } });
      await screen.findByText(/is CANCELED and cannot be changed/);
      off('Save', signed ? 'Unsign' : 'Sign', 'Cancel Requisition');
      on('Labels', 'Print', 'Copy');
    },
  );

  it('as the portal says, whatever the role', async () => {
    const refused = { allowed: false, reason: 'Not today' };
    await draw({ change: { canSign: refused, canCancel: refused } });
    await screen.findByRole('button', { name: 'Sign' });
    off('Sign', 'Cancel Requisition');
    on('Save');
  });

  it.each([Role.PHYSICIAN, Role.PATIENT])('by a %s: reading and signing', async (role) => {
    await draw({ role, change: readersMay });
    await screen.findByRole('button', { name: 'Sign' });
    on('Sign', 'Print');
    for (const name of ['Save', 'Clear', 'Copy', 'Cancel Requisition']) {
      expect(screen.queryByRole('button', { name })).not.toBeInTheDocument();
    }
    off('Edit Patient');
    expect(screen.getByRole('combobox', { name: 'Ordering Physician' })).toBeDisabled();
    expect(screen.queryByRole('button', { name: 'Upload document' })).not.toBeInTheDocument();
    expect(await screen.findByRole('textbox', { name: 'Comments' })).toHaveAttribute(
      'contenteditable',
      'false',
    );
  });
});

describe('Clear and Print', () => {
  it('Clear asks before unsaved work goes, and leaves a blank form', async () => {
    const { user, router } = await draw();
    await user.click(await screen.findByRole('checkbox', { name: 'Same as Primary Physician' }));
    await user.click(button('Clear'));
    const question = await screen.findByRole('dialog', { name: 'Clear' });
    expect(within(question).getByText(messages.UNSAVED_CHANGES)).toBeVisible();
    await user.click(within(question).getByRole('button', { name: 'Continue' }));
    await waitFor(() =>
      expect(router.state.location.pathname).toBe('/secured/requisitions/create'),
    );
  });

  it('Print opens the form of this requisition', async () => {
    const { user, device } = await draw();
    await user.click(await screen.findByRole('button', { name: 'Print' }));
    expect(device.documents).toEqual([
      { path: '/api/v2/reports/requisition?ids=12', name: 'requisition.pdf' },
    ]);
  });
});

describe('The floating menu of handhelds', () => {
  it.each(['phone', 'tablet'] as const)('holds the actions on a %s', async (kind) => {
    onScreenOf(widths[kind]);
    const { user, router } = await draw();
    await user.click(
      await screen.findByRole('button', { name: 'Edit Requisition: R260000012 actions' }),
    );
    for (const name of ['Sign', 'Labels', 'Print', 'Cancel Requisition', 'Copy', 'Clear']) {
      expect(await screen.findByRole('menuitem', { name })).toBeVisible();
    }
    await user.click(screen.getByRole('menuitem', { name: 'Previous Requisition' }));
    const dialog = await screen.findByRole('dialog', { name: 'Previous Requisitions' });
    await user.click(within(dialog).getByRole('button', { name: 'R260000009' }));
    await waitFor(() =>
      expect(router.state.location.pathname).toBe('/secured/requisitions/create;id=9'),
    );
  });
});
