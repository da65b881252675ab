import { screen } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { useLocation } from 'react-router';

import { parseMatrix, RouteParametersContext } from '../components';
import RequisitionForm from '../features/requisitions/screens/RequisitionForm';
import type { Seen } from './portal';
import { profile } from './render';

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

export const comments = () => screen.findByRole('textbox', { name: 'Comments' });

export async function comment(user: UserEvent, words: string): Promise<void> {
  await user.click(await comments());
  await user.paste(words);
}

/** The writes of the requisition. */
export const saves = (seen: readonly Seen[]) =>
  seen.filter(({ method, path }) => method === 'POST' && path === ONE);
