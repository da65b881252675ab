import { screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';

import { renderPortal } from '../test/render';
import { ChosenList } from './ChosenList';

function LetterList() {
  const [items, setItems] = useState(['A', 'B', 'C']);
  return (
    <ChosenList
      label="Letters"
      items={items}
      getItemKey={(item) => item}
      getItemName={(item) => item}
      render={(item) => item}
      empty="None"
      onRemove={(item) => setItems(items.filter((letter) => letter !== item))}
    />
  );
}

it('keeps the keyboard focus in place after a removal', async () => {
  const { user } = await renderPortal(<LetterList />);
  screen.getByRole('button', { name: 'Remove B' }).focus();
  await user.keyboard('{Enter}');
  expect(screen.getByRole('button', { name: 'Remove C' })).toHaveFocus();
  await user.keyboard('{Enter}');
  expect(screen.getByRole('button', { name: 'Remove A' })).toHaveFocus();
  await user.keyboard('{Enter}');
  expect(screen.getByText('None').parentElement).toHaveFocus();
});
