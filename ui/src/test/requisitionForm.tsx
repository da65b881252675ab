import { screen } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { useLocation } from 'react-router';

import { RouteParametersContext } from '../components/routeParameters';
import { parseMatrix } from '../lib/matrix';
import RequisitionForm from '../features/requisitions/screens/RequisitionForm';
import { page, type Answers, type Seen } from './portal';
import { profile, renderPortal } from './render';
import { requisition } from './requisitions';

export const FORM = '/secured/requisitions/create';

/** Where the requisition of these tests is read and written. */
export const ONE = '/api/v2/requisitions/12';

/** A person who has a signature to sign with. */
export const signer = {
  ...profile(),
  data: { ...profile().data, signImage: 'data:image/png;base64,AAAA' },
};

/** The form at whatever address the person has come to. */
export function FormAtItsAddress() {
  const { pathname, search } = useLocation();
  return (
    <RouteParametersContext value={parseMatrix(pathname, search).parameters}>
      <RequisitionForm />
    </RouteParametersContext>
  );
}

export const tsh = { id: 20, code: 'TSH', name: 'Thyroid', alternateNames: '', type: 'TEST' };

/** The form at an address, on a portal with one requisition, one that is made, and one test. */
export function drawForm(answers: Answers = {}, path = `${FORM};id=12`) {
  const created = requisition({ id: 13, code: 'R260000013' });
  return renderPortal(<FormAtItsAddress />, {
    user: signer,
    path,
    answers: {
      [`GET ${ONE}`]: requisition(),
      'POST /api/v2/requisitions': created,
      'GET /api/v2/requisitions/13': created,
      'GET /api/v2/patients/7': requisition().patient,
      'GET /api/v2/tests/remote-operations': page([tsh]),
      'GET /api/v2/tests/with-children': [{ ...tsh, parentId: null, children: [] }],
      'POST /auth/login': { token: 'fresh', user: signer },
      ...answers,
    },
  });
}

/** Orders the one test of `drawForm`. */
export async function orderTest(user: UserEvent): Promise<void> {
  await user.type(await screen.findByRole('combobox', { name: 'Test code or name' }), 'tsh{Enter}');
  await screen.findByRole('button', { name: 'Remove Thyroid' });
}

export const comments = () => screen.findByRole('textbox', { name: 'Comments' });

export async function comment(user: UserEvent, words: string): Promise<void> {
  await user.click(await comments());
  await user.paste(words);
}

/** The writes of the requisition. */
export const saves = (seen: readonly Seen[]) =>
  seen.filter(({ method, path }) => method === 'POST' && path === ONE);
