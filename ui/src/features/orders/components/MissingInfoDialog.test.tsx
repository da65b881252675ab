import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';

import { messages, say } from '../../../contract';
import { buildPage, buildProblem, type Answers } from '../../../test/portal';
import { renderPortal } from '../../../test/render';
import type { OrderBilling } from '../missingInfo';
import MissingInfoDialog from './MissingInfoDialog';

const PATH = '/api/v2/orders/7/billing-information';
const allowed = { allowed: true, reason: null };
const birthDateLock = {
  allowed: false,
  reason: say(messages.MISSING_INFO_PERSON, { label: 'Date of birth' }),
};
const physician = { id: 3, npi: '2000000003', firstName: 'DANA', lastName: 'DOCTOR' };

const record: OrderBilling = {
  orderId: 7,
  orderCode: 'L260000007',
  version: 4,
  billTo: 'Insurance',
  missing: ['orderingPhysician', 'insuranceInformation'],
  patientId: 5,
  patientVersion: 2,
  lastName: 'LOPEZ',
  firstName: 'MARIA',
  middleName: null,
  birthDate: '1961-03-04',
  gender: 'FEMALE',
  address: '1 MAIN ST',
  phone: null,
  zipCodeName: '60601',
  zipCodePlus4: null,
  physician: null,
  orderingPhysician: null,
  tests: [],
  collectionDate: '2026-11-20T08:00:00',
  diagnoses: [{ id: 9, code: 'I10', description: 'Hypertension', testId: null }],
  insuranceInformation: [],
  responsibleParties: [],
  comment: null,
  completions: [
    {
      parts: ['diagnoses'],
      wasSigned: true,
      userName: 'Ada Tester',
      completedAt: '2026-11-21T09:00:00',
    },
  ],
  canChange: allowed,
  canChangePhysician: allowed,
  canChangeDiagnoses: allowed,
  canChangeBilling: allowed,
  canChangeBirthDate: birthDateLock,
  canChangeComment: allowed,
};

const insurance: OrderBilling['insuranceInformation'][number] = {
  id: 8,
  order: 1,
  billTypeId: 2,
  billType: 'COMMERCIAL',
  payerId: 4,
  payer: 'ACME HEALTH',
  insuranceId: 'A1',
  groupNumber: null,
  relationship: 'SELF',
  differentThanPatient: false,
  lastName: 'LOPEZ',
  firstName: 'MARIA',
  middleName: null,
  birthDate: '1961-03-04',
  gender: 'FEMALE',
  phone: null,
  address: '1 MAIN ST',
  zipCodeId: 1,
  zipCodePlus4: null,
  zipCode: { id: 1, code: '60601', city: 'CHICAGO', state: 'IL' },
  missingInformation: false,
};

async function openDialog(changes: Partial<OrderBilling> = {}, answers: Answers = {}) {
  const onSaved = vi.fn();
  const onClose = vi.fn();
  const portal = await renderPortal(
    <MissingInfoDialog orderId={7} onClose={onClose} onSaved={onSaved} />,
    {
      answers: {
        [`GET ${PATH}`]: { ...record, ...changes },
        'GET /api/v2/physicians/remote-operations': buildPage([physician]),
        'GET /api/v2/billing-information/bill-types/remote-operations': buildPage([]),
        'GET /api/v2/diagnoses/validity': { release: '2026', ended: [] },
        ...answers,
      },
    },
  );
  await screen.findByText('L260000007');
  return { ...portal, onSaved, onClose };
}

const choosePhysician = async (user: Awaited<ReturnType<typeof openDialog>>['user']) => {
  await user.click(screen.getByRole('combobox', { name: /^Ordering Physician/ }));
  await user.click(await screen.findByRole('option', { name: /DOCTOR/ }));
};

describe('Missing information', () => {
  it('says what is missing, and locks what the patient has', async () => {
    const { user } = await openDialog();
    expect(
      screen.getByText(
        say(messages.MISSING_INFO_LIST, { parts: 'ordering physician, insurance information' }),
      ),
    ).toBeVisible();
    expect(screen.getByRole('textbox', { name: /^Date of Birth/ })).toBeDisabled();
    expect(screen.getByRole('combobox', { name: /^Gender/ })).toBeDisabled();
    expect(screen.getByText(/Filled in by Ada Tester/)).toHaveTextContent('after the order was');
    await choosePhysician(user);
    expect(
      await screen.findByText(say(messages.MISSING_INFO_LIST, { parts: 'insurance information' })),
    ).toBeVisible();
  });

  it('says that saving bills insurance which the order does not bill yet', async () => {
    await openDialog({
      physician,
      missing: ['insuranceInformation'],
      insuranceInformation: [insurance],
      completions: record.completions.map((completion) => ({ ...completion, parts: ['billTo'] })),
    });
    expect(screen.getByText(messages.MISSING_INFO_UNBILLED)).toBeVisible();
    expect(screen.getByText(/Bill To changed by Ada Tester/)).toBeVisible();
  });

  it('requires an ordering physician', async () => {
    const { user, requests } = await openDialog();
    await user.click(screen.getByRole('button', { name: 'Save Information' }));
    expect(await screen.findByText(messages.PHYSICIAN_REQUIRED)).toBeVisible();
    expect(requests.some(({ method }) => method === 'PUT')).toBe(false);
  });

  it('saves the order with both versions, and nothing that did not change', async () => {
    const savedOrder = { ...record, physician, version: 5, missing: [] };
    const { user, requests, onSaved } = await openDialog({}, { [`PUT ${PATH}`]: savedOrder });
    await choosePhysician(user);
    await user.click(screen.getByRole('button', { name: 'Save Information' }));
    await waitFor(() => expect(onSaved).toHaveBeenCalled());
    const sentRequest = requests.find(({ method }) => method === 'PUT');
    expect(sentRequest?.body).toEqual({
      orderId: 7,
      patientId: 5,
      patientVersion: 2,
      birthDate: '1961-03-04',
      gender: 'FEMALE',
      physicianId: 3,
      insuranceInformation: [],
      username: 'Someone, Sam',
    });
    expect(sentRequest?.headers.get('If-Match')).toBe('"4"');
    expect(sentRequest?.headers.get('Idempotency-Key')).toBeTruthy();
  });

  it('reports insurance that was typed and not added, until it is cleared', async () => {
    const { user, requests } = await openDialog();
    await choosePhysician(user);
    const field = screen.getByLabelText(/^Insurance Id/);
    await user.type(field, 'A1');
    await user.click(screen.getByRole('button', { name: 'Save Information' }));
    expect(await screen.findByText(messages.INSURANCE_NOT_ADDED)).toBeVisible();
    expect(requests.some(({ method }) => method === 'PUT')).toBe(false);
    await user.clear(field);
    await waitFor(() => expect(screen.queryByText(messages.INSURANCE_NOT_ADDED)).toBeNull());
    await user.type(field, 'B');
    expect(screen.queryByText(messages.INSURANCE_NOT_ADDED)).toBeNull();
  });

  it('keeps what was typed when the portal rejects it', async () => {
    const problem = buildProblem(400, 'bad_request', 'Check', [
      { field: 'physicianId', message: 'Not found' },
    ]);
    const { user, onSaved } = await openDialog({}, { [`PUT ${PATH}`]: problem });
    await choosePhysician(user);
    await user.click(screen.getByRole('button', { name: 'Save Information' }));
    expect(await screen.findByText('Not found')).toBeVisible();
    expect(screen.getByRole('combobox', { name: /^Ordering Physician/ })).toHaveValue(
      'DOCTOR, DANA',
    );
    expect(onSaved).not.toHaveBeenCalled();
  });

  it('asks for a birth date that the patient lacks', async () => {
    const savedOrder = { ...record, physician, version: 5, missing: [] };
    const { user, requests, onSaved } = await openDialog(
      { birthDate: null, canChangeBirthDate: allowed, physician },
      { [`PUT ${PATH}`]: savedOrder },
    );
    const field = screen.getByRole('textbox', { name: /^Date of Birth/ });
    const save = screen.getByRole('button', { name: 'Save Information' });
    expect(field).toHaveValue('');
    await user.click(save);
    expect(await screen.findByText(messages.DATE_OF_BIRTH_REQUIRED)).toBeVisible();
    await user.type(field, '11/21/2026');
    await user.click(save);
    expect(await screen.findByText(messages.MISSING_INFO_COLLECTED_BEFORE)).toBeVisible();
    expect(requests.some(({ method }) => method === 'PUT')).toBe(false);
    await user.clear(field);
    await user.type(field, '03/04/1961');
    await user.click(save);
    await waitFor(() => expect(onSaved).toHaveBeenCalled());
    const sentRequest = requests.find(({ method }) => method === 'PUT');
    expect(sentRequest?.body).toMatchObject({ birthDate: '1961-03-04', patientVersion: 2 });
  });

  it('completes insurance of the patient with the birth date that is typed', async () => {
    const { user } = await openDialog({
      birthDate: null,
      canChangeBirthDate: allowed,
      physician,
      missing: ['insuranceInformation'],
      insuranceInformation: [{ ...insurance, birthDate: null, missingInformation: true }],
    });
    const missing = say(messages.MISSING_INFO_LIST, { parts: messages.MISSING_INSURANCE });
    expect(screen.getByText(missing)).toBeVisible();
    await user.type(screen.getByRole('textbox', { name: /^Date of Birth/ }), '03/04/1961');
    expect(await screen.findByText(messages.MISSING_INFO_UNBILLED)).toBeVisible();
  });

  it('says who can fill in an empty birth date, and sends none', async () => {
    const lockedPermission = { allowed: false, reason: messages.MISSING_INFO_CLINIC };
    const { user, requests, onSaved } = await openDialog(
      {
        birthDate: null,
        canChangeBirthDate: lockedPermission,
        canChangeBilling: lockedPermission,
        physician,
      },
      { [`PUT ${PATH}`]: { ...record, physician, version: 5 } },
    );
    const field = screen.getByRole('textbox', { name: /^Date of Birth/ });
    expect(field).toBeDisabled();
    expect(field).toHaveValue('');
    expect(field).toHaveAccessibleDescription(messages.MISSING_INFO_CLINIC);
    await user.click(screen.getByRole('button', { name: 'Save Information' }));
    await waitFor(() => expect(onSaved).toHaveBeenCalled());
    const sentRequest = requests.find(({ method }) => method === 'PUT');
    expect(sentRequest?.body).not.toHaveProperty('birthDate');
  });

  it('says why parts are locked', async () => {
    const lockedPermission = { allowed: false, reason: messages.MISSING_INFO_CLINIC };
    await openDialog({ canChangeBilling: lockedPermission });
    const section = screen.getByRole('region', { name: /^Insurance Information and/ });
    expect(within(section).getByText(messages.MISSING_INFO_CLINIC)).toBeVisible();
    expect(screen.queryByRole('grid', { name: 'Insurance Information' })).toBeNull();
  });
});
