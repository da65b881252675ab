/** The address to return to after the next login. */
export interface RememberedPath {
  path: string;
  /** The user whose session ended there; null if nobody was signed in. */
  userId: string | null;
}

const STORAGE_KEY = 'portal.returnPath';

/**
 * The sign-in page may reload before anybody signs in: for a new version, or because the browser
 * discarded the tab. The tab's storage survives that. An address identifies no patient.
 */
export function rememberPath(path: string, userId: string | null): void {
  const rememberedPath: RememberedPath = { path, userId };
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(rememberedPath));
  } catch {
    // Without storage, the next login leads to the home screen.
  }
}

/** Returns the remembered address. */
export function findRememberedPath(): RememberedPath | null {
  try {
    return JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null') as RememberedPath | null;
  } catch {
    return null;
  }
}

export function forgetPath(): void {
  try {
    sessionStorage.removeItem(STORAGE_KEY);
  } catch {
    // Without storage, there is no address to forget.
  }
}

/** Returns where this user continues; null if the address was another user's. */
export function findReturnPath(target: RememberedPath | null, userId: string): string | null {
  return target !== null && [null, userId].includes(target.userId) ? target.path : null;
}
