import { act } from '@testing-library/react';

type Timer = ReturnType<typeof setTimeout>;

interface Waiting {
  call: () => void;
  /** When it is due, in milliseconds of the timers' own time. */
  due: number;
}

interface Timers {
  /** Forgets everything that still waits for its time. */
  clear: () => void;
  /** Calls at once, in their order, what is due within so many milliseconds. */
  pass: (milliseconds: number) => void;
}

const KEY = Symbol.for('timers of the tests');

/** The timers of all files of a worker; they are counted from the first call on. */
export function sharedTimers(): Timers {
  const holder = globalThis as { [KEY]?: Timers };
  return (holder[KEY] ??= countTimers());
}

/**
 * Lets time pass without waiting for it: what was to come within so many milliseconds has come
 * afterwards, with the work that follows from it.
 */
export async function passTime(milliseconds: number): Promise<void> {
  await act(async () => {
    sharedTimers().pass(milliseconds);
    await Promise.resolve();
  });
}

function countTimers(): Timers {
  const { setTimeout: start, clearTimeout: stop } = globalThis;
  const waiting = new Map<Timer, Waiting>();
  let now = 0;
  const startCounted = (call: unknown, delay = 0, ...values: unknown[]): Timer => {
    const run = () => {
      waiting.delete(timer);
      if (typeof call === 'function') (call as (...values: unknown[]) => void)(...values);
    };
    const timer = start(run, delay);
    waiting.set(timer, { call: run, due: now + delay });
    return timer;
  };
  globalThis.setTimeout = Object.assign(startCounted as typeof setTimeout, start);
  globalThis.clearTimeout = (timer) => {
    if (typeof timer === 'object') waiting.delete(timer);
    stop(timer);
  };
  const nextWithin = (end: number): [Timer, Waiting] | undefined =>
    [...waiting].filter(([, { due }]) => due <= end).sort(([, a], [, b]) => a.due - b.due)[0];
  return {
    clear() {
      waiting.forEach((_, timer) => stop(timer));
      waiting.clear();
    },
    pass(milliseconds) {
      const begun = now;
      const end = begun + milliseconds;
      for (let next = nextWithin(end); next; next = nextWithin(end)) {
        const [timer, { call, due }] = next;
        stop(timer);
        now = Math.max(now, due);
        call();
      }
      now = begun;
    },
  };
}
