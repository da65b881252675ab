/**
 * Drafts that this window has stored on the portal. After an involuntary sign-out, the sign-in page
 * uses them to say that no work is lost. This module imports no form, so that the first load stays
 * small.
 */
const storedDrafts = new Set<string>();

export const noteStoredDraft = (id: string): void => void storedDrafts.add(id);
export const forgetStoredDraft = (id: string): void => void storedDrafts.delete(id);

/**
 * Forgets all drafts, so that the next user sees no message about them. Returns whether there were
 * any.
 */
export function clearStoredDrafts(): boolean {
  const hadDrafts = storedDrafts.size > 0;
  storedDrafts.clear();
  return hadDrafts;
}
