import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';

import { messages, Role, say } from '../../../contract';
import { buildPage, buildProblem, type Answers } from '../../../test/portal';
import { buildProfile, renderPortal } from '../../../test/render';
import {
  buildInsuranceRecord,
  readerPermissions,
  buildRequisition,
  buildRequisitionRow,
} from '../../../test/requisitions';
import { setScreenWidth, widths } from '../../../test/screens';
import type { Requisition } from '../api';
import RequisitionForm from './RequisitionForm';
import RequisitionSearch from './RequisitionSearch';

const REQUISITION_PATH = '/api/v2/requisitions/12';
const LIST = 'GET /api/v2/requisitions/remote-operations';
const VALIDITY = 'GET /api/v2/diagnoses/validity';
const i10 = { id: 3, code: 'I10', description: 'Essential hypertension', testId: null };
const earlierRow = buildRequisitionRow({ id: 9, code: 'R260000009', tests: ['Lipid Panel'] });

interface Options {
  change?: Partial<Requisition>;
  answers?: Answers;
  role?: Role;
}

const renderForm = ({ change = {}, answers = {}, role = Role.CLIENT_BASIC }: Options = {}) =>
  renderPortal(<RequisitionForm />, {
    user: buildProfile(role),
    path: '/secured/requisitions/create',
    parameters: { id: '12' },
    answers: {
      [`GET ${REQUISITION_PATH}`]: buildRequisition(change),
      [`POST ${REQUISITION_PATH}`]: buildRequisition({ version: 4 }),
      [VALIDITY]: { release: 'FY2026', ended: [] },
      [LIST]: buildPage([buildRequisitionRow(), earlierRow]),
      'GET /auth/storage-key': { key: btoa('k'.repeat(32)) },
      ...answers,
    },
  });

const getButton = (name: string) => screen.getByRole('button', { name });
const getWrittenBody = (requests: Awaited<ReturnType<typeof renderForm>>['requests']) =>
  requests.find(({ method, path }) => method === 'POST' && path === REQUISITION_PATH)?.body;

afterEach(() => setScreenWidth(widths.desktop));

describe('Diagnoses', () => {
  it('support all tests, or the chosen one', async () => {
    const { user, requests } = await renderForm({ change: { diagnoses: [i10] } });
    const support = await screen.findByRole('combobox', { name: 'Test that I10 supports' });
    expect(support).toHaveDisplayValue('All tests');
    await user.selectOptions(support, 'TSH Thyroid');
    await user.click(getButton('Save'));
    await screen.findByText(messages.REQUISITION_SAVED);
    expect(getWrittenBody(requests)).toMatchObject({ diagnoses: [{ id: 3, testId: 20 }] });
  });

  it('support all tests again when their test is removed, and the form says so', async () => {
    const { user } = await renderForm({ change: { diagnoses: [{ ...i10, testId: 20 }] } });
    const support = await screen.findByRole('combobox', { name: 'Test that I10 supports' });
    await user.click(getButton('Remove Thyroid'));
    expect(
      await screen.findByText(say(messages.DIAGNOSES_SUPPORT_ALL, { codes: 'I10' })),
    ).toBeVisible();
    expect(support).toHaveDisplayValue('All tests');
  });

  it('show the ICD-10-CM release and the codes that have expired by the collection date', async () => {
    await renderForm({
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

  it('show all rejected codes at once', async () => {
    const errors = ['I10', 'E11.9'].map((code, index) => ({
      field: `diagnoses.${index}`,
      message: say(messages.DIAGNOSIS_NOT_BILLABLE, { code }),
    }));
    const { user } = await renderForm({
      change: { diagnoses: [i10, { ...i10, id: 4, code: 'E11.9' }] },
      answers: { [`POST ${REQUISITION_PATH}`]: () => buildProblem(400, 'bad_input', '', errors) },
    });
    await user.click(await screen.findByRole('checkbox', { name: 'Same as Primary Physician' }));
    await user.click(getButton('Save'));
    const both = errors.map(({ message }) => message).join('. ');
    expect(await screen.findByText(both)).toBeVisible();
  });
});

describe('Previous requisitions', () => {
  it('open the latest at once, or one from the grid', async () => {
    const { user, device, requests } = await renderForm();
    await waitFor(() => expect(getButton('Previous Requisition')).toBeEnabled());
    const listRequest = requests.find(
      ({ path }) => path === '/api/v2/requisitions/remote-operations',
    );
    expect(listRequest?.query.get('patient')).toBe('7');
    await user.click(getButton('Previous Requisition'));
    await user.click(getButton('Choose a previous requisition'));
    const grid = await screen.findByRole('table', { name: 'Previous Requisitions' });
    expect(within(grid).queryByText('R260000012')).not.toBeInTheDocument();
    await user.click(within(grid).getByRole('button', { name: 'R260000009' }));
    const path = '/secured/requisitions/create;id=9';
    expect(device.windows).toEqual([path, path]);
  });

  it('are disabled without a patient', async () => {
    await renderPortal(<RequisitionForm />);
    expect(getButton('Previous Requisition')).toBeDisabled();
    expect(getButton('Choose a previous requisition')).toBeDisabled();
  });
});

describe('Recent requisitions', () => {
  it('list opened requisitions on form and search, and are stored encrypted', async () => {
    const { user, device } = await renderForm();
    await user.click(await screen.findByRole('button', { name: 'Recent Requisitions' }));
    const list = await screen.findByRole('table', { name: 'Recent Requisitions' });
    const row = within(list).getAllByRole('row')[1];
    expect(row).toHaveTextContent('R260000012OKONKWOAISHA04/17/1952NORTH SHORETSH');
    await waitFor(() => expect(device.preferences.get('recentRequisitions')).toBeTruthy());
    expect(JSON.stringify(device.preferences.get('recentRequisitions'))).not.toContain('OKONKWO');
    await user.click(within(list).getByRole('button', { name: 'R260000012' }));
    expect(device.windows).toEqual(['/secured/requisitions/create;id=12']);
  });

  it('are hidden when there are none', async () => {
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
      test: {
        ...buildRequisition().tests[0]?.test,
        parentId: null,
        isConfidential: false,
        children: [],
      },
    },
  ],
  diagnoses: [{ ...i10, testId: 20 }],
  additionalTestsDxCodes: [],
  medications: [{ name: 'LISINOPRIL' }],
  billingInfo: [32, 31],
  left: ['test OLD', 'diagnosis Q9'],
};

describe('A copy', () => {
  const renderCopy = () =>
    renderPortal(<RequisitionForm />, {
      user: buildProfile(Role.CLIENT_BASIC),
      path: '/secured/requisitions/create',
      parameters: { copyOf: '12' },
      answers: {
        [`GET ${REQUISITION_PATH}/copy`]: copy,
        'GET /api/v2/patients/7': {
          ...buildRequisition().patient,
          insuranceInformation: [
            buildInsuranceRecord({ id: 31, order: 1 }),
            buildInsuranceRecord({ id: 32, order: 2, payer: 'CIGNA' }),
          ],
        },
        'POST /api/v2/requisitions': buildRequisition({ id: 13, code: 'R260000013' }),
      },
    });

  it('is a new requisition, unsaved until the user saves it', async () => {
    const { user, requests } = await renderCopy();
    expect(await screen.findByRole('heading', { name: 'New Requisition' })).toBeVisible();
    expect(await screen.findByText('Fragile')).toBeVisible();
    expect(screen.getByRole('radio', { name: 'PATIENT' })).toBeChecked();
    expect(getButton('Sign')).toBeDisabled();
    await user.click(getButton('Save'));
    await screen.findByText(messages.REQUISITION_SAVED);
    const write = requests.find(({ path }) => path === '/api/v2/requisitions')?.body;
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

  it('names what could not be copied, and asks before the user leaves it', async () => {
    const { router } = await renderCopy();
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

  it('can be started from the form', async () => {
    const { user, device } = await renderForm();
    await user.click(await screen.findByRole('button', { name: 'Copy' }));
    expect(device.windows).toEqual(['/secured/requisitions/create;copyOf=12']);
  });

  it('can be started from the grid with exactly one selected row', async () => {
    const { user, device } = await renderPortal(<RequisitionSearch />, {
      answers: { [LIST]: buildPage([buildRequisitionRow(), earlierRow]) },
    });
    await user.click(getButton('Search'));
    await screen.findByRole('gridcell', { name: 'R260000012' });
    const boxes = screen.getAllByRole('checkbox', { name: /^Select (?!all)/ });
    expect(screen.queryByRole('button', { name: 'Copy' })).toBeNull();
    for (const box of boxes) await user.click(box);
    expect(getButton('Copy')).toBeDisabled();
    expect(getButton('Copy')).toHaveAttribute('title', messages.SELECT_ONE_REQUISITION);
    if (boxes[1]) await user.click(boxes[1]);
    await user.click(getButton('Copy'));
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

  it('shows image, signer and time, and earlier signatures', async () => {
    const earlierSignature = {
      ...signature,
      id: 1,
      userName: 'SAM',
      removedAt: '2026-03-27T14:00:00+00:00',
    };
    const { user } = await renderForm({
      change: { hasSignature: true },
      answers: {
        [`GET ${REQUISITION_PATH}/signature`]: signature,
        [`GET ${REQUISITION_PATH}/signatures`]: [signature, earlierSignature],
      },
    });
    await user.click(await screen.findByRole('button', { name: 'View Signature' }));
    const dialog = await screen.findByRole('dialog', { name: 'Signature' });
    expect(await within(dialog).findByRole('img', { name: 'Signature' })).toBeVisible();
    expect(within(dialog).getByText(/Electronically signed by: HELEN CARTWRIGHT/)).toBeVisible();
    const history = within(dialog).getByRole('region', { name: 'Signature history' });
    expect(within(history).getByText('SAM')).toBeVisible();
    expect(within(history).getByText(/Removed/)).toBeVisible();
  });

  it('says that a requisition is not signed', async () => {
    const { user } = await renderForm({ answers: { [`GET ${REQUISITION_PATH}/signatures`]: [] } });
    await user.click(await screen.findByRole('button', { name: 'Signature History' }));
    const dialog = await screen.findByRole('dialog', { name: 'Signature' });
    expect(await within(dialog).findByText('Not signed.')).toBeVisible();
  });
});

describe('The actions', () => {
  const expectDisabled = (...names: string[]) =>
    names.forEach((name) => expect(getButton(name)).toBeDisabled());
  const expectEnabled = (...names: string[]) =>
    names.forEach((name) => expect(getButton(name)).toBeEnabled());

  it('of a new requisition are only Save and Clear', async () => {
    await renderPortal(<RequisitionForm />);
    expectEnabled('Save', 'Clear');
    expectDisabled('Sign', 'Labels', 'Print', 'Copy', 'Cancel Requisition');
  });

  it('of a done requisition exclude Save and Cancel but include Sign', async () => {
    await renderForm({ change: { status: 4 } });
    await screen.findByText(/is DONE and cannot be changed/);
    expectDisabled('Save', 'Cancel Requisition');
    expectEnabled('Sign', 'Labels', 'Print', 'Copy');
  });

  it('of a done and signed requisition let its signer unsign', async () => {
    await renderForm({ change: { status: 4, hasSignature: true, signedByMe: true } });
    await screen.findByText(/is DONE and cannot be changed/);
    expectDisabled('Save');
    expectEnabled('Unsign');
  });

  it.each([false, true])(
    'of a canceled requisition (signed: %s) exclude Sign, Unsign and Labels',
    async (isSigned) => {
      await renderForm({ change: { status: 2, hasSignature: isSigned, signedByMe: isSigned } });
      await screen.findByText(/is CANCELED and cannot be changed/);
      expectDisabled('Save', isSigned ? 'Unsign' : 'Sign', 'Cancel Requisition');
      expectDisabled('Labels');
      expectEnabled('Print', 'Copy');
      expect(getButton('Labels')).toHaveAccessibleDescription(
        'Requisition R260000012 is CANCELED, so it has no labels',
      );
    },
  );

  it('follow the permissions of the portal, whatever the role', async () => {
    const denied = { allowed: false, reason: 'Not today' };
    await renderForm({ change: { canSign: denied, canCancel: denied } });
    await screen.findByRole('button', { name: 'Sign' });
    expectDisabled('Sign', 'Cancel Requisition');
    expectEnabled('Save');
  });

  it('of a patient are reading and signing', async () => {
    await renderForm({ role: Role.PATIENT, change: readerPermissions });
    await screen.findByRole('button', { name: 'Sign' });
    expectEnabled('Sign', 'Print');
    expect(screen.getByText(messages.REQUISITION_PATIENT_PARTS)).toBeVisible();
    for (const name of ['Save', 'Clear', 'Copy', 'Cancel Requisition', 'Edit Patient']) {
      expect(screen.queryByRole('button', { name })).not.toBeInTheDocument();
    }
    expect(screen.getByRole('combobox', { name: 'Ordering Physician' })).toBeDisabled();
    expect(screen.queryByRole('button', { name: 'Upload document' })).not.toBeInTheDocument();
    expect(await screen.findByRole('textbox', { name: 'Comments' })).toHaveAttribute(
      'contenteditable',
      'false',
    );
  });
});

describe('Clear and Print', () => {
  it('Clear asks before unsaved work is lost, and leaves a blank form', async () => {
    const { user, router } = await renderForm();
    await user.click(await screen.findByRole('checkbox', { name: 'Same as Primary Physician' }));
    await user.click(getButton('Clear'));
    const question = await screen.findByRole('dialog', { name: 'Clear' });
    expect(within(question).getByText(messages.UNSAVED_CHANGES)).toBeVisible();
    await user.click(within(question).getByRole('button', { name: 'Continue' }));
    await waitFor(() =>
      expect(router.state.location.pathname).toBe('/secured/requisitions/create'),
    );
  });

  it('Print opens the form of this requisition', async () => {
    const { user, device } = await renderForm();
    await user.click(await screen.findByRole('button', { name: 'Print' }));
    expect(device.documents).toEqual([
      { path: '/api/v2/reports/requisition?ids=12', name: 'requisition.pdf' },
    ]);
  });
});

describe('The floating menu of handhelds', () => {
  it.each(['phone', 'tablet'] as const)('contains the actions on a %s', async (kind) => {
    setScreenWidth(widths[kind]);
    const { user, router } = await renderForm();
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

  it('says why actions of a new requisition are disabled', async () => {
    setScreenWidth(widths.phone);
    const { user } = await renderPortal(<RequisitionForm />);
    await user.click(await screen.findByRole('button', { name: 'New Requisition actions' }));
    const findItem = (name: string) =>
      screen.findByRole('menuitem', { name: new RegExp(`^${name}`) });
    for (const name of ['Print', 'Copy', 'Email Forms', 'Fax Forms']) {
      const item = await findItem(name);
      expect(item).toHaveTextContent(messages.REQUISITION_SAVE_FIRST);
      expect(item).toHaveAttribute('aria-disabled', 'true');
    }
    expect(await findItem('Previous Requisition')).toHaveTextContent(messages.SELECT_PATIENT_FIRST);
  });
});
