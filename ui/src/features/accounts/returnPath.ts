/** The address to return to after the next login; kept in memory only (P 4). */
let rememberedPath: string | null = null;

export function rememberPath(path: string): void {
  rememberedPath = path;
}

/** Returns the remembered address and forgets it. */
export function consumeRememberedPath(): string | null {
  const path = rememberedPath;
  rememberedPath = null;
  return path;
}
