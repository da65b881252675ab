/** Locks shared by all tabs of this browser. */

/** Runs `task` while no other tab, and no other task of this page, holds the lock `name`. */
export async function runExclusively<T>(name: string, task: () => Promise<T>): Promise<T> {
  // Browsers without a secure context have no locks; there, the last task to end decides.
  if (!('locks' in navigator)) return task();
  return navigator.locks.request(name, task) as Promise<T>;
}
