import { fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, describe, expect, it } from 'vitest';

import { renderPortal } from '../test/render';
import { setScreenWidth } from '../test/screens';
import { TickIcon } from './icons';
import { PageToolbar, SpeedDial } from './PageToolbar';

function Screen({ task, onRun }: { task: Promise<void>; onRun: () => void }) {
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
            onRun();
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

describe('The round button of handhelds', () => {
  /** Scrolls the page, which is 2,000 px high and shows 800 of them. */
  function scrollTo(top: number) {
    const page = document.documentElement;
    for (const [name, value] of Object.entries({ scrollHeight: 2000, clientHeight: 800 })) {
      Object.defineProperty(page, name, { value, configurable: true });
    }
    page.scrollTop = top;
    fireEvent.scroll(document);
  }

  afterEach(() => {
    for (const name of ['scrollHeight', 'clientHeight']) {
      Reflect.deleteProperty(document.documentElement, name);
    }
    document.documentElement.scrollTop = 0;
  });

  it('hides while the user scrolls down', async () => {
    const action = { label: 'Print', icon: <TickIcon />, onClick: () => undefined };
    await renderPortal(<SpeedDial label="Things actions" actions={[action]} />);
    const button = screen.getByRole('button', { name: 'Things actions' });
    const isHidden = () => button.closest('[data-hidden]') !== null;
    expect(isHidden()).toBe(false);
    scrollTo(300);
    expect(isHidden()).toBe(true);
    // It returns when the user scrolls up, and at the end of the page, which has space for it.
    scrollTo(250);
    expect(isHidden()).toBe(false);
    scrollTo(400);
    expect(isHidden()).toBe(true);
    scrollTo(1190);
    expect(isHidden()).toBe(false);
  });
});

describe('A toolbar action', () => {
  it('keeps the focus while it runs, and does not run twice', async () => {
    let finish: () => void = () => undefined;
    const task = new Promise<void>((resolve) => (finish = resolve));
    let count = 0;
    const { user } = await renderPortal(<Screen task={task} onRun={() => (count += 1)} />);
    const save = screen.getByRole('button', { name: 'Save' });
    save.focus();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(save).toBeDisabled());
    // A browser takes the focus from a button with this attribute.
    expect(save).not.toHaveAttribute('disabled');
    await user.keyboard('{Enter}');
    expect(count).toBe(1);
    finish();
    await waitFor(() => expect(save).toBeEnabled());
    expect(save).toHaveFocus();
  });

  it('leaves the focus to the title when it is gone or disabled', async () => {
    const { user } = await renderPortal(<SignedScreen />);
    for (const name of ['Sign', 'Cancel']) {
      screen.getByRole('button', { name }).focus();
      await user.keyboard('{Enter}');
      expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
    }
  });

  it('can get the focus while it is disabled and a reason explains why', async () => {
    const action = { label: 'Release', icon: <TickIcon />, disabled: true, reason: 'Save first' };
    const { user } = await renderPortal(
      <PageToolbar title="Things" actions={[{ ...action, onClick: () => undefined }]} />,
    );
    await user.tab();
    const release = screen.getByRole('button', { name: 'Release' });
    expect(release).toHaveFocus();
    expect(release).toBeDisabled();
    expect(release).toHaveAccessibleDescription('Save first');
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

describe('The menu of a form on a handheld', () => {
  afterEach(() => setScreenWidth(1920));

  it('is beside the buttons and covers no field', async () => {
    setScreenWidth(390);
    const actions = [
      { label: 'Save', icon: <TickIcon />, isAlwaysShown: true, onClick: () => undefined },
      { label: 'Preview', icon: <TickIcon />, onClick: () => undefined },
    ];
    await renderPortal(<PageToolbar title="Things" hasMenuInBar actions={actions} />);
    const menu = screen.getByRole('button', { name: 'Things actions' });
    expect(menu.closest('[class*="controls"]')).not.toBeNull();
    expect(menu.closest('[class*="dial"]')).toBeNull();
  });
});
