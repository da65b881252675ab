import { useSyncExternalStore } from 'react';

const CHECK_EVERY_MS = 5_000;

let isLost = false;
/** Why the portal cannot be reached, according to the desktop's sidecar; null in browsers. */
let problem: string | null = null;
let isChecking = false;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function setLost(value: boolean): void {
  if (value === isLost) return;
  isLost = value;
  updateTimer();
  notify();
}

function notify(): void {
  for (const listener of listeners) listener();
}

/** Runs the periodic check while the portal is lost and a component shows that; else stops it. */
function updateTimer(): void {
  clearInterval(timer);
  timer = isLost && listeners.size > 0 ? setInterval(check, CHECK_EVERY_MS) : undefined;
}

interface Answer {
  lab: unknown;
  portal?: { problem: string | null };
}

/** Whether the portal answers. If it does not, the desktop's sidecar answers with `lab: null`. */
export async function isAnswering(): Promise<boolean> {
  try {
    const response = await fetch('/capabilities', { cache: 'no-store' });
    const answer = (await response.json()) as Answer;
    problem = answer.portal?.problem ?? null;
    return response.ok && answer.lab !== null;
  } catch {
    problem = null;
    return false;
  }
}

function check(): void {
  if (isChecking) return;
  isChecking = true;
  const previous = problem;
  void isAnswering().then((isReachable) => {
    isChecking = false;
    setLost(!isReachable);
    if (problem !== previous) notify();
  });
}

/** Records that the portal has answered a call. */
export const reportAnswer = (): void => setLost(false);

/** Checks the connection after a call got no answer, since the portal may still be reachable. */
export const reportNoAnswer = (): void => {
  if (!isLost) check();
};

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (listeners.size === 1) {
    window.addEventListener('offline', check);
    window.addEventListener('online', check);
    if (!navigator.onLine) check();
  }
  updateTimer();
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      window.removeEventListener('offline', check);
      window.removeEventListener('online', check);
    }
    updateTimer();
  };
}

/** Whether the portal cannot be reached now. */
export const useIsPortalLost = (): boolean => useSyncExternalStore(subscribe, () => isLost);

/** Why the portal is lost, if the host knows it. */
export const usePortalProblem = (): string | null =>
  useSyncExternalStore(subscribe, () => (isLost ? problem : null));
