import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { messages } from '../../../contract';
import { fillMaria, maria, openPatientForm, SSN_CHECK } from '../../../test/patientForm';
import type { Seen } from '../../../test/portal';
import { passTime } from '../../../test/timers';

const PATIENTS = '/api/v2/patients';
const sent = (seen: readonly Seen[], method: string, path: string) =>
  seen.filter((one) => one.method === method && one.path === path);

describe('A new patient whose save got no answer', () => {
  it('is registered once, with what was typed since on top', async () => {
    let tries = 0;
    const registered = { ...maria, version: 1 };
    const view = await openPatientForm(
      { redirectToPath: '/secured/requisitions/create' },
      {
        [`POST ${PATIENTS}`]: () => {
          if (++tries === 1) throw new TypeError('Failed to fetch');
          return registered;
        },
        [`PUT ${PATIENTS}/5`]: { ...registered, version: 2, middleName: 'INEZ' },
        // The number is in use by now: by this patient.
        [SSN_CHECK]: ({ query }: Seen) => tries > 0 && query.get('patientId') !== '5',
      },
    );
    await fillMaria(view);
    await view.user.type(view.box(/^Social Security Number/), '666121234');
    await view.save();
    await screen.findByText(messages.NO_CONNECTION);
    await view.user.type(view.box(/^Middle Name/), 'inez');
    await view.save();
    await screen.findByText(messages.PATIENT_SAVED);
    const keys = sent(view.seen, 'POST', PATIENTS).map(({ headers }) =>
      headers.get('Idempotency-Key'),
    );
    expect(keys).toHaveLength(2);
    expect(keys[0]).toBe(keys[1]);
    const [change, ...more] = sent(view.seen, 'PUT', `${PATIENTS}/5`);
    expect(more).toEqual([]);
    expect(change?.headers.get('If-Match')).toBe('"1"');
    expect(change?.body).toMatchObject({ middleName: 'INEZ' });
    expect(view.router.state.location.pathname).toBe('/secured/requisitions/create;patientId=5');
  });
});

describe('Save, pressed again while the form is being left', () => {
  it('neither saves nor leads back once more', async () => {
    let come: (answer: unknown) => void = () => undefined;
    const view = await openPatientForm(
      {},
      { [`POST ${PATIENTS}`]: () => new Promise((resolve) => (come = resolve)) },
      undefined,
      '/first',
    );
    await view.router.navigate('/second');
    await view.router.navigate('/secured/patients/form');
    await fillMaria(view);
    await view.save();
    await waitFor(() => expect(sent(view.seen, 'POST', PATIENTS)).toHaveLength(1));
    const form = screen.getByRole('form', { name: 'New Patient' });
    const button = screen.getByRole('button', { name: 'Save Patient' });
    let pressed = 0;
    const watch = new MutationObserver(() => {
      if (pressed > 0 || button.hasAttribute('disabled')) return;
      pressed += 1;
      fireEvent.submit(form);
    });
    watch.observe(document.body, { subtree: true, attributes: true, childList: true });
    come({ ...maria, version: 1 });
    await waitFor(() => expect(pressed).toBe(1));
    await screen.findByText(messages.PATIENT_SAVED);
    await passTime(50);
    watch.disconnect();
    expect(view.router.state.location.pathname).toBe('/second');
    expect(sent(view.seen, 'PUT', `${PATIENTS}/5`)).toEqual([]);
  });
});
