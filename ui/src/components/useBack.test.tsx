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

const begun = window.history.state as unknown;
const outside = window.location.href;

afterEach(() => window.history.replaceState(begun, '', outside));

/** The page as a new tab opens it; returns what presses its buttons. */
function openAt(path: string) {
  window.history.replaceState(null, '', path);
  render(<RouterProvider router={createBrowserRouter([{ path: '*', Component: Page }])} />);
  const user = userEvent.setup();
  return async (name: string) => user.click(await screen.findByRole('button', { name }));
}

const at = () => window.location.pathname;

describe('Back', () => {
  it('leads from the first page of a window to the start', async () => {
    const press = openAt('/record');
    await press('Back');
    expect(at()).toBe('/start');
  });

  it('stays within the portal when the first page has replaced its address', async () => {
    const press = openAt('/record');
    await press('Replace');
    await press('Back');
    expect(at()).toBe('/start');
  });

  it('leads to the page before where there is one', async () => {
    const press = openAt('/record');
    await press('Go on');
    expect(at()).toBe('/next');
    const arrived = new Promise((resolve) => {
      window.addEventListener('popstate', resolve, { once: true });
    });
    await press('Back');
    await arrived;
    expect(at()).toBe('/record');
  });
});
