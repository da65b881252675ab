import { screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';

import { useSessionState } from '../../api';
import { messages } from '../../contract';
import RequisitionForm from '../../features/requisitions/screens/RequisitionForm';
import { renderPortal } from '../../test/render';
import { requisition } from '../../test/requisitions';
import { onScreenOf, widths } from '../../test/screens';
import { ThemeProvider } from '../theme';
import Shell from './Shell';

const path = '/secured/requisitions/create';
/** As the portal shows it: to nobody who is signed out. */
function SignedIn() {
  if (useSessionState().status !== 'signedIn') return null;
  return (
    <ThemeProvider>
      <Shell path={path}>
        <RequisitionForm />
      </Shell>
    </ThemeProvider>
  );
}
const draw = () =>
  renderPortal(<SignedIn />, {
    path,
    parameters: { id: '12' },
    answers: { 'GET /api/v2/requisitions/12': requisition() },
  });

afterEach(() => onScreenOf(widths.desktop));

describe('Logout', () => {
  const leave = async (user: Awaited<ReturnType<typeof draw>>['user']) => {
    await user.click(screen.getByRole('button', { name: /^User menu/ }));
    await user.click(await screen.findByRole('menuitem', { name: 'Logout' }));
  };

  it('asks first while changes are unsaved', async () => {
    const { user, session } = await draw();
    await user.click(await screen.findByRole('checkbox', { name: 'Same as Primary Physician' }));
    await leave(user);
    expect(await screen.findByText(messages.UNSAVED_CHANGES)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(session.state().status).toBe('signedIn');
    await leave(user);
    await user.click(await screen.findByRole('button', { name: 'Continue' }));
    await waitFor(() => expect(session.state().status).toBe('signedOut'));
  });

  it('asks nothing where nothing would be lost', async () => {
    const { user, session } = await draw();
    await screen.findByRole('checkbox', { name: 'Same as Primary Physician' });
    await leave(user);
    await waitFor(() => expect(session.state().status).toBe('signedOut'));
  });
});

describe('The footer', () => {
  it('says the version that runs', async () => {
    await draw();
    expect(await screen.findByText('Version 0.1.0')).toBeVisible();
  });
});

describe('The menu of handhelds', () => {
  it('closes behind the screen that is open already', async () => {
    onScreenOf(widths.phone);
    const { user } = await draw();
    await user.click(await screen.findByRole('button', { name: 'Menu' }));
    await user.click(await screen.findByRole('link', { name: /New Requisition/ }));
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Menu' })).toHaveAttribute(
        'aria-expanded',
        'false',
      ),
    );
  });
});
