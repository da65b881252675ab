import { flushSync } from 'react-dom';

import { messages, say } from '../../contract';
import { toasts } from '../toasts';

/** Marks a field that adds to a list while its text is not in the list yet. */
export const markUnentered = (text: string) =>
  text.trim() === '' ? {} : { 'data-unentered': text.trim() };

/** Entries in progress on this page: codes being looked up, tests of a favorite being loaded. */
const pendingEntries = new Set<Promise<unknown>>();

/**
 * Tracks an entry, so that saving waits for it. If it fails, its caller explains why and nothing is
 * saved.
 */
export function trackEntry<Result>(entry: Promise<Result>): Promise<Result> {
  pendingEntries.add(entry);
  const remove = () => pendingEntries.delete(entry);
  entry.then(remove, remove);
  return entry;
}

/** Waits until no entry is in progress. Returns whether all succeeded. */
async function waitForEntries(): Promise<boolean> {
  let hasSucceeded = true;
  while (pendingEntries.size > 0) {
    const outcomes = await Promise.allSettled(pendingEntries);
    hasSucceeded &&= outcomes.every(({ status }) => status === 'fulfilled');
  }
  return hasSucceeded;
}

/**
 * Waits for entries in progress, then returns whether text on this page is still missing from its
 * list. Saving must stop then, because the user would take the text for saved. Names the text and
 * focuses its field. `reveal` opens the tab of that field.
 */
export async function hasUnenteredText(reveal?: (field: HTMLElement) => void): Promise<boolean> {
  const hasSucceeded = await waitForEntries();
  const field = document.querySelector<HTMLInputElement>('input[data-unentered]');
  if (field === null) return !hasSucceeded;
  if (reveal) flushSync(() => reveal(field));
  field.focus();
  toasts.error(say(messages.ENTRY_NOT_ADDED, { text: field.dataset['unentered'] ?? '' }));
  return true;
}
