type Timer = ReturnType<typeof setTimeout>;

interface Timers {
  /** Forgets everything that still waits for its time. */
  clear: () => void;
}

const KEY = Symbol.for('timers of the tests');

/** The timers of all files of a worker; they are counted from the first call on. */
export function sharedTimers(): Timers {
  const holder = globalThis as { [KEY]?: Timers };
  return (holder[KEY] ??= countTimers());
}

function countTimers(): Timers {
  const { setTimeout: start, clearTimeout: stop } = globalThis;
  const waiting = new Set<Timer>();
  globalThis.setTimeout = Object.assign((...values: Parameters<typeof setTimeout>) => {
    const timer = start(...values);
    waiting.add(timer);
    return timer;
  }, start);
  globalThis.clearTimeout = (timer) => {
    if (typeof timer === 'object') waiting.delete(timer);
    stop(timer);
  };
  return {
    clear() {
      waiting.forEach(stop);
      waiting.clear();
    },
  };
}
