import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';

import { TextField } from './TextField';

function NameField() {
  const [name, setName] = useState('');
  return <TextField label="Last Name" upper value={name} onChange={setName} />;
}

it('keeps the caret behind a letter that becomes two in upper case', async () => {
  render(<NameField />);
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Last Name' });
  await userEvent.type(field, 'großmann');
  expect(field).toHaveValue('GROSSMANN');
  await userEvent.type(field, 'ß', { initialSelectionStart: 1, initialSelectionEnd: 2 });
  expect(field).toHaveValue('GSSOSSMANN');
  expect(field.selectionStart).toBe(3);
});
