/** The address a person was sent away from; kept in memory, restored after the next login (P 4). */
let remembered: string | null = null;

export function rememberPath(path: string): void {
  remembered = path;
}

/** The remembered address, once. */
export function takeRememberedPath(): string | null {
  const path = remembered;
  remembered = null;
  return path;
}
