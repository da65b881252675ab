import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages, Role } from '../../../../contract';
import { problem, type Answers } from '../../../../test/portal';
import { profile, renderPortal } from '../../../../test/render';
import { insuranceRecord, requisition } from '../../../../test/requisitions';
import type { Requisition } from '../../api';
import { differenceOf, billedOf } from '../../billing';
import RequisitionForm from '../../screens/RequisitionForm';

const ONE = '/api/v2/requisitions/12';
const first = insuranceRecord({ id: 31, order: 1, payer: 'MEDICARE', payerId: 1 });
const second = insuranceRecord({ id: 32, order: 2, payer: 'AETNA', payerId: 2 });
const third = insuranceRecord({ id: 33, order: 3, payer: 'CIGNA', payerId: 3, address: null });
const billed = (...records: (typeof first)[]) =>
  records.map((record, index) => ({
    ...record,
    id: 900 + index,
    patientBillingInformationId: record.id,
    position: index + 1,
  }));

const draw = (change: Partial<Requisition> = {}, answers: Answers = {}) =>
  renderPortal(<RequisitionForm />, {
    user: profile(Role.CLIENT_BASIC),
    path: '/secured/requisitions/create',
    parameters: { id: '12' },
    answers: {
      [`GET ${ONE}`]: requisition({
        billTo: 'Insurance',
        billingInformation: billed(first, second),
        ...change,
      }),
      [`POST ${ONE}`]: requisition({ version: 4 }),
      'GET /api/v2/patients/7/billing-info': [first, second, third],
      ...answers,
    },
  });

const button = (name: string) => screen.getByRole('button', { name });
const tools = () => within(screen.getByRole('toolbar', { name: 'Billing actions' }));
const tool = (name: string) => tools().getByRole('button', { name });
const grid = () => screen.findByRole('grid', { name: 'Billing Information' });
const payers = async () =>
  within(await grid())
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('gridcell')[2]?.textContent);
const choose = async (user: Awaited<ReturnType<typeof draw>>['user'], name: RegExp) =>
  user.click(within(await grid()).getByRole('checkbox', { name }));
const CONTROLS = ['Remove', 'Move Up', 'Move Down', 'Refresh', 'Undo'];

describe('Billing information', () => {
  it('moves exactly one selected row, and neither the first up nor the last down', async () => {
    const { user } = await draw();
    await grid();
    expect(tool('Move Up')).toBeDisabled();
    expect(tool('Move Down')).toBeDisabled();
    expect(tool('Remove')).toBeDisabled();
    await choose(user, /insurance 1/);
    expect(tool('Move Up')).toBeDisabled();
    expect(tool('Move Down')).toBeEnabled();
    expect(tool('Remove')).toBeEnabled();
    await choose(user, /insurance 2/);
    expect(tool('Move Down')).toBeDisabled();
    await choose(user, /insurance 1/);
    expect(tool('Move Up')).toBeEnabled();
    await user.click(tool('Move Up'));
    expect(await payers()).toEqual(['AETNA', 'MEDICARE']);
  });

  it('is saved in its order, and not sent at all when nobody touched it', async () => {
    const { user, seen } = await draw();
    const writes = () => seen.filter(({ method, path }) => method === 'POST' && path === ONE);
    await grid();
    await user.click(screen.getByRole('checkbox', { name: 'Same as Primary Physician' }));
    await user.click(button('Save'));
    await waitFor(() => expect(writes()).toHaveLength(1));
    expect(writes()[0]?.body).not.toHaveProperty('billingInfo');
  });

  it('sends what was added, removed and moved', async () => {
    const { user, seen } = await draw();
    await grid();
    await user.click(tool('Add'));
    expect(await payers()).toEqual(['MEDICARE', 'AETNA', 'CIGNA']);
    expect(tool('Add')).toBeDisabled();
    await choose(user, /insurance 1/);
    await user.click(tool('Remove'));
    expect(await payers()).toEqual(['AETNA', 'CIGNA']);
    await user.click(button('Save'));
    await screen.findByText(messages.REQUISITION_SAVED);
    const write = seen.find(({ method, path }) => method === 'POST' && path === ONE);
    expect(write?.body).toMatchObject({
      billingInfo: [
        { patientBillingInformationId: 32, position: 1 },
        { patientBillingInformationId: 33, position: 2 },
      ],
    });
  });

  it('offers the row that is chosen among those not on the list yet', async () => {
    const { user } = await draw({ billingInformation: [] });
    await user.selectOptions(
      await screen.findByRole('combobox', { name: "Patient's insurance" }),
      'CIGNA, W123',
    );
    await user.click(tool('Add'));
    expect(await payers()).toEqual(['CIGNA']);
    expect(
      within(await grid()).getByText(messages.MISSING_INFORMATION, { exact: false }),
    ).toBeVisible();
  });

  it('works only while insurance is billed', async () => {
    const { user } = await draw();
    await choose(user, /insurance 2/);
    for (const name of CONTROLS.filter((one) => one !== 'Move Down')) {
      expect(tool(name)).toBeEnabled();
    }
    await user.click(screen.getByRole('radio', { name: 'CLIENT' }));
    for (const name of ['Add', ...CONTROLS]) expect(tool(name)).toBeDisabled();
    expect(screen.getByText(messages.INSURANCE_ORDER_HINT)).toBeVisible();
    expect(await payers()).toEqual(['MEDICARE', 'AETNA']);
  });

  it('is reloaded from the patient, and undone to what was saved', async () => {
    const { user } = await draw();
    await grid();
    await user.click(tool('Refresh'));
    await waitFor(async () => expect(await payers()).toEqual(['MEDICARE', 'AETNA', 'CIGNA']));
    await user.click(tool('Undo'));
    expect(await payers()).toEqual(['MEDICARE', 'AETNA']);
  });

  it('shows what was chosen, and what the patient’s row says by now', async () => {
    const { user } = await draw(
      {},
      { 'GET /api/v2/patients/7/billing-info': [{ ...first, groupNumber: 'NEW7' }] },
    );
    expect(await within(await grid()).findByText(/Changed since: Group Number/)).toBeVisible();
    expect(within(await grid()).getByText(messages.INSURANCE_NO_LONGER)).toBeVisible();
    await user.click(button('View insurance 1, MEDICARE'));
    const dialog = await screen.findByRole('dialog', { name: 'Insurance 1' });
    expect(within(dialog).getByRole('row', { name: 'Group Number G1 NEW7' })).toBeVisible();
  });

  it('can be read and not changed once the requisition is done', async () => {
    await draw({ status: 4 });
    expect(await payers()).toEqual(['MEDICARE', 'AETNA']);
    expect(screen.queryByRole('toolbar', { name: 'Billing actions' })).not.toBeInTheDocument();
    expect(screen.getByRole('radio', { name: 'CLIENT' })).toBeDisabled();
  });

  it('says why the portal refused a row', async () => {
    const { user } = await draw(
      {},
      {
        [`POST ${ONE}`]: () =>
          problem(400, 'bad_input', 'Not found', [
            { field: 'billingInfo.1.patientBillingInformationId', message: 'Row is not there' },
          ]),
      },
    );
    await grid();
    await user.click(tool('Add'));
    await user.click(button('Save'));
    expect(await screen.findByText('Row is not there')).toBeVisible();
    expect(await payers()).toEqual(['MEDICARE', 'AETNA', 'CIGNA']);
  });
});

describe('A new requisition', () => {
  it('begins with the insurance of its patient, in order, and is billed as the client says', async () => {
    const { patient } = requisition();
    const { seen, user } = await renderPortal(<RequisitionForm />, {
      user: profile(Role.CLIENT_BASIC),
      path: '/secured/requisitions/create',
      parameters: { patientId: '7' },
      answers: {
        'GET /api/v2/patients/7': { ...patient, insuranceInformation: [second, first] },
        'GET /api/v2/patients/7/billing-info': [first, second],
        'POST /api/v2/requisitions': requisition(),
      },
    });
    expect(await payers()).toEqual(['MEDICARE', 'AETNA']);
    expect(screen.getByRole('radio', { name: 'CLIENT' })).toBeChecked();
    await user.click(button('Save'));
    expect(seen.some(({ method, path }) => method === 'POST' && path.endsWith('ions'))).toBe(false);
  });
});

describe('What differs', () => {
  const [row] = billedOf(billed(first));
  it('is nothing while the patient’s rows are not known', () => {
    expect(row && differenceOf(row, null)).toEqual({ kind: 'same' });
  });
});
