/**
 * The drafts that this window has left on the portal: whoever is signed out without having done it
 * is told that their work is not lost. In the first load, so without the forms.
 */
const kept = new Set<string>();

export const draftIsKept = (id: string): void => void kept.add(id);
export const draftIsDropped = (id: string): void => void kept.delete(id);

/** Whether there are any, once: the next person has none. */
export function takeKeptDrafts(): boolean {
  const any = kept.size > 0;
  kept.clear();
  return any;
}
