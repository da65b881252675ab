import { screen } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { useLocation } from 'react-router';

import { RouteParametersContext } from '../components/routeParameters';
import { parseMatrix } from '../lib/matrix';
import { paths } from '../lib/paths';
import PatientForm from '../features/patients/screens/PatientForm';
import RequisitionForm from '../features/requisitions/screens/RequisitionForm';
import { buildPage, type Answers, type SentRequest } from './portal';
import { buildProfile, renderPortal } from './render';
import { buildRequisition } from './requisitions';

export const FORM = '/secured/requisitions/create';

/** The path of the requisition in these tests. */
export const REQUISITION_PATH = '/api/v2/requisitions/12';

/** A user with a signature image. */
export const signer = {
  ...buildProfile(),
  data: { ...buildProfile().data, signImage: 'data:image/png;base64,AAAA' },
};

/** The form at the current address: of a requisition, or of a patient. */
export function RoutedForm() {
  const { pathname, search } = useLocation();
  const { path, parameters } = parseMatrix(pathname, search);
  return (
    <RouteParametersContext value={parameters}>
      {path === paths.patientForm ? <PatientForm /> : <RequisitionForm />}
    </RouteParametersContext>
  );
}

export const tsh = { id: 20, code: 'TSH', name: 'Thyroid', alternateNames: '', type: 'TEST' };

/**
 * Renders the form at an address, on a portal with one saved requisition, one new one, and one
 * test.
 */
export function renderForm(answers: Answers = {}, path = `${FORM};id=12`) {
  const newRequisition = buildRequisition({ id: 13, code: 'R260000013' });
  return renderPortal(<RoutedForm />, {
    user: signer,
    path,
    answers: {
      [`GET ${REQUISITION_PATH}`]: buildRequisition(),
      'POST /api/v2/requisitions': newRequisition,
      'GET /api/v2/requisitions/13': newRequisition,
      'GET /api/v2/patients/7': buildRequisition().patient,
      'GET /api/v2/tests/remote-operations': buildPage([tsh]),
      'GET /api/v2/tests/with-children': [
        { ...tsh, parentId: null, isConfidential: false, children: [] },
      ],
      'POST /auth/login': { token: 'fresh', user: signer },
      ...answers,
    },
  });
}

/** Orders the test of `renderForm`. */
export async function orderTest(user: UserEvent): Promise<void> {
  await user.type(await screen.findByRole('combobox', { name: 'Test code or name' }), 'tsh{Enter}');
  await screen.findByRole('button', { name: 'Remove Thyroid' });
}

/** Orders the test from the patient's primary physician, so that saving asks nothing. */
export async function completeOrder(user: UserEvent): Promise<void> {
  await orderTest(user);
  await user.click(screen.getByRole('checkbox', { name: 'Same as Primary Physician' }));
}

export const findComments = () => screen.findByRole('textbox', { name: 'Comments' });

export async function enterComment(user: UserEvent, text: string): Promise<void> {
  await user.click(await findComments());
  await user.paste(text);
}

/** Returns the updates of the requisition among the requests. */
export const listSaves = (requests: readonly SentRequest[]) =>
  requests.filter(({ method, path }) => method === 'POST' && path === REQUISITION_PATH);
