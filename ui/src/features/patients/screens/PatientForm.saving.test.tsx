import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages, say } from '../../../contract';
import { fillMaria, maria, openPatientForm, SSN_CHECK } from '../../../test/patientForm';
import { buildPage, buildProblem, type SentRequest } from '../../../test/portal';
import { passTime } from '../../../test/timers';

const PATIENTS = '/api/v2/patients';
const listRequests = (requests: readonly SentRequest[], method: string, path: string) =>
  requests.filter((request) => request.method === method && request.path === path);

describe('A new patient whose save got no answer', () => {
  it('is registered once, and then updated with later edits', async () => {
    let attempts = 0;
    const registeredPatient = { ...maria, version: 1 };
    const view = await openPatientForm(
      { redirectToPath: '/secured/requisitions/create' },
      {
        [`POST ${PATIENTS}`]: () => {
          if (++attempts === 1) throw new TypeError('Failed to fetch');
          return registeredPatient;
        },
        [`PUT ${PATIENTS}/5`]: { ...registeredPatient, version: 2, middleName: 'INEZ' },
        // By now this patient uses the number.
        [SSN_CHECK]: ({ body }: SentRequest) =>
          attempts > 0 && (body as { patientId: number | null }).patientId !== 5,
      },
    );
    await fillMaria(view);
    await view.user.type(view.getTextbox(/^Social Security Number/), '666121234');
    await view.save();
    await screen.findByText(messages.NO_CONNECTION);
    await view.user.type(view.getTextbox(/^Middle Name/), 'inez');
    await view.save();
    await screen.findByText(messages.PATIENT_SAVED);
    const keys = listRequests(view.requests, 'POST', PATIENTS).map(({ headers }) =>
      headers.get('Idempotency-Key'),
    );
    expect(keys).toHaveLength(2);
    expect(keys[0]).toBe(keys[1]);
    const [change, ...others] = listRequests(view.requests, 'PUT', `${PATIENTS}/5`);
    expect(others).toEqual([]);
    expect(change?.headers.get('If-Match')).toBe('"1"');
    expect(change?.body).toMatchObject({ middleName: 'INEZ' });
    expect(view.router.state.location.pathname).toBe('/secured/requisitions/create;patientId=5');
  });
});

describe('Ctrl+S in the patient form', () => {
  it('saves the patient once', async () => {
    let respond: (answer: unknown) => void = () => undefined;
    const view = await openPatientForm(
      { id: '5' },
      { [`PUT ${PATIENTS}/5`]: () => new Promise((resolve) => (respond = resolve)) },
    );
    await view.user.type(view.getTextbox(/^Middle Name/), 'inez');
    await view.user.keyboard('{Control>}s{/Control}');
    const listSaves = () => listRequests(view.requests, 'PUT', `${PATIENTS}/5`);
    await waitFor(() => expect(listSaves()).toHaveLength(1));
    await view.user.keyboard('{Control>}s{/Control}');
    respond({ ...maria, version: 4, middleName: 'INEZ' });
    await screen.findByText(messages.PATIENT_SAVED);
    expect(listSaves()).toHaveLength(1);
  });
});

describe('Saving again while the form is being left', () => {
  it('neither saves nor navigates again', async () => {
    let respond: (answer: unknown) => void = () => undefined;
    const view = await openPatientForm(
      {},
      { [`POST ${PATIENTS}`]: () => new Promise((resolve) => (respond = resolve)) },
      undefined,
      '/first',
    );
    await view.router.navigate('/second');
    await view.router.navigate('/secured/patients/form');
    await fillMaria(view);
    await view.save();
    await waitFor(() => expect(listRequests(view.requests, 'POST', PATIENTS)).toHaveLength(1));
    const form = screen.getByRole('form', { name: 'New Patient' });
    const button = screen.getByRole('button', { name: 'Save Patient' });
    let submits = 0;
    const observer = new MutationObserver(() => {
      if (submits > 0 || button.hasAttribute('disabled')) return;
      submits += 1;
      fireEvent.submit(form);
    });
    observer.observe(document.body, { subtree: true, attributes: true, childList: true });
    respond({ ...maria, version: 1 });
    await waitFor(() => expect(submits).toBe(1));
    await screen.findByText(messages.PATIENT_SAVED);
    await passTime(50);
    observer.disconnect();
    expect(view.router.state.location.pathname).toBe('/second');
    expect(listRequests(view.requests, 'PUT', `${PATIENTS}/5`)).toEqual([]);
  });
});

describe('Saving', () => {
  it('registers the patient and returns with the id', async () => {
    const view = await openPatientForm(
      { redirectToPath: '/secured/requisitions/create' },
      { 'POST /api/v2/patients': maria },
    );
    await fillMaria(view);
    await view.save();
    expect(await screen.findByText(messages.PATIENT_SAVED)).toBeVisible();
    expect(view.router.state.location.pathname).toBe('/secured/requisitions/create;patientId=5');
    expect(view.getLastWrite()?.body).toMatchObject({
      clientId: 2,
      unitId: null,
      lastName: 'LOPEZ',
      birthDate: '1961-03-04',
      gender: 'FEMALE',
      sameAsClientAddress: true,
      zipCodeName: '60601',
      zipCodePlus4: '1200',
      phone: null,
      ethnicity: null,
    });
  });

  it('keeps a path with parameters unchanged', async () => {
    const view = await openPatientForm(
      { id: '5', redirectToPath: '/secured/requisitions/create;id=9' },
      { 'PUT /api/v2/patients/5': { ...maria, version: 4 } },
    );
    await view.user.type(view.getTextbox(/^Bed/), 'b');
    await view.save();
    await waitFor(() =>
      expect(view.router.state.location.pathname).toBe('/secured/requisitions/create;id=9'),
    );
    expect(view.getLastWrite()?.headers.get('If-Match')).toBe('"3"');
  });

  it('shows errors of the portal at their field', async () => {
    const view = await openPatientForm(
      { id: '5' },
      {
        'PUT /api/v2/patients/5': () =>
          buildProblem(400, 'bad_input', messages.VALIDATION_ERROR, [
            { field: 'roomId', message: messages.ROOM_NOT_OF_CLIENT },
            { field: 'zipCodeName', message: messages.VALUE_INVALID },
          ]),
      },
    );
    await view.user.type(view.getTextbox(/^Bed/), 'b');
    await view.save();
    expect(await screen.findByText(messages.ROOM_NOT_OF_CLIENT)).toBeVisible();
    expect(view.getPicker(/^Room/)).toHaveAccessibleDescription(messages.ROOM_NOT_OF_CLIENT);
    expect(view.getTextbox(/^Zip Code/)).toHaveAccessibleDescription(messages.VALUE_INVALID);
    expect(view.getTextbox(/^Bed/)).toHaveValue('AB');
  });

  it('loses nothing when somebody else saved in the meantime', async () => {
    let version = 3;
    const staleProblem = {
      status: 412,
      code: 'stale_version',
      updatedBy: 'Ada Tester',
      errors: [],
    };
    const view = await openPatientForm(
      { id: '5' },
      {
        'GET /api/v2/patients/5': () => ({ ...maria, version, bed: version > 3 ? 'C' : 'A' }),
        'PUT /api/v2/patients/5': () => Response.json(staleProblem, { status: 412 }),
      },
    );
    await view.user.type(view.getTextbox(/^Middle Name/), 'inez');
    version = 4;
    await view.save();
    const banner = await screen.findByText(
      say(messages.VERSION_CONFLICT_BY, { name: 'Ada Tester' }),
    );
    const notice = banner.closest<HTMLElement>('[role=alert]') ?? document.body;
    expect(within(notice).getByText('Changed by Ada Tester and updated here: Bed.')).toBeVisible();
    expect(within(notice).getByText('Middle Name: INEZ')).toBeVisible();
    expect(view.getTextbox(/^Middle Name/)).toHaveValue('INEZ');
    expect(view.getTextbox(/^Bed/)).toHaveValue('C');
    await view.user.click(within(notice).getByRole('button', { name: /newer version/ }));
    expect(view.getTextbox(/^Middle Name/)).toHaveValue('');
    expect(view.getTextbox(/^Bed/)).toHaveValue('C');
  });

  it('keeps the list items that both added', async () => {
    const juan = {
      id: 41,
      order: 1,
      lastName: 'LOPEZ',
      firstName: 'JUAN',
      address: '1 OAK ST',
      country: null,
      state: 'IL',
      city: 'CHICAGO',
      zipCode: '60601',
      zipCodeExtra: '1200',
      phone: '312-555-0101',
      mobile: null,
      fax: null,
    };
    let theirs = {};
    let writes = 0;
    const view = await openPatientForm(
      { id: '5' },
      {
        'GET /api/v2/patients/5': () => ({ ...maria, ...theirs }),
        'PUT /api/v2/patients/5': () =>
          ++writes === 1
            ? buildProblem(412, 'stale_version', messages.VERSION_STALE)
            : { ...maria, ...theirs, version: 5 },
        'GET /api/v2/medications/remote-operations': buildPage([]),
      },
    );
    await view.user.click(screen.getByRole('tab', { name: /Medications/ }));
    await view.user.type(screen.getByRole('combobox', { name: /^Medication/ }), 'aspirin{Enter}');
    await screen.findByText('ASPIRIN');
    theirs = {
      version: 4,
      medications: [{ id: 1, name: 'WARFARIN' }],
      responsibleParties: [juan],
    };
    await view.save();
    expect(
      await screen.findByText(
        /updated here: (Medications, Responsible Party|Responsible Party, Medications)/,
      ),
    ).toBeVisible();
    expect(screen.getByText('Medications: added ASPIRIN')).toBeVisible();
    await view.save();
    await waitFor(() => expect(writes).toBe(2));
    expect(view.getLastWrite()?.body).toMatchObject({
      medications: [{ name: 'ASPIRIN' }, { name: 'WARFARIN' }],
      responsibleParties: [{ id: 41, lastName: 'LOPEZ' }],
    });
  });

  it('is disabled without permission to change the patient, and says why', async () => {
    const canChange = { allowed: false, reason: messages.FORBIDDEN };
    const view = await openPatientForm(
      { id: '5' },
      { 'GET /api/v2/patients/5': { ...maria, canChange } },
    );
    const save = screen.getByRole('button', { name: 'Save Patient' });
    expect(save).toBeDisabled();
    expect(save).toHaveAttribute('title', messages.FORBIDDEN);
    await view.user.type(view.getTextbox(/^Bed/), 'b{Enter}');
    expect(view.requests.some(({ method }) => method === 'PUT')).toBe(false);
  });

  it('lists fields that both changed with both values', async () => {
    let theirs = {};
    const view = await openPatientForm(
      { id: '5' },
      {
        'GET /api/v2/patients/5': () => ({ ...maria, ...theirs }),
        'PUT /api/v2/patients/5': () => buildProblem(412, 'stale_version', messages.VERSION_STALE),
      },
    );
    for (const [name, typedText] of [
      [/^Bed/, 'b'],
      [/^Phone/, '3125550199'],
      [/^Birth Date/, '03051961'],
    ] as const) {
      await view.user.clear(view.getTextbox(name));
      await view.user.type(view.getTextbox(name), typedText);
    }
    theirs = { version: 4, bed: null, phone: '312-555-0177', birthDate: '1961-03-06' };
    await view.save();
    for (const line of [
      'Bed: none now, you entered B',
      'Phone: 312-555-0177 now, you entered 312-555-0199',
      'Birth Date: 03/06/1961 now, you entered 03/05/1961',
    ]) {
      expect(await screen.findByText(line)).toBeVisible();
    }
    expect(view.getTextbox(/^Bed/)).toHaveValue('B');
  });

  it('asks before unsaved changes are lost', async () => {
    const view = await openPatientForm({ redirectToPath: '/secured/requisitions/create' });
    await view.user.type(view.getTextbox(/^Last Name/), 'l');
    await view.user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(await screen.findByText(messages.UNSAVED_CHANGES)).toBeInTheDocument();
    expect(view.router.state.location.pathname).toBe('/secured/patients/form');
  });
});
