import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';

import { renderPortal } from '../test/render';
import { TickIcon } from './icons';
import { PageToolbar } from './PageToolbar';

function Screen() {
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
            setTimeout(() => setLoading(false), 50);
          },
        },
      ]}
    />
  );
}

describe('An action of the toolbar', () => {
  it('has the focus again after it has worked', async () => {
    const { user } = await renderPortal(<Screen />);
    const save = screen.getByRole('button', { name: 'Save' });
    save.focus();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(save).toBeDisabled());
    // A browser takes the focus from what is disabled.
    save.blur();
    await waitFor(() => expect(save).toHaveFocus());
  });
});
