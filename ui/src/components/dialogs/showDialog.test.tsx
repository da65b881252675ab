import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';

import { showDialog } from './showDialog';

describe('A shown dialog', () => {
  // React reads the form once more after its handlers.
  it('stays until the handlers of its submitted form have run', async () => {
    let isConnected = false;
    showDialog((close) => (
      <form
        onSubmit={(event) => {
          event.preventDefault();
          close();
          isConnected = event.currentTarget.isConnected;
        }}
      >
        <button>Open here</button>
      </form>
    ));
    await userEvent.click(await screen.findByRole('button', { name: 'Open here' }));
    expect(isConnected).toBe(true);
    await waitFor(() => expect(screen.queryByRole('button')).toBeNull());
  });
});
