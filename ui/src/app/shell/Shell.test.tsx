import { screen, waitFor, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, describe, expect, it } from 'vitest';

import { useSessionState, type Capabilities } from '../../api';
import { messages } from '../../contract';
import RequisitionForm from '../../features/requisitions/screens/RequisitionForm';
import { closeDialogByEscape } from '../../test/dialogs';
import { lab, renderPortal } from '../../test/render';
import { buildRequisition } from '../../test/requisitions';
import { setScreenWidth, widths } from '../../test/screens';
import { ThemeProvider } from '../theme';
import Shell from './Shell';

const path = '/secured/requisitions/create';

/** Renders the shell only while somebody is signed in, as the portal does. */
function SignedInShell({ children }: { children: ReactNode }) {
  if (useSessionState().status !== 'signedIn') return null;
  return (
    <ThemeProvider>
      <Shell path={path}>{children}</Shell>
    </ThemeProvider>
  );
}
const renderShell = (
  children: ReactNode = <RequisitionForm />,
  capabilities: Partial<Capabilities> = {},
) =>
  renderPortal(<SignedInShell>{children}</SignedInShell>, {
    path,
    capabilities,
    parameters: { id: '12' },
    answers: {
      'GET /api/v2/requisitions/12': buildRequisition(),
      'GET /device/about': { version: '1.2.3', licenses: [] },
    },
  });

afterEach(() => setScreenWidth(widths.desktop));

describe('Logout', () => {
  const logOut = async (user: Awaited<ReturnType<typeof renderShell>>['user']) => {
    await user.click(screen.getByRole('button', { name: /^User menu/ }));
    await user.click(await screen.findByRole('menuitem', { name: 'Logout' }));
  };

  it('asks first when changes are unsaved', async () => {
    const { user, session } = await renderShell();
    await user.click(await screen.findByRole('checkbox', { name: 'Same as Primary Physician' }));
    await logOut(user);
    expect(await screen.findByText(messages.UNSAVED_CHANGES)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(session.getState().status).toBe('signedIn');
    await logOut(user);
    await user.click(await screen.findByRole('button', { name: 'Continue' }));
    await waitFor(() => expect(session.getState().status).toBe('signedOut'));
  });

  it('does not ask when nothing would be lost', async () => {
    const { user, session } = await renderShell();
    await screen.findByRole('checkbox', { name: 'Same as Primary Physician' });
    await logOut(user);
    await waitFor(() => expect(session.getState().status).toBe('signedOut'));
  });
});

describe('Keyboard shortcuts', () => {
  it('return the focus to the user menu when they close', async () => {
    const { user } = await renderShell();
    const menu = screen.getByRole('button', { name: /^User menu/ });
    await user.click(menu);
    await user.click(await screen.findByRole('menuitem', { name: /^Keyboard shortcuts/ }));
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
    await screen.findByRole('dialog');
    await closeDialogByEscape(user);
    await waitFor(() => expect(menu).toHaveFocus());
  });
});

describe('The user menu', () => {
  it('names the role alone while the lab has no name', async () => {
    const { user } = await renderShell(<p>A list</p>, {
      lab: { ...lab, title: null, name: null },
    });
    await user.click(screen.getByRole('button', { name: /^User menu/ }));
    expect(await screen.findByText('Client Basic')).toBeVisible();
  });
});

describe('Printers', () => {
  it('open from the user menu of a host that prints labels', async () => {
    const { user } = await renderShell(<p>A list</p>, { canPrintLabels: true });
    await user.click(screen.getByRole('button', { name: /^User menu/ }));
    await user.click(await screen.findByRole('menuitem', { name: 'Printers' }));
    expect(await screen.findByRole('dialog', { name: 'Printers' })).toBeVisible();
  });

  it('are not in the menu of a browser', async () => {
    const { user } = await renderShell(<p>A list</p>);
    await user.click(screen.getByRole('button', { name: /^User menu/ }));
    await screen.findByRole('menuitem', { name: 'Logout' });
    expect(screen.queryByRole('menuitem', { name: 'Printers' })).toBeNull();
  });
});

describe('About', () => {
  it('opens from the user menu of the desktop app', async () => {
    const { user } = await renderShell(<p>A list</p>, {
      portal: { address: 'https://portal.example' },
    });
    await user.click(screen.getByRole('button', { name: /^User menu/ }));
    await user.click(await screen.findByRole('menuitem', { name: 'About' }));
    expect(await screen.findByRole('dialog', { name: 'About Lab Portal' })).toBeVisible();
    expect(await screen.findByText('Version 1.2.3')).toBeVisible();
  });

  it('is not in the menu of a browser, whose footer has the version', async () => {
    const { user } = await renderShell(<p>A list</p>);
    await user.click(screen.getByRole('button', { name: /^User menu/ }));
    await screen.findByRole('menuitem', { name: 'Logout' });
    expect(screen.queryByRole('menuitem', { name: 'About' })).toBeNull();
  });
});

describe('Ctrl+S', () => {
  it('does nothing where no form is open, and says so', async () => {
    const { user } = await renderShell(<p>A list</p>);
    await screen.findByText('A list');
    await user.keyboard('{Control>}s{/Control}');
    expect(await screen.findByText(messages.ACTION_NOT_ALLOWED)).toBeVisible();
  });

  it('saves an open form', async () => {
    const { user, requests } = await renderShell();
    await user.click(await screen.findByRole('checkbox', { name: 'Same as Primary Physician' }));
    await user.keyboard('{Control>}s{/Control}');
    await waitFor(() => expect(requests.some(({ method }) => method === 'POST')).toBe(true));
    expect(screen.queryByText(messages.ACTION_NOT_ALLOWED)).toBeNull();
  });
});

describe('The footer', () => {
  it('shows the running version', async () => {
    await renderShell();
    expect(await screen.findByText('Version 0.1.0')).toBeVisible();
  });
});

describe('The menu of handhelds', () => {
  it('closes when the current screen is chosen', async () => {
    setScreenWidth(widths.phone);
    const { user } = await renderShell();
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

describe('The header', () => {
  it('is 54 pixels high, with logo, help and the e-mail of the user', async () => {
    await renderShell(<p>Screen</p>);
    const header = await screen.findByRole('banner');
    expect(header).toHaveStyle({ height: '54px' });
    expect(within(header).getByRole('link', { name: 'Lakeside Lab' })).toBeVisible();
    expect(within(header).getByRole('button', { name: 'Help on this screen' })).toBeVisible();
    expect(within(header).getByRole('button', { name: /someone@demo.lab/ })).toBeVisible();
  });

  it("sets a page title that ends with the lab's title", async () => {
    await renderShell();
    await waitFor(() => expect(document.title).toMatch(/^\S.* · Lakeside Lab$/));
  });

  it('opens a drawer of 250 pixels on handhelds', async () => {
    setScreenWidth(widths.tablet);
    const { user } = await renderShell(<p>Screen</p>);
    await user.click(await screen.findByRole('button', { name: 'Menu' }));
    const drawer = (await screen.findByRole('navigation', { name: 'Main' })).closest(
      '[style*="250px"]',
    );
    expect(drawer).not.toBeNull();
  });
});
