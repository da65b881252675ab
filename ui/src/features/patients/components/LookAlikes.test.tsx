import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages } from '../../../contract';
import { maria, openPatientForm, type Opened } from '../../../test/patientForm';
import { passTime } from '../../../test/timers';

const ASK = 'POST /api/v2/patients/look-alikes';
const twin = {
  id: 77,
  code: 'P0000077',
  firstName: 'MARIA',
  middleName: null,
  lastName: 'LOPES',
  birthDate: '1961-03-04',
  gender: 'FEMALE',
  clientName: 'HILL HOME',
  ssn: '***-**-1234',
  reasons: ['sameBirthDate', 'similarName'],
};

const questions = ({ seen }: Opened) =>
  seen.filter(({ method, path }) => `${method} ${path}` === ASK);

async function typeMaria(view: Opened) {
  await view.user.type(view.box(/^Last Name/), 'lopez');
  await view.user.type(view.box(/^First Name/), 'maria');
  await view.user.type(view.box(/^Birth Date/), '03041961');
}

describe('Patients who look alike', () => {
  it('are shown while typing, with the reasons, and nothing of it is in an address', async () => {
    const view = await openPatientForm({}, { [ASK]: [twin] });
    await typeMaria(view);
    expect(await screen.findByText(messages.LOOK_ALIKES_FOUND, { exact: false })).toBeVisible();
    expect(screen.getByText(/same birth date, similar name/)).toBeVisible();
    const asked = questions(view).at(-1);
    expect(asked?.query.toString()).toBe('');
    expect(asked?.body).toEqual({
      lastName: 'LOPEZ',
      firstName: 'MARIA',
      birthDate: '1961-03-04',
      socialSecurityNumber: null,
      patientId: null,
    });
  });

  it('can be used in place of registering somebody twice', async () => {
    const path = '/secured/requisitions/create';
    const view = await openPatientForm({ redirectToPath: path }, { [ASK]: [twin] });
    await typeMaria(view);
    await view.user.click(await screen.findByRole('button', { name: 'Use this patient' }));
    await waitFor(() => expect(view.router.state.location.pathname).toBe(`${path};patientId=77`));
  });

  it('are not asked for before there is enough to compare', async () => {
    const view = await openPatientForm({}, { [ASK]: [twin] });
    await view.user.type(view.box(/^Last Name/), 'lopez');
    await view.user.type(view.box(/^First Name/), 'maria');
    await passTime(700);
    expect(questions(view)).toHaveLength(0);
  });

  it('are asked for by the SSN alone', async () => {
    const view = await openPatientForm({}, { [ASK]: [] });
    await view.user.type(view.box(/^Social Security|^SSN/), '666121234');
    await waitFor(() => {
      expect(questions(view).at(-1)?.body).toMatchObject({ socialSecurityNumber: '666121234' });
    });
  });

  it('do not bother whoever opens a patient and changes nothing', async () => {
    const view = await openPatientForm({ id: '5' }, { [ASK]: [twin] });
    await screen.findByDisplayValue(maria.lastName);
    await passTime(700);
    expect(questions(view)).toHaveLength(0);
  });
});

describe('The timeline', () => {
  const event = (id: number, title: string, code: string | null = null) => ({
    id,
    kind: 'requisition',
    at: '2026-03-04T14:05:00+00:00',
    by: 'Ada Tester',
    title,
    detail: null,
    recordId: code === null ? null : 12,
    code,
  });

  it('tells what happened, newest first, and goes on to earlier events', async () => {
    const view = await openPatientForm(
      { id: '5' },
      {
        'GET /api/v2/patients/5/timeline': ({ query }: { query: URLSearchParams }) => ({
          data:
            query.get('skip') === '0'
              ? [event(2, 'Requisition created', 'R260000012')]
              : [event(1, 'Registered')],
          totalCount: 2,
          totalIsCapped: false,
          next: null,
        }),
      },
    );
    await view.user.click(await screen.findByRole('button', { name: 'Timeline' }));
    const dialog = await screen.findByRole('dialog', { name: 'Timeline of LOPEZ, MARIA' });
    await view.user.click(await within(dialog).findByRole('button', { name: 'Show earlier' }));
    const shown = await within(dialog).findAllByRole('listitem');
    expect(shown.map((item) => item.textContent)).toEqual([
      expect.stringContaining('Requisition created'),
      expect.stringContaining('Registered'),
    ]);
    await view.user.click(within(dialog).getByRole('button', { name: 'R260000012' }));
    expect(view.device.windows).toEqual(['/secured/requisitions/create;id=12']);
  });
});
