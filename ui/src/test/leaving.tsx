import { act, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { expect } from 'vitest';

import type { renderPortal } from './render';

const ELSEWHERE = '/elsewhere';

/** Shows a screen until the user goes elsewhere. */
export function LeavingScreen({ children }: { children: ReactNode }) {
  return useLocation().pathname === ELSEWHERE ? <p>Another screen</p> : children;
}

/** Leaves the screen within `LeavingScreen`, and returns by the browser's Back. */
export async function leaveAndReturn({
  router,
}: Pick<Awaited<ReturnType<typeof renderPortal>>, 'router'>): Promise<void> {
  await act(() => router.navigate(ELSEWHERE));
  expect(screen.getByText('Another screen')).toBeVisible();
  await act(() => router.navigate(-1));
}
