import { Button } from '@blueprintjs/core';
import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';

import { renderPortal } from '../../test/render';
import { TextField } from '../fields/TextField';
import { PageToolbar } from '../PageToolbar';
import { ConfirmDialog } from './ConfirmDialog';
import { FormDialog } from './FormDialog';

interface FailingProps {
  error: string | undefined;
  /** The act ends with it. */
  act: Promise<void>;
}

/** A dialog whose act fails, with or without a field in error. */
function Failing({ error, act }: FailingProps) {
  const [open, setOpen] = useState(true);
  const [busy, setBusy] = useState(false);
  const [shown, setShown] = useState<string>();
  return (
    <FormDialog
      isOpen={open}
      title="Things"
      width={300}
      busy={busy}
      onClose={() => setOpen(false)}
      onSubmit={() => {
        setBusy(true);
        void act.then(() => {
          setShown(error);
          setBusy(false);
        });
      }}
    >
      <TextField label="First" value="" onChange={() => undefined} />
      <TextField label="Second" value="" error={shown} onChange={() => undefined} />
    </FormDialog>
  );
}

describe('A dialog whose act has failed', () => {
  const failed = async (error?: string) => {
    let end: () => void = () => undefined;
    const acting = new Promise<void>((resolve) => (end = resolve));
    const { user } = await renderPortal(<Failing error={error} act={acting} />);
    // The first field gets the focus once the dialog has opened; a click before that would lose it.
    await waitFor(() => expect(screen.getByRole('textbox', { name: 'First' })).toHaveFocus());
    const save = screen.getByRole('button', { name: 'Save' });
    await user.click(save);
    await waitFor(() => expect(save).toBeDisabled());
    // A browser takes the focus from what is disabled.
    save.blur();
    end();
    await waitFor(() => expect(save).toBeEnabled());
    return { user, save };
  };

  it('gives the focus back to its button, and Escape still closes it', async () => {
    const { user, save } = await failed();
    await waitFor(() => expect(save).toHaveFocus());
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('gives the focus to the field in error', async () => {
    await failed('Not this');
    await waitFor(() => expect(screen.getByRole('textbox', { name: /Second/ })).toHaveFocus());
  });
});

describe('A dialog without a field', () => {
  const asked = async (intent: 'primary' | 'danger') => {
    const onConfirm = vi.fn();
    const { user } = await renderPortal(
      <ConfirmDialog
        isOpen
        intent={intent}
        title="Sure?"
        message="Are you?"
        onConfirm={onConfirm}
        onClose={() => undefined}
      />,
    );
    return { user, onConfirm };
  };

  it('is answered by Enter', async () => {
    const { user, onConfirm } = await asked('primary');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Yes' })).toHaveFocus());
    await user.keyboard('{Enter}');
    expect(onConfirm).toHaveBeenCalledOnce();
  });

  it('is not, where the answer can not be undone', async () => {
    await asked('danger');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Cancel' })).toHaveFocus());
  });
});

describe('A question that is closed', () => {
  function Asking() {
    const [asking, setAsking] = useState(false);
    return (
      <>
        <PageToolbar title="Things" />
        {asking ? null : <Button onClick={() => setAsking(true)}>Ask</Button>}
        <ConfirmDialog
          isOpen={asking}
          title="Sure?"
          message="Are you?"
          onConfirm={() => undefined}
          onClose={() => setAsking(false)}
        />
      </>
    );
  }

  it('leaves the focus at the title when what asked is gone', async () => {
    const { user } = await renderPortal(<Asking />);
    await user.click(screen.getByRole('button', { name: 'Ask' }));
    await screen.findByRole('dialog', { name: 'Sure?' });
    // It has the keys once it has the focus, a moment after it is seen.
    await waitFor(() => expect(document.body).not.toHaveFocus());
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(screen.getByRole('heading', { level: 1 })).toHaveFocus());
  });
});

describe('A dialog over a dialog', () => {
  function Nested() {
    const [open, setOpen] = useState<readonly string[]>([]);
    const close = () => setOpen(open.slice(0, -1));
    return (
      <>
        <Button onClick={() => setOpen(['Labels'])}>Print</Button>
        <FormDialog isOpen={open.includes('Labels')} title="Labels" width={300} onClose={close}>
          <Button onClick={() => setOpen(['Labels', 'Printer'])}>Add printer</Button>
        </FormDialog>
        <FormDialog isOpen={open.includes('Printer')} title="Printer" width={300} onClose={close}>
          <TextField label="Host" value="" onChange={() => undefined} />
        </FormDialog>
      </>
    );
  }

  it('gives the focus back to where it was, one by one', async () => {
    const { user } = await renderPortal(<Nested />);
    const print = screen.getByRole('button', { name: 'Print' });
    await user.click(print);
    const add = await screen.findByRole('button', { name: 'Add printer' });
    await waitFor(() => expect(screen.getAllByRole('button', { name: 'Close' })[1]).toHaveFocus());
    await user.click(add);
    await waitFor(() => expect(screen.getByRole('textbox', { name: 'Host' })).toHaveFocus());
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Printer' })).toBeNull());
    await waitFor(() => expect(add).toHaveFocus());
    await user.keyboard('{Escape}');
    await waitFor(() => expect(print).toHaveFocus());
  });
});

describe('Whoever works on while a dialog closes', () => {
  function Leaving() {
    const [open, setOpen] = useState(false);
    return (
      <>
        <Button onClick={() => setOpen(true)}>Ask</Button>
        <TextField label="Next" value="" onChange={() => undefined} />
        <FormDialog isOpen={open} title="Sure?" width={300} onClose={() => setOpen(false)} />
      </>
    );
  }

  it('stays where they are', async () => {
    const { user } = await renderPortal(<Leaving />);
    await user.click(screen.getByRole('button', { name: 'Ask' }));
    await waitFor(() => expect(screen.getAllByRole('button', { name: 'Close' })[1]).toHaveFocus());
    await user.keyboard('{Escape}');
    const next = screen.getByRole('textbox', { name: 'Next', hidden: true });
    next.focus();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(next).toHaveFocus();
  });
});
