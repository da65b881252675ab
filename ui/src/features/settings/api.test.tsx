import { useQueryClient } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';

import { capabilities, renderPortal } from '../../test/render';
import { useLab } from './api';

it('keeps the lab while the portal is out of reach', async () => {
  function Title() {
    const lab = useLab();
    const queries = useQueryClient();
    const [isAsked, setIsAsked] = useState(false);
    const ask = async () => {
      await queries.refetchQueries({ queryKey: ['lab'] });
      setIsAsked(true);
    };
    return (
      <button onClick={() => void ask()}>
        {lab?.title ?? 'No lab'}, {isAsked ? 'asked' : 'not asked'}
      </button>
    );
  }
  const { user } = await renderPortal(<Title />, {
    answers: { 'GET /capabilities': { ...capabilities, host: 'desktop', lab: null } },
  });
  await user.click(screen.getByRole('button', { name: 'Lakeside Lab, not asked' }));
  expect(await screen.findByRole('button', { name: 'Lakeside Lab, asked' })).toBeVisible();
});
