import { Button, Menu, MenuItem } from '@blueprintjs/core';
import { screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { describe, expect, it } from 'vitest';

import { renderPortal } from '../test/render';
import { FormDialog } from './dialogs/FormDialog';
import { Popup } from './Popup';

function Screen({ children }: { children: ReactNode }) {
  return (
    <>
      <Popup
        content={() => children}
        renderTarget={({ isOpen, ref, ...target }) => (
          <Button {...target} ref={ref} aria-expanded={isOpen}>
            Open
          </Button>
        )}
      />
      <button type="button">Next</button>
    </>
  );
}

const items = (
  <Menu>
    <MenuItem text="One" />
    <MenuItem text="Two" />
  </Menu>
);
const buttons = (
  <>
    <button type="button">One</button>
    <button type="button">Two</button>
  </>
);

async function openPopup(content: ReactNode, role: string) {
  const { user } = await renderPortal(<Screen>{content}</Screen>);
  const opener = screen.getByRole('button', { name: 'Open' });
  await user.click(opener);
  const first = await screen.findByRole(role, { name: 'One' });
  first.focus();
  const expectClosed = async () => {
    await waitFor(() => expect(opener).toHaveAttribute('aria-expanded', 'false'));
    await waitFor(() => expect(screen.queryByRole(role, { name: 'One' })).toBeNull());
  };
  return { user, opener, expectClosed };
}

describe('A menu', () => {
  it('focuses its first item, and arrow keys move to the others', async () => {
    const { user } = await renderPortal(<Screen>{items}</Screen>);
    screen.getByRole('button', { name: 'Open' }).focus();
    await user.keyboard('{Enter}');
    const one = await screen.findByRole('menuitem', { name: 'One' });
    const two = screen.getByRole('menuitem', { name: 'Two' });
    expect(one).toHaveFocus();
    await user.keyboard('{ArrowDown}');
    expect(two).toHaveFocus();
    await user.keyboard('{ArrowDown}');
    expect(one).toHaveFocus();
    await user.keyboard('{ArrowUp}');
    expect(two).toHaveFocus();
    await user.keyboard('{Home}');
    expect(one).toHaveFocus();
    await user.keyboard('{End}');
    expect(two).toHaveFocus();
  });

  it('is closed by Tab, which moves on from its button', async () => {
    const { user, expectClosed } = await openPopup(items, 'menuitem');
    await user.keyboard('{Tab}');
    await expectClosed();
    expect(screen.getByRole('button', { name: 'Next' })).toHaveFocus();
  });

  it('is closed by Shift+Tab and by Escape, which return to its button', async () => {
    const { user, opener, expectClosed } = await openPopup(items, 'menuitem');
    await user.keyboard('{Shift>}{Tab}{/Shift}');
    await expectClosed();
    expect(opener).toHaveFocus();
    await user.click(opener);
    (await screen.findByRole('menuitem', { name: 'One' })).focus();
    await user.keyboard('{Escape}');
    await expectClosed();
    await waitFor(() => expect(opener).toHaveFocus());
  });
});

describe('A list of buttons', () => {
  it('focuses its first button', async () => {
    const { user } = await renderPortal(<Screen>{buttons}</Screen>);
    screen.getByRole('button', { name: 'Open' }).focus();
    await user.keyboard('{Enter}');
    expect(await screen.findByRole('button', { name: 'One' })).toHaveFocus();
  });

  it('focuses its first button in a dialog, which would keep the keyboard', async () => {
    const { user } = await renderPortal(
      <FormDialog isOpen title="Dialog" width={400} onClose={() => undefined}>
        <Screen>{buttons}</Screen>
      </FormDialog>,
    );
    const opener = await screen.findByRole('button', { name: 'Open' });
    // The dialog first gives the keyboard to its own button.
    await waitFor(() => expect(screen.getByText('Close').closest('button')).toHaveFocus());
    opener.focus();
    await user.keyboard('{Enter}');
    const one = await screen.findByRole('button', { name: 'One' });
    await waitFor(() => expect(one).toHaveFocus());
  });

  it('returns to its button after a click elsewhere in the dialog', async () => {
    const { user } = await renderPortal(
      <FormDialog isOpen title="Dialog" width={400} onClose={() => undefined}>
        <Screen>{buttons}</Screen>
      </FormDialog>,
    );
    const opener = await screen.findByRole('button', { name: 'Open' });
    await user.click(opener);
    await screen.findByRole('button', { name: 'One' });
    await user.click(screen.getByRole('heading', { name: 'Dialog' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'One' })).toBeNull());
    await waitFor(() => expect(opener).toHaveFocus());
  });

  it('is closed by Tab after its last button', async () => {
    const { user, expectClosed } = await openPopup(buttons, 'button');
    await user.keyboard('{Tab}');
    expect(screen.getByRole('button', { name: 'Two' })).toHaveFocus();
    await user.keyboard('{Tab}');
    await expectClosed();
    expect(screen.getByRole('button', { name: 'Next' })).toHaveFocus();
  });
});
