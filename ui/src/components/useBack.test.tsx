import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { createBrowserRouter, RouterProvider, useNavigate } from 'react-router';
import { afterEach, describe, expect, it } from 'vitest';

import { useBack } from './useBack';

function Page() {
  const navigate = useNavigate();
  const back = useBack('/start');
  return (
    <>
      <button onClick={() => void navigate('/record?version=2', { replace: true })}>Replace</button>
      <button onClick={() => void navigate('/next')}>Go on</button>
      <button onClick={back}>Back</button>
    </>
  );
}

const initialState = window.history.state as unknown;
const initialUrl = window.location.href;

afterEach(() => window.history.replaceState(initialState, '', initialUrl));

/** Opens the page as in a new tab. Returns a function that presses its buttons. */
function openAt(path: string) {
  window.history.replaceState(null, '', path);
  render(<RouterProvider router={createBrowserRouter([{ path: '*', Component: Page }])} />);
  const user = userEvent.setup();
  return async (name: string) => user.click(await screen.findByRole('button', { name }));
}

const getPath = () => window.location.pathname;

describe('Back', () => {
  it('leads from the first page of a window to the start page', async () => {
    const press = openAt('/record');
    await press('Back');
    expect(getPath()).toBe('/start');
  });

  it('stays in the portal when the first page has replaced its address', async () => {
    const press = openAt('/record');
    await press('Replace');
    await press('Back');
    expect(getPath()).toBe('/start');
  });

  it('leads to the previous page', async () => {
    const press = openAt('/record');
    await press('Go on');
    expect(getPath()).toBe('/next');
    const navigation = new Promise((resolve) => {
      window.addEventListener('popstate', resolve, { once: true });
    });
    await press('Back');
    await navigation;
    expect(getPath()).toBe('/record');
  });
});
