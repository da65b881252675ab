/** The address to return to after the next login. */
export interface RememberedPath {
  path: string;
  /** Whose session ended there; null if nobody was signed in. */
  userId: string | null;
}

/** Kept in memory only (P 4). */
let remembered: RememberedPath | null = null;

export function rememberPath(path: string, userId: string | null): void {
  remembered = { path, userId };
}

/** Returns the remembered address and forgets it. */
export function consumeRememberedPath(): RememberedPath | null {
  const consumed = remembered;
  remembered = null;
  return consumed;
}

/** Returns where this user continues; null if the address was another user's. */
export function findReturnPath(target: RememberedPath | null, userId: string): string | null {
  return target !== null && [null, userId].includes(target.userId) ? target.path : null;
}
