import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { renderPortal } from '../../test/render';
import { TopMenu } from './MainMenu';

const groups = [
  { label: 'Results', items: [{ label: 'Order Search', path: '/secured/results/lab' }] },
];
const results = () => screen.getByRole('button', { name: 'Results' });
const isOpen = () => results().getAttribute('aria-expanded') === 'true';

describe('A dropdown of the main menu', () => {
  it('opens on hover, stays open on a click, and closes on the next', async () => {
    const { user } = await renderPortal(<TopMenu groups={groups} path="/" />);
    await user.hover(results());
    expect(isOpen()).toBe(true);
    await user.click(results());
    expect(isOpen()).toBe(true);
    await user.unhover(results());
    expect(isOpen()).toBe(true);
    await user.click(results());
    expect(isOpen()).toBe(false);
  });

  it('closes when the pointer leaves a group that it opened', async () => {
    const { user } = await renderPortal(<TopMenu groups={groups} path="/" />);
    await user.hover(results());
    expect(isOpen()).toBe(true);
    await user.unhover(results());
    expect(isOpen()).toBe(false);
  });
});
