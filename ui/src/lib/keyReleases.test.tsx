import { Button } from '@blueprintjs/core';
import { fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { ignoreStrayKeyReleases } from './keyReleases';

let stop: () => void;
beforeEach(() => {
  stop = ignoreStrayKeyReleases(window);
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

  it('can be pressed again after such a release', () => {
    const { handleClick, button, field } = renderButtons();
    fireEvent.keyDown(field, { key: 'Enter' });
    fireEvent.keyUp(button, { key: 'Enter' });
    fireEvent.keyDown(button, { key: 'Enter' });
    fireEvent.keyUp(button, { key: 'Enter' });
    expect(handleClick).toHaveBeenCalledOnce();
  });
});
