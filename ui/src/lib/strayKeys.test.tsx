import { Button } from '@blueprintjs/core';
import { fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { ignoreStrayKeys } from './strayKeys';

let stop: () => void;
beforeEach(() => {
  stop = ignoreStrayKeys(window);
});
afterEach(() => stop());

function renderButtons() {
  const handleClick = vi.fn();
  render(
    <>
      <Button onClick={handleClick}>Open</Button>
      <input aria-label="Field" />
    </>,
  );
  return { handleClick, button: screen.getByRole('button'), field: screen.getByRole('textbox') };
}

describe('A button', () => {
  it.each(['Enter', ' '])('ignores the release of a key pressed elsewhere: %j', (key) => {
    const { handleClick, button, field } = renderButtons();
    fireEvent.keyDown(field, { key });
    fireEvent.keyUp(button, { key });
    expect(handleClick).not.toHaveBeenCalled();
  });

  it.each(['Enter', ' '])('is pressed by a key, even if the key is held: %j', (key) => {
    const { handleClick, button } = renderButtons();
    fireEvent.keyDown(button, { key });
    fireEvent.keyDown(button, { key, repeat: true });
    fireEvent.keyUp(button, { key });
    expect(handleClick).toHaveBeenCalledOnce();
  });

  it('can be pressed after an ignored release', () => {
    const { handleClick, button, field } = renderButtons();
    fireEvent.keyDown(field, { key: 'Enter' });
    fireEvent.keyUp(button, { key: 'Enter' });
    fireEvent.keyDown(button, { key: 'Enter' });
    fireEvent.keyUp(button, { key: 'Enter' });
    expect(handleClick).toHaveBeenCalledOnce();
  });
});

describe('A row', () => {
  function renderRow() {
    const open = vi.fn();
    render(
      <>
        <ul>
          <li />
        </ul>
        <input aria-label="Field" />
      </>,
    );
    const row = screen.getByRole('listitem');
    row.addEventListener('keydown', open);
    return { open, row, field: screen.getByRole('textbox') };
  }

  it('does not open by a key that was pressed elsewhere and is still held', () => {
    const { open, row, field } = renderRow();
    fireEvent.keyDown(field, { key: 'Enter' });
    expect(fireEvent.keyDown(row, { key: 'Enter', repeat: true })).toBe(false);
    expect(open).not.toHaveBeenCalled();
  });

  it('opens by the next press', () => {
    const { open, row, field } = renderRow();
    fireEvent.keyDown(field, { key: 'Enter' });
    fireEvent.keyUp(row, { key: 'Enter' });
    fireEvent.keyDown(row, { key: 'Enter' });
    expect(open).toHaveBeenCalledOnce();
  });
});
