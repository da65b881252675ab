import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { limits, messages, say } from '../../../contract';
import { buildPage, buildProblem, type Answers } from '../../../test/portal';
import { completeOrder, renderForm, FORM, orderTest, tsh } from '../../../test/requisitionForm';
import { buildRequisition } from '../../../test/requisitions';
import { buildBlankValues } from '../form';

const { patient } = buildRequisition();
const jo = { ...patient, id: 9, code: 'P0000009', lastName: 'BRANDT', firstName: 'JO' };
const i10 = { id: 3, code: 'I10', description: 'Essential hypertension' };

const renderAt = (path: string, answers: Answers = {}) =>
  renderForm(
    {
      'GET /api/v2/patients/9': jo,
      'GET /api/v2/patients/remote-operations': buildPage([]),
      'GET /auth/storage-key': { key: btoa('k'.repeat(32)) },
      ...answers,
    },
    path,
  );

const getButton = (name: string) => screen.getByRole('button', { name });
const expectBlankForm = async () => {
  expect(await screen.findByText('No patient selected')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Remove Thyroid' })).toBeNull();
};

describe('New Requisition', () => {
  it('opens a blank form after a save', async () => {
    const { user, router } = await renderAt(`${FORM};patientId=7`);
    await completeOrder(user);
    await user.click(getButton('Save'));
    const doneDialog = await screen.findByRole('dialog', { name: 'Requisition Saved' });
    expect(router.state.location.pathname).toBe(`${FORM};id=13`);
    const [close] = within(doneDialog).getAllByRole('button', { name: 'Close' });
    if (close) await user.click(close);
    void router.navigate(FORM);
    await expectBlankForm();
    expect(screen.getByRole('heading', { name: 'New Requisition' })).toBeVisible();
  });

  it('opens a blank form after an unsaved one, with a question', async () => {
    const { user, router } = await renderAt(`${FORM};patientId=7`);
    await orderTest(user);
    void router.navigate(FORM);
    await screen.findByText(messages.UNSAVED_CHANGES);
    await user.click(getButton('Continue'));
    await expectBlankForm();
  });
});

describe('Another requisition of the same patient', () => {
  it("starts with the patient's current data", async () => {
    let reads = 0;
    const { router } = await renderAt(`${FORM};patientId=7`, {
      'GET /api/v2/patients/7': () => ({
        ...patient,
        medications: [{ name: ++reads === 1 ? 'WARFARIN' : 'ASPIRIN' }],
      }),
    });
    await screen.findByRole('button', { name: 'Remove WARFARIN' });
    void router.navigate(`${FORM};id=12`);
    await screen.findByRole('heading', { name: /R260000012/ });
    void router.navigate(`${FORM};patientId=7`);
    expect(await screen.findByRole('button', { name: 'Remove ASPIRIN' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Remove WARFARIN' })).toBeNull();
  });
});

describe('New Requisition in the menu', () => {
  it('asks before an unsaved form at the same address is discarded', async () => {
    const { user, router } = await renderAt(FORM);
    await orderTest(user);
    void router.navigate(FORM);
    await screen.findByText(messages.UNSAVED_CHANGES);
    await user.click(getButton('Cancel'));
    expect(getButton('Remove Thyroid')).toBeVisible();
    void router.navigate(FORM);
    await screen.findByText(messages.UNSAVED_CHANGES);
    await user.click(getButton('Continue'));
    await expectBlankForm();
  });
});

describe('A failed request', () => {
  it('in the background leaves edits alone', async () => {
    let reads = 0;
    const { user, queries } = await renderAt(`${FORM};id=12`, {
      'GET /api/v2/requisitions/12': () =>
        ++reads === 1 ? buildRequisition() : buildProblem(503, 'unavailable', ''),
    });
    const sameAsPrimary = await screen.findByRole('checkbox', {
      name: 'Same as Primary Physician',
    });
    await user.click(sameAsPrimary);
    await act(() => queries.invalidateQueries());
    expect(reads).toBe(2 + limits.READ_RETRIES);
    expect(screen.getByRole('checkbox', { name: 'Same as Primary Physician' })).toBeChecked();
  });

  it.each([`${FORM};id=12`, `${FORM};patientId=7`, `${FORM};copyOf=12`])(
    'at the start can be retried: %s',
    async (path) => {
      let isUp = false;
      const respondWhenUp = (value: unknown) => () =>
        isUp ? value : buildProblem(503, 'unavailable', '');
      const { user } = await renderAt(path, {
        'GET /api/v2/requisitions/12': respondWhenUp(buildRequisition()),
        'GET /api/v2/requisitions/12/copy': respondWhenUp({
          ...buildRequisition(),
          tests: [],
          billingInfo: [],
          left: [],
        }),
        'GET /api/v2/patients/7': respondWhenUp(patient),
      });
      const retryButton = await screen.findByRole('button', { name: 'Try again' });
      isUp = true;
      await user.click(retryButton);
      expect(await screen.findByText(/OKONKWO, AISHA/)).toBeVisible();
    },
  );
});

describe('A patient registered from a new requisition', () => {
  it.each([FORM, `${FORM};search=patient`, `${FORM};patientId=7`])(
    'returns to a form without another patient: %s',
    async (path) => {
      const { user, router } = await renderAt(path);
      const chooseButton = await screen.findByRole('button', { name: /^(Select|Edit) Patient$/ });
      if (screen.queryByRole('dialog') === null) await user.click(chooseButton);
      const dialog = within(await screen.findByRole('dialog', { name: 'Search Patient' }));
      await user.type(dialog.getByRole('textbox', { name: /^Last Name/ }), 'b');
      await user.type(dialog.getByRole('textbox', { name: /^First Name/ }), 'j');
      await user.click(dialog.getByRole('button', { name: 'Search' }));
      const registerButton = dialog.getByRole('button', { name: 'New Patient' });
      await waitFor(() => expect(registerButton).toBeEnabled());
      await user.click(registerButton);
      await waitFor(() => expect(router.state.location.pathname).toBe('/secured/patients/form'));
      expect(router.state.location.state).toMatchObject({ parameters: { redirectToPath: FORM } });
    },
  );

  it('stays chosen when the abandoned draft is restored', async () => {
    const values = {
      ...buildBlankValues({ ...jo, diagnoses: [i10] }),
      tests: [{ test: tsh, isConfidential: false, children: [] }],
    };
    const { user } = await renderAt(`${FORM};patientId=7`, {
      'GET /api/v2/requisitions/drafts': [
        {
          id: '0b0f7f3e-7d4b-4a3e-9b1a-0c8f0d0c0d0e',
          savedAt: '2026-03-09T14:05:00+00:00',
          content: { format: 2, values, version: null },
        },
      ],
    });
    await user.click(await screen.findByRole('button', { name: 'Continue with it' }));
    expect(await screen.findByRole('button', { name: 'Remove Thyroid' })).toBeVisible();
    const banner = within(screen.getByRole('group', { name: 'Patient' }));
    expect(banner.getByText(/OKONKWO, AISHA/)).toBeVisible();
    // The diagnosis of the draft's patient does not belong here.
    expect(screen.queryByText(i10.description)).not.toBeInTheDocument();
    expect(
      await screen.findByText(
        say(messages.DRAFT_OF_ANOTHER_PATIENT, { before: 'BRANDT, JO', now: 'OKONKWO, AISHA' }),
        { exact: false },
      ),
    ).toBeVisible();
  });
});
