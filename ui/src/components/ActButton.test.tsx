import { render, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';

import { ActButton } from './ActButton';
import { TickIcon } from './icons';

describe('The button of an act', () => {
  it('shows that it runs, does nothing meanwhile, and stays within reach of the keyboard', () => {
    const consoleError = vi.spyOn(console, 'error');
    const onClick = vi.fn();
    render(
      <ActButton icon={<TickIcon />} isRunning onClick={onClick}>
        Save
      </ActButton>,
    );
    const button = screen.getByRole('button', { name: 'Save' });
    button.click();
    expect(onClick).not.toHaveBeenCalled();
    expect(button).toHaveAttribute('aria-busy', 'true');
    expect(button.tabIndex).toBe(0);
    expect(screen.getByRole('progressbar')).toBeVisible();
    expect(consoleError).not.toHaveBeenCalled();
  });
});
