/**
 * Drafts that this window has stored on the portal. A user who is signed out without asking learns
 * from them that no work is lost. Kept apart from the forms to keep the first load small.
 */
const storedDrafts = new Set<string>();

export const noteStoredDraft = (id: string): void => void storedDrafts.add(id);
export const forgetStoredDraft = (id: string): void => void storedDrafts.delete(id);

/** Forgets all drafts and returns whether there were any, so that the next user hears of none. */
export function clearStoredDrafts(): boolean {
  const hadDrafts = storedDrafts.size > 0;
  storedDrafts.clear();
  return hadDrafts;
}
