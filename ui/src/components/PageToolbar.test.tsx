import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';

import { renderPortal } from '../test/render';
import { TickIcon } from './icons';
import { PageToolbar } from './PageToolbar';

function Screen({ work }: { work: Promise<void> }) {
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
            void work.then(() => setLoading(false));
          },
        },
      ]}
    />
  );
}

describe('An action of the toolbar', () => {
  it('has the focus again after it has worked', async () => {
    let finish: () => void = () => undefined;
    const work = new Promise<void>((resolve) => (finish = resolve));
    const { user } = await renderPortal(<Screen work={work} />);
    const save = screen.getByRole('button', { name: 'Save' });
    save.focus();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(save).toBeDisabled());
    // A browser takes the focus from what is disabled.
    save.blur();
    finish();
    await waitFor(() => expect(save).toHaveFocus());
  });
});
