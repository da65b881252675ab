import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';

import { renderPortal } from '../test/render';
import { TickIcon } from './icons';
import { PageToolbar } from './PageToolbar';

function Screen({ task }: { task: Promise<void> }) {
  const [loading, setLoading] = useState(false);
  return (
    <PageToolbar
      title="Things"
      actions={[
        {
          label: 'Save',
          icon: <TickIcon />,
          loading,
          onClick: () => {
            setLoading(true);
            void task.then(() => setLoading(false));
          },
        },
      ]}
    />
  );
}

function SignedScreen({ slot }: { slot?: string }) {
  const [isSigned, setIsSigned] = useState(false);
  const [isCanceled, setIsCanceled] = useState(false);
  const toggle = () => setIsSigned(!isSigned);
  return (
    <>
      <PageToolbar
        title="Things"
        actions={[
          { label: isSigned ? 'Unsign' : 'Sign', slot, icon: <TickIcon />, onClick: toggle },
          {
            label: 'Cancel',
            icon: <TickIcon />,
            disabled: isCanceled,
            onClick: () => setIsCanceled(true),
          },
        ]}
      />
      <button type="button" onClick={toggle}>
        Sign later
      </button>
    </>
  );
}

describe('A toolbar action', () => {
  it('gets the focus back when it has finished', async () => {
    let finish: () => void = () => undefined;
    const task = new Promise<void>((resolve) => (finish = resolve));
    const { user } = await renderPortal(<Screen task={task} />);
    const save = screen.getByRole('button', { name: 'Save' });
    save.focus();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(save).toBeDisabled());
    // A browser removes the focus from a disabled button.
    save.blur();
    finish();
    await waitFor(() => expect(save).toHaveFocus());
  });

  it('leaves the focus to the title when it is gone or disabled', async () => {
    const { user } = await renderPortal(<SignedScreen />);
    for (const name of ['Sign', 'Cancel']) {
      screen.getByRole('button', { name }).focus();
      await user.keyboard('{Enter}');
      expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
    }
  });

  it('passes the focus on to the action that takes its place', async () => {
    const { user } = await renderPortal(<SignedScreen slot="signing" />);
    screen.getByRole('button', { name: 'Sign' }).focus();
    await user.keyboard('{Enter}');
    expect(screen.getByRole('button', { name: 'Unsign' })).toHaveFocus();
  });

  it('does not take the focus from elsewhere', async () => {
    const { user } = await renderPortal(<SignedScreen />);
    const outside = screen.getByRole('button', { name: 'Sign later' });
    screen.getByRole('button', { name: 'Sign' }).focus();
    await user.click(outside);
    expect(outside).toHaveFocus();
  });
});
