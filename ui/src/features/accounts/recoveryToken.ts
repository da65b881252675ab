/** Browsers send nothing after '#', so no server and no log has the token (ADR 58). */
const TOKEN = /^#token=(.+)$/;

/** Returns the secret of a mailed link from the address's hash; null without one. */
export const findRecoveryToken = (hash: string): string | null => TOKEN.exec(hash)?.[1] ?? null;
