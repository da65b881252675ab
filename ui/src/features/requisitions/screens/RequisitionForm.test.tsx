import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages, Role, say } from '../../../contract';
import { formatInstant } from '../../../lib/instants';
import { buildPage, buildProblem, type Answers, type SentRequest } from '../../../test/portal';
import { listSaves } from '../../../test/requisitionForm';
import { buildProfile, renderPortal } from '../../../test/render';
import {
  physicianPermissions,
  readerPermissions,
  buildRequisition,
} from '../../../test/requisitions';
import RequisitionForm from './RequisitionForm';

const REQUISITION_PATH = '/api/v2/requisitions/12';
const tsh = { id: 20, code: 'TSH', name: 'Thyroid', alternateNames: '', type: 'TEST' };

const renderForm = (answers: Answers = {}, role: Role = Role.CLIENT_BASIC) =>
  renderPortal(<RequisitionForm />, {
    user: buildProfile(role),
    path: '/secured/requisitions/create',
    parameters: { id: '12' },
    answers: { [`GET ${REQUISITION_PATH}`]: buildRequisition(), ...answers },
  });

const getButton = (name: string) => screen.getByRole('button', { name });
const findComments = () => screen.findByRole('textbox', { name: 'Comments' });
type User = Awaited<ReturnType<typeof renderForm>>['user'];
const enterComment = async (user: User, text: string) => {
  await user.click(await findComments());
  await user.paste(text);
};

describe('A new requisition', () => {
  it('requires a patient and a test', async () => {
    const { user, requests } = await renderPortal(<RequisitionForm />);
    await user.click(getButton('Save'));
    const required = [messages.REQUISITION_PATIENT_REQUIRED, messages.REQUISITION_TEST_REQUIRED];
    await waitFor(() => {
      const [toast, ...others] = document.querySelectorAll<HTMLElement>('.bp6-toast');
      expect(others).toEqual([]);
      expect(toast).toHaveTextContent(required.join(''));
    });
    // Once in the toast, and once at its field.
    for (const message of required) expect(screen.getAllByText(message)).toHaveLength(2);
    expect(screen.getByRole('combobox', { name: 'Test code or name' })).toBeInvalid();
    expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
    expect(getButton('Select Patient')).toHaveFocus();
  });

  it('finds a test by its code, and reports none or several matches', async () => {
    const answer = ({ query }: SentRequest) => {
      const code = query.get('code');
      if (code === 'TWO') return buildPage([tsh, { ...tsh, id: 21 }]);
      return buildPage(code === 'TSH' ? [tsh] : []);
    };
    const { user } = await renderPortal(<RequisitionForm />, {
      answers: {
        'GET /api/v2/tests/remote-operations': answer,
        'GET /api/v2/tests/with-children': [
          { ...tsh, parentId: null, isConfidential: false, children: [] },
        ],
      },
    });
    const code = screen.getByRole('combobox', { name: 'Test code or name' });
    await user.type(code, 'xyz{Enter}');
    expect(await screen.findByText('Test with code XYZ not found')).toBeVisible();
    await user.clear(code);
    await user.type(code, 'two{Enter}');
    expect(await screen.findByText('More than one test with code TWO matched')).toBeVisible();
    await user.clear(code);
    await user.type(code, 'tsh{Enter}');
    const chosenTree = await screen.findByRole('tree', { name: 'Chosen tests' });
    expect(within(chosenTree).getByText('Thyroid')).toBeVisible();
  });

  it('lets arrow keys choose a test from the list', async () => {
    const { user } = await renderPortal(<RequisitionForm />, {
      answers: {
        'GET /api/v2/tests/remote-operations': buildPage([tsh]),
        'GET /api/v2/tests/with-children': [
          { ...tsh, parentId: null, isConfidential: false, children: [] },
        ],
      },
    });
    await user.type(screen.getByRole('combobox', { name: 'Test code or name' }), 'thy');
    await screen.findByRole('row', { name: /Thyroid/ });
    await user.keyboard('{ArrowDown}{Enter}');
    expect(await screen.findByRole('button', { name: 'Remove Thyroid' })).toBeVisible();
  });
});

describe('A saved requisition', () => {
  it('sends the whole record with its version', async () => {
    const { user, requests } = await renderForm({
      [`POST ${REQUISITION_PATH}`]: buildRequisition({ version: 4 }),
    });
    await screen.findByText('OKONKWO, AISHA', { exact: false });
    await user.click(screen.getByRole('checkbox', { name: 'Same as Primary Physician' }));
    await enterComment(user, 'Call me');
    await user.click(getButton('Save'));
    expect(await screen.findByText(messages.REQUISITION_SAVED)).toBeVisible();
    const write = requests.find(
      ({ method, path }) => method === 'POST' && path === REQUISITION_PATH,
    );
    expect(write?.headers.get('If-Match')).toBe('"3"');
    expect(write?.body).toMatchObject({
      patientId: 7,
      physicianId: 3,
      collectionDate: '2026-03-27T08:35:00',
      comments: '<p>Call me</p>',
      tests: [{ test: { id: 20 } }],
    });
  });

  it('loses nothing when somebody else saved first', async () => {
    let saveCount = 0;
    let readCount = 0;
    const { user, requests } = await renderForm({
      [`GET ${REQUISITION_PATH}`]: () =>
        buildRequisition(++readCount === 1 ? {} : { version: 5, priority: 'STAT', comments: null }),
      [`POST ${REQUISITION_PATH}`]: () =>
        ++saveCount === 1
          ? buildProblem(412, 'stale_version', '')
          : buildRequisition({ version: 6 }),
    });
    await enterComment(user, 'Mine');
    await user.click(getButton('Save'));
    expect(await screen.findByText(messages.VERSION_CONFLICT)).toBeVisible();
    expect(screen.getByText('Changed by somebody else and updated here: Priority.')).toBeVisible();
    expect(await findComments()).toHaveTextContent('Mine');
    await user.click(getButton('Save'));
    await screen.findAllByText(messages.REQUISITION_SAVED);
    const writes = requests.filter(
      ({ method, path }) => method === 'POST' && path === REQUISITION_PATH,
    );
    expect(writes.map(({ headers }) => headers.get('If-Match'))).toEqual(['"3"', '"5"']);
    // The change that only the other user made stays.
    expect(writes[1]?.body).toMatchObject({ priority: 'STAT', comments: '<p>Mine</p>' });
  });

  it('repeats a save without an answer with the same key', async () => {
    let saveCount = 0;
    const { user, requests } = await renderForm({
      [`POST ${REQUISITION_PATH}`]: () =>
        ++saveCount === 1 ? buildProblem(503, 'unavailable', '') : buildRequisition({ version: 4 }),
    });
    await enterComment(user, 'x');
    await user.click(getButton('Save'));
    expect(await screen.findByText(messages.UNAVAILABLE)).toBeVisible();
    await user.click(getButton('Save'));
    await waitFor(() => expect(saveCount).toBe(2));
    const keys = requests
      .filter(({ method, path }) => method === 'POST' && path === REQUISITION_PATH)
      .map(({ headers }) => headers.get('Idempotency-Key'));
    expect(keys[0]).toBe(keys[1]);
  });

  it('asks before unsaved changes are lost', async () => {
    const { user, router } = await renderForm();
    await enterComment(user, 'x');
    void router.navigate('/secured/requisitions/search');
    expect(await screen.findByText(messages.UNSAVED_CHANGES)).toBeVisible();
    await user.click(getButton('Cancel'));
    expect(router.state.location.pathname).toBe('/secured/requisitions/create');
  });

  it('is read-only once it is done, but can be signed', async () => {
    await renderForm({ [`GET ${REQUISITION_PATH}`]: buildRequisition({ status: 4 }) });
    expect(await screen.findByText(/is DONE and cannot be changed/)).toBeVisible();
    expect(getButton('Save')).toBeDisabled();
    expect(getButton('Sign')).toBeEnabled();
    expect(screen.queryByRole('button', { name: 'Remove Thyroid' })).toBeNull();
  });

  it.each([false, true])(
    'locks the signed content and leaves the rest editable: signed %s',
    async (hasSignature) => {
      await renderForm({ [`GET ${REQUISITION_PATH}`]: buildRequisition({ hasSignature }) });
      expect(await findComments()).toBeEnabled();
      for (const name of [/^Diagnos/, /^Additional Test Dx Codes/, /^Medication/]) {
        expect(screen.queryAllByRole('combobox', { name })).toHaveLength(hasSignature ? 0 : 1);
      }
      expect(
        screen.queryAllByText(messages.REQUISITION_SIGNED_OPEN_PARTS, { exact: false }),
      ).toHaveLength(hasSignature ? 1 : 0);
    },
  );

  it('shows a patient who signed it, and nothing about changes', async () => {
    const signature = {
      imageSignature: 'data:image/png;base64,AA==',
      userName: 'Ada Tester',
      signedDateTime: '2026-03-27T14:05:00',
    };
    const signedChange = { ...readerPermissions, hasSignature: true, signature };
    await renderForm({ [`GET ${REQUISITION_PATH}`]: buildRequisition(signedChange) }, Role.PATIENT);
    const signing = { name: 'Ada Tester', when: '03/27/2026 02:05 PM' };
    expect(await screen.findByText(say(messages.REQUISITION_SIGNED_BY, signing))).toBeVisible();
    expect(screen.queryByText(/Unsign it before|can still be changed/)).toBeNull();
  });

  it('shows patients the values of its header, and no buttons that they can never use', async () => {
    await renderForm(
      { [`GET ${REQUISITION_PATH}`]: buildRequisition(readerPermissions) },
      Role.PATIENT,
    );
    expect(await screen.findByRole('textbox', { name: /^Collection Date/ })).toBeDisabled();
    for (const name of [/Edit Patient/, /Search Physician|Edit Physician/, /open calendar/]) {
      expect(screen.queryByRole('button', { name })).toBeNull();
    }
    expect(screen.queryByRole('checkbox', { name: /Same as Primary/ })).toBeNull();
  });

  it('says who canceled it, when, and why', async () => {
    const cancellation = {
      status: 2,
      cancelComment: 'Twice',
      canceledAt: '2026-03-27T14:05:00+00:00',
    };
    await renderForm({
      [`GET ${REQUISITION_PATH}`]: buildRequisition({
        ...cancellation,
        canceledByName: 'Ada Tester',
      }),
    });
    const canceling = { name: 'Ada Tester', when: formatInstant(cancellation.canceledAt) };
    expect(await screen.findByText(say(messages.REQUISITION_CANCELED_BY, canceling))).toBeVisible();
    expect(screen.getByText('Comment: Twice')).toBeVisible();
  });

  it('can be canceled only with a comment', async () => {
    const { user, requests } = await renderForm({
      [`POST ${REQUISITION_PATH}/cancel`]: buildRequisition({
        status: 2,
        version: 4,
        cancelComment: 'Twice',
      }),
    });
    await user.click(await screen.findByRole('button', { name: 'Cancel Requisition' }));
    const dialog = screen.getByRole('dialog');
    await user.click(within(dialog).getByRole('button', { name: 'Cancel Requisition' }));
    expect(await screen.findByText(messages.CANCEL_COMMENT_REQUIRED)).toBeVisible();
    expect(within(dialog).getByRole('textbox', { name: /Comment/ })).toHaveFocus();
    await user.type(within(dialog).getByRole('textbox', { name: /Comment/ }), 'Twice');
    await user.click(within(dialog).getByRole('button', { name: 'Cancel Requisition' }));
    expect(await screen.findByText(messages.REQUISITION_CANCELED)).toBeVisible();
    const request = requests.find(({ path }) => path.endsWith('/cancel'));
    expect(request?.body).toMatchObject({ comment: 'Twice' });
  });

  it('cannot be created by a physician, and no draft is loaded', async () => {
    const { router, requests } = await renderPortal(<RequisitionForm />, {
      user: buildProfile(Role.PHYSICIAN),
      path: '/secured/requisitions/create',
    });
    await waitFor(() =>
      expect(router.state.location.pathname).toBe('/secured/requisitions/search'),
    );
    expect(requests.some(({ path }) => path.includes('/drafts'))).toBe(false);
  });

  it('lets a physician save what they may change, and nothing else', async () => {
    const ownRequisition = buildRequisition({
      ...physicianPermissions,
      collectionDate: '2026-03-27T08:35:20',
    });
    const { user, requests } = await renderForm(
      {
        [`GET ${REQUISITION_PATH}`]: ownRequisition,
        [`POST ${REQUISITION_PATH}`]: { ...ownRequisition, version: 4, comments: '<p>Call</p>' },
      },
      Role.PHYSICIAN,
    );
    expect(await screen.findByText(messages.REQUISITION_PHYSICIAN_PARTS)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Clear' })).toBeNull();
    for (const name of ['Ordering Physician', 'Fasting', 'Priority']) {
      expect(screen.getByRole('combobox', { name })).toBeDisabled();
    }
    for (const name of ['Edit Patient', 'Search Physician']) {
      expect(screen.getByRole('button', { name })).toBeDisabled();
      expect(screen.getByRole('button', { name })).toHaveAttribute(
        'title',
        messages.REQUISITION_PHYSICIAN_PARTS,
      );
    }
    expect(screen.getByRole('radio', { name: 'PATIENT' })).toBeDisabled();
    expect(screen.queryByRole('combobox', { name: 'Test code or name' })).toBeNull();
    expect(screen.getByRole('combobox', { name: 'Diagnoses' })).toBeEnabled();
    expect(screen.getByRole('combobox', { name: 'Medication' })).toBeEnabled();
    expect(screen.getByRole('button', { name: 'Upload document' })).toBeEnabled();
    await enterComment(user, 'Call');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText(messages.REQUISITION_SAVED);
    const [save] = listSaves(requests);
    expect(save?.body).toEqual({
      diagnoses: [],
      additionalTestsDxCodes: [],
      medications: [],
      comments: '<p>Call</p>',
      additionalCopies: [],
    });
  });

  it('lets a physician change comments of a signed requisition, and no diagnoses', async () => {
    const denied = { allowed: false, reason: 'Signed' };
    const signature = {
      imageSignature: '',
      userName: 'Ada Tester',
      signedDateTime: '2026-03-27T00:00:00',
    };
    const change = {
      ...physicianPermissions,
      hasSignature: true,
      signature,
      canChangeClinical: denied,
    };
    await renderForm({ [`GET ${REQUISITION_PATH}`]: buildRequisition(change) }, Role.PHYSICIAN);
    expect(await screen.findByRole('textbox', { name: 'Comments' })).toBeEnabled();
    expect(screen.getByRole('button', { name: 'Save' })).toBeEnabled();
    expect(screen.queryByRole('combobox', { name: 'Medication' })).toBeNull();
    const notice = say(messages.REQUISITION_SIGNED_CONTENT, { code: 'R260000012' });
    const reason = `${notice} ${messages.REQUISITION_SIGNED_OPEN_EXTRAS}`;
    expect(screen.getByText(reason, { exact: false })).toBeVisible();
    const signing = { name: 'Ada Tester', when: '03/27/2026 12:00 AM' };
    expect(screen.getByText(say(messages.REQUISITION_SIGNED_BY, signing))).toBeVisible();
  });
});

describe('The ordering physician', () => {
  const dana = { id: 31, npi: '2000000002', firstName: 'DANA', lastName: 'REYES' };

  it("is chosen in a dialog, and the button's label follows", async () => {
    const { user } = await renderForm({
      [`GET ${REQUISITION_PATH}`]: buildRequisition({ physician: null, physicianId: null }),
      'GET /api/v2/physicians/remote-operations': buildPage([dana]),
    });
    await user.click(await screen.findByRole('button', { name: 'Search Physician' }));
    const dialog = await screen.findByRole('dialog', { name: 'Search Physician' });
    await user.click(within(dialog).getByRole('button', { name: 'Search' }));
    await user.click(await within(dialog).findByRole('gridcell', { name: '2000000002' }));
    expect(await screen.findByRole('button', { name: 'Edit Physician' })).toBeVisible();
    expect(screen.getByRole('combobox', { name: /^Ordering Physician/ })).toHaveValue(
      'REYES, DANA',
    );
  });
});
