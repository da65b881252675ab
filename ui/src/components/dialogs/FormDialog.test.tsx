import { Button } from '@blueprintjs/core';
import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';

import { closeDialogByEscape } from '../../test/dialogs';
import { renderPortal } from '../../test/render';
import { RadioField } from '../fields/SelectField';
import { TextField } from '../fields/TextField';
import { PageToolbar } from '../PageToolbar';
import { ConfirmDialog } from './ConfirmDialog';
import { FormDialog } from './FormDialog';

interface FailingProps {
  error: string | undefined;
  /** Resolves when the action has failed. */
  task: Promise<void>;
}

/** A dialog whose action fails, with or without a field error. */
function FailingDialog({ error, task }: FailingProps) {
  const [isOpen, setOpen] = useState(true);
  const [busy, setBusy] = useState(false);
  const [shownError, setShownError] = useState<string>();
  return (
    <FormDialog
      isOpen={isOpen}
      title="Things"
      width={300}
      busy={busy}
      onClose={() => setOpen(false)}
      onSubmit={() => {
        setBusy(true);
        void task.then(() => {
          setShownError(error);
          setBusy(false);
        });
      }}
    >
      <TextField label="First" value="" onChange={() => undefined} />
      <TextField label="Second" value="" error={shownError} onChange={() => undefined} />
    </FormDialog>
  );
}

describe('A dialog after a failed action', () => {
  const failAction = async (error?: string) => {
    let finish: () => void = () => undefined;
    const task = new Promise<void>((resolve) => (finish = resolve));
    const { user } = await renderPortal(<FailingDialog error={error} task={task} />);
    // The first field gets the focus once the dialog has opened; an earlier click would lose it.
    await waitFor(() => expect(screen.getByRole('textbox', { name: 'First' })).toHaveFocus());
    const save = screen.getByRole('button', { name: 'Save' });
    await user.click(save);
    await waitFor(() => expect(save).toBeDisabled());
    // A browser removes the focus from a disabled button.
    save.blur();
    finish();
    await waitFor(() => expect(save).toBeEnabled());
    return { user, save };
  };

  it('returns the focus to its button and still closes with Escape', async () => {
    const { user, save } = await failAction();
    await waitFor(() => expect(save).toHaveFocus());
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('moves the focus to the invalid field', async () => {
    await failAction('Not this');
    await waitFor(() => expect(screen.getByRole('textbox', { name: /Second/ })).toHaveFocus());
  });
});

describe('A dialog that begins with radio buttons', () => {
  it.each(['b', 'none'])('focuses the chosen one, or else the first: %s', async (value) => {
    await renderPortal(
      <FormDialog isOpen title="Things" width={300} onClose={() => undefined}>
        <RadioField
          label="Format"
          value={value}
          options={[
            { value: 'a', label: 'First' },
            { value: 'b', label: 'Second' },
          ]}
          onChange={() => undefined}
        />
      </FormDialog>,
    );
    const name = value === 'b' ? 'Second' : 'First';
    await waitFor(() => expect(screen.getByRole('radio', { name })).toHaveFocus());
  });
});

describe('Ctrl+S in a dialog', () => {
  it.each(['primary', 'danger'] as const)(
    'saves its fields, unless that cannot be undone: %s',
    async (intent) => {
      const onSubmit = vi.fn();
      const { user } = await renderPortal(
        <FormDialog
          isOpen
          title="Things"
          width={300}
          intent={intent}
          onSubmit={onSubmit}
          onClose={() => undefined}
        >
          <TextField label="First" value="" onChange={() => undefined} />
        </FormDialog>,
      );
      await waitFor(() => expect(screen.getByRole('textbox', { name: 'First' })).toHaveFocus());
      await user.keyboard('{Control>}s{/Control}');
      expect(onSubmit).toHaveBeenCalledTimes(intent === 'primary' ? 1 : 0);
    },
  );
});

describe('A dialog without fields', () => {
  const renderConfirmDialog = async (intent: 'primary' | 'danger') => {
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

  it('is confirmed by Enter', async () => {
    const { user, onConfirm } = await renderConfirmDialog('primary');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Yes' })).toHaveFocus());
    await user.keyboard('{Enter}');
    expect(onConfirm).toHaveBeenCalledOnce();
  });

  it('is not confirmed by Ctrl+S', async () => {
    const { user, onConfirm } = await renderConfirmDialog('primary');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Yes' })).toHaveFocus());
    await user.keyboard('{Control>}s{/Control}');
    expect(onConfirm).not.toHaveBeenCalled();
  });

  it('focuses Cancel when the action cannot be undone', async () => {
    await renderConfirmDialog('danger');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Cancel' })).toHaveFocus());
  });
});

describe('A closed question', () => {
  function QuestionScreen() {
    const [isAsking, setIsAsking] = useState(false);
    return (
      <>
        <PageToolbar title="Things" />
        {isAsking ? null : <Button onClick={() => setIsAsking(true)}>Ask</Button>}
        <ConfirmDialog
          isOpen={isAsking}
          title="Sure?"
          message="Are you?"
          onConfirm={() => undefined}
          onClose={() => setIsAsking(false)}
        />
      </>
    );
  }

  it('moves the focus to the title when its opener is gone', async () => {
    const { user } = await renderPortal(<QuestionScreen />);
    await user.click(screen.getByRole('button', { name: 'Ask' }));
    await screen.findByRole('dialog', { name: 'Sure?' });
    await closeDialogByEscape(user);
    await waitFor(() => expect(screen.getByRole('heading', { level: 1 })).toHaveFocus());
  });
});

describe('A dialog that loads what it edits', () => {
  /** Two dialogs in turn, as while and after loading. */
  function LoadingScreen() {
    const [step, setStep] = useState<'closed' | 'loading' | 'loaded'>('closed');
    const close = () => setStep('closed');
    return (
      <>
        <PageToolbar title="Things" />
        <Button onClick={() => setStep('loading')}>Add</Button>
        {step === 'loading' ? (
          <div>
            <FormDialog isOpen title="Loading" width={300} onClose={close}>
              <Button onClick={() => setStep('loaded')}>Finish</Button>
            </FormDialog>
          </div>
        ) : null}
        {step === 'loaded' ? (
          <FormDialog isOpen title="Loaded" width={300} onClose={close}>
            <TextField label="First" value="" onChange={() => undefined} />
          </FormDialog>
        ) : null}
      </>
    );
  }

  it('returns the focus to its button', async () => {
    const { user } = await renderPortal(<LoadingScreen />);
    await user.click(screen.getByRole('button', { name: 'Add' }));
    await user.click(await screen.findByRole('button', { name: 'Finish' }));
    await waitFor(() => expect(screen.getByRole('textbox', { name: 'First' })).toHaveFocus());
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(screen.getByRole('button', { name: 'Add' })).toHaveFocus());
  });
});

describe('Nested dialogs', () => {
  function NestedDialogs() {
    const [openDialogs, setOpenDialogs] = useState<readonly string[]>([]);
    const close = () => setOpenDialogs(openDialogs.slice(0, -1));
    return (
      <>
        <Button onClick={() => setOpenDialogs(['Labels'])}>Print</Button>
        <FormDialog
          isOpen={openDialogs.includes('Labels')}
          title="Labels"
          width={300}
          onClose={close}
        >
          <Button onClick={() => setOpenDialogs(['Labels', 'Printer'])}>Add printer</Button>
        </FormDialog>
        <FormDialog
          isOpen={openDialogs.includes('Printer')}
          title="Printer"
          width={300}
          onClose={close}
        >
          <TextField label="Host" value="" onChange={() => undefined} />
        </FormDialog>
      </>
    );
  }

  it('return the focus step by step', async () => {
    const { user } = await renderPortal(<NestedDialogs />);
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

describe('Working on while a dialog closes', () => {
  function DialogWithField() {
    const [isOpen, setOpen] = useState(false);
    return (
      <>
        <Button onClick={() => setOpen(true)}>Ask</Button>
        <TextField label="Next" value="" onChange={() => undefined} />
        <FormDialog isOpen={isOpen} title="Sure?" width={300} onClose={() => setOpen(false)} />
      </>
    );
  }

  it('keeps the focus where the user moved it', async () => {
    const { user } = await renderPortal(<DialogWithField />);
    await user.click(screen.getByRole('button', { name: 'Ask' }));
    await waitFor(() => expect(screen.getAllByRole('button', { name: 'Close' })[1]).toHaveFocus());
    await user.keyboard('{Escape}');
    const next = screen.getByRole('textbox', { name: 'Next', hidden: true });
    next.focus();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(next).toHaveFocus();
  });
});
