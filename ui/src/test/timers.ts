import { act } from '@testing-library/react';

type Timer = ReturnType<typeof setTimeout>;

interface PendingTimer {
  call: () => void;
  /** When it is due, in milliseconds of the fake clock. */
  due: number;
}

interface Timers {
  /** Drops all pending timers. */
  clear: () => void;
  /**
   * Runs the timers that are due within this time, at once and in order. Each call measures from
   * the time at which a timer was set, not from the end of the call before.
   */
  pass: (milliseconds: number) => void;
}

const KEY = Symbol.for('timers of the tests');

/** Returns the timers shared by all files of a worker; tracking starts with the first call. */
export function getSharedTimers(): Timers {
  const holder = globalThis as { [KEY]?: Timers };
  return (holder[KEY] ??= trackTimers());
}

/**
 * Advances the clock without waiting: runs the timers due within this time and the work that
 * follows from them.
 */
export async function passTime(milliseconds: number): Promise<void> {
  await act(async () => {
    getSharedTimers().pass(milliseconds);
    await Promise.resolve();
  });
}

function trackTimers(): Timers {
  const { setTimeout: originalSet, clearTimeout: originalClear } = globalThis;
  const pendingTimers = new Map<Timer, PendingTimer>();
  let now = 0;
  const setTracked = (call: unknown, delay = 0, ...values: unknown[]): Timer => {
    const run = () => {
      pendingTimers.delete(timer);
      if (typeof call === 'function') (call as (...values: unknown[]) => void)(...values);
    };
    const timer = originalSet(run, delay);
    pendingTimers.set(timer, { call: run, due: now + delay });
    return timer;
  };
  globalThis.setTimeout = Object.assign(setTracked as typeof setTimeout, originalSet);
  globalThis.clearTimeout = (timer) => {
    if (typeof timer === 'object') pendingTimers.delete(timer);
    originalClear(timer);
  };
  const findNext = (end: number): [Timer, PendingTimer] | undefined =>
    [...pendingTimers].filter(([, { due }]) => due <= end).sort(([, a], [, b]) => a.due - b.due)[0];
  return {
    clear() {
      pendingTimers.forEach((_, timer) => originalClear(timer));
      pendingTimers.clear();
    },
    pass(milliseconds) {
      const start = now;
      const end = start + milliseconds;
      for (let next = findNext(end); next; next = findNext(end)) {
        const [timer, { call, due }] = next;
        originalClear(timer);
        now = Math.max(now, due);
        call();
      }
      now = start;
    },
  };
}
