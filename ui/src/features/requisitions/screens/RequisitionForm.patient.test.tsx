import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages, Role, say } from '../../../contract';
import { aisha, choosePatient, jo, patientAnswers } from '../../../test/patientChange';
import { buildProblem, type Answers, type SentRequest } from '../../../test/portal';
import { buildProfile, renderPortal } from '../../../test/render';
import { buildRequisition } from '../../../test/requisitions';
import { passTime } from '../../../test/timers';
import RequisitionForm from './RequisitionForm';

const renderForm = (parameters: Record<string, string>, answers: Answers = {}) =>
  renderPortal(<RequisitionForm />, {
    user: buildProfile(Role.LABORATORY),
    path: '/secured/requisitions/create',
    parameters,
    answers: {
      ...patientAnswers,
      ...answers,
    },
  });

describe('The patient of the address', () => {
  it('is added to the recent patients', async () => {
    const { user } = await renderForm({ patientId: '7' });
    await user.click(await screen.findByRole('button', { name: 'Edit Patient' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Search Patient' }));
    await user.click(await dialog.findByRole('button', { name: 'Recent Patients' }));
    const recents = within(await screen.findByRole('table', { name: 'Recent Patients' }));
    expect(recents.getByText(aisha.lastName)).toBeVisible();
  });
});

describe('A mangled id in the address', () => {
  it.each<Record<string, string>>([{ id: 'abc' }, { patientId: 'abc' }, { copyOf: '0' }])(
    'names no record, and the portal is not asked: %s',
    async (parameters) => {
      const { requests } = await renderForm(parameters);
      expect(await screen.findByText(messages.NOT_FOUND)).toBeVisible();
      expect(requests.filter(({ path }) => /\/(patients|requisitions)\//.test(path))).toEqual([]);
    },
  );
});

describe('Another patient', () => {
  it.each<Record<string, string>>([{ patientId: '7' }, { id: '12' }])(
    "removes the previous patient's items, and the form says so: %s",
    async (parameters) => {
      const { user } = await renderForm(parameters, {
        'GET /api/v2/requisitions/12': buildRequisition({
          diagnoses: aisha.diagnoses.map((diagnosis) => ({ ...diagnosis, testId: null })),
          medications: aisha.medications,
        }),
      });
      await screen.findByText('Essential hypertension');
      await user.type(screen.getByRole('combobox', { name: 'Medication' }), 'ASPIRIN{Enter}');
      await screen.findByRole('button', { name: 'Remove ASPIRIN' });
      await choosePatient(user, 'P0000009');
      await user.click(await screen.findByRole('button', { name: 'Keep' }));
      expect(await screen.findByText(/BRANDT, JO/)).toBeVisible();
      expect(screen.queryByText('Essential hypertension')).not.toBeInTheDocument();
      expect(screen.queryByText('LISINOPRIL')).not.toBeInTheDocument();
      expect(screen.getByText('ASPIRIN')).toBeVisible();
      expect(screen.getByText('Type 2 diabetes mellitus')).toBeVisible();
      const values = { patient: 'OKONKWO, AISHA', removed: 'I10, LISINOPRIL' };
      expect(await screen.findByText(say(messages.REMOVED_WITH_PATIENT, values))).toBeVisible();
    },
  );

  const requisitionOfAisha = buildRequisition({
    diagnoses: aisha.diagnoses.map((diagnosis) => ({ ...diagnosis, testId: null })),
    medications: aisha.medications,
  });

  it("is not applied while the previous patient's items cannot be loaded", async () => {
    let isUp = false;
    const { user } = await renderForm(
      { id: '12' },
      {
        'GET /api/v2/requisitions/12': requisitionOfAisha,
        'GET /api/v2/patients/7': () => (isUp ? aisha : buildProblem(503, 'unavailable', '')),
      },
    );
    await screen.findByText('Essential hypertension');
    await choosePatient(user, 'P0000009');
    expect(await screen.findByText(messages.UNAVAILABLE)).toBeVisible();
    expect(screen.getByText(/OKONKWO, AISHA/, { selector: 'div' })).toBeVisible();
    expect(screen.getByText('Essential hypertension')).toBeVisible();
    isUp = true;
    await choosePatient(user, 'P0000009');
    expect(await screen.findByText(/BRANDT, JO/, { selector: 'div' })).toBeVisible();
    expect(screen.queryByText('Essential hypertension')).not.toBeInTheDocument();
    expect(screen.queryByText('LISINOPRIL')).not.toBeInTheDocument();
  });

  it('removes everything if the previous patient is no longer accessible, and says so', async () => {
    const { user } = await renderForm(
      { id: '12' },
      {
        'GET /api/v2/requisitions/12': requisitionOfAisha,
        'GET /api/v2/patients/7': buildProblem(404, 'not_found', ''),
      },
    );
    await screen.findByText('Essential hypertension');
    await choosePatient(user, 'P0000009');
    expect(await screen.findByText(/BRANDT, JO/, { selector: 'div' })).toBeVisible();
    expect(screen.queryByText('Essential hypertension')).not.toBeInTheDocument();
    expect(screen.queryByText('LISINOPRIL')).not.toBeInTheDocument();
    const values = { patient: 'OKONKWO, AISHA', removed: 'I10, LISINOPRIL' };
    expect(await screen.findByText(say(messages.REMOVED_WITH_PATIENT, values))).toBeVisible();
  });

  it('is the last one chosen, whichever answer arrives last', async () => {
    let respond: (patient: unknown) => void = () => undefined;
    const { user, requests } = await renderForm(
      {},
      { 'GET /api/v2/patients/9': () => new Promise((resolve) => (respond = resolve)) },
    );
    await choosePatient(user, 'P0000009');
    await waitFor(() => expect(requests.some(({ path }) => path.endsWith('/9'))).toBe(true));
    await choosePatient(user, 'P0000008');
    expect(await screen.findByText(/COLE, ADA/)).toBeVisible();
    respond(jo);
    await passTime(50);
    expect(screen.getByText(/COLE, ADA/)).toBeVisible();
    expect(screen.queryByText(/BRANDT, JO/)).not.toBeInTheDocument();
  });

  it('blocks saving until it is loaded', async () => {
    let respond: (patient: unknown) => void = () => undefined;
    const listWrites = (requests: readonly SentRequest[]) =>
      requests.filter(({ method }) => method === 'POST');
    const { user, requests } = await renderForm(
      { id: '12' },
      {
        'GET /api/v2/patients/9': () => new Promise((resolve) => (respond = resolve)),
        'POST /api/v2/requisitions/12': buildRequisition({ version: 4 }),
      },
    );
    await choosePatient(user, 'P0000009');
    const countBefore = listWrites(requests).length;
    await user.keyboard('{Control>}s{/Control}');
    expect(listWrites(requests)).toHaveLength(countBefore);
    respond(jo);
    expect(await screen.findByText(/BRANDT, JO/)).toBeVisible();
    await user.keyboard('{Control>}s{/Control}');
    await waitFor(() => expect(listWrites(requests)).toHaveLength(countBefore + 1));
    expect(listWrites(requests).at(-1)?.body).toMatchObject({ patientId: 9 });
  });
});
