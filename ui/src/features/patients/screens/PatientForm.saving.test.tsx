import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages } from '../../../contract';
import { fillMaria, maria, openPatientForm, SSN_CHECK } from '../../../test/patientForm';
import type { SentRequest } from '../../../test/portal';
import { passTime } from '../../../test/timers';

const PATIENTS = '/api/v2/patients';
const listRequests = (requests: readonly SentRequest[], method: string, path: string) =>
  requests.filter((request) => request.method === method && request.path === path);

describe('A new patient whose save got no answer', () => {
  it('is registered once, and then updated with later edits', async () => {
    let attempts = 0;
    const registered = { ...maria, version: 1 };
    const view = await openPatientForm(
      { redirectToPath: '/secured/requisitions/create' },
      {
        [`POST ${PATIENTS}`]: () => {
          if (++attempts === 1) throw new TypeError('Failed to fetch');
          return registered;
        },
        [`PUT ${PATIENTS}/5`]: { ...registered, version: 2, middleName: 'INEZ' },
        // By now this patient uses the number.
        [SSN_CHECK]: ({ query }: SentRequest) => attempts > 0 && query.get('patientId') !== '5',
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
