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
});
