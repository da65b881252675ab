import { screen, waitFor } from '@testing-library/react';
import { expect } from 'vitest';

interface Keyboard {
  keyboard: (keys: string) => Promise<void>;
}

/** Closes the open dialog by Escape, which it handles once it has the focus. */
export async function closeDialogByEscape(user: Keyboard): Promise<void> {
  await waitFor(() => expect(document.activeElement?.closest('.bp6-portal')).not.toBeNull());
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
}
