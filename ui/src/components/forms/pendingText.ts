import { flushSync } from 'react-dom';

import { messages, say } from '../../contract';
import { toasts } from '../toasts';

/** Marks a field whose text is not in the field's list yet. */
export const markPendingText = (text: string) =>
  text.trim() === '' ? {} : { 'data-pending-text': text.trim() };

/** Additions in progress on this page, such as lookups of codes. */
const pendingAdditions = new Set<Promise<unknown>>();

/**
 * Tracks an addition, so that saving waits for it. If it fails, its caller shows the reason, and
 * nothing is saved.
 */
export function trackAddition<Result>(addition: Promise<Result>): Promise<Result> {
  pendingAdditions.add(addition);
  const remove = () => pendingAdditions.delete(addition);
  addition.then(remove, remove);
  return addition;
}

/** Waits until no addition is in progress. Returns whether all succeeded. */
async function waitForAdditions(): Promise<boolean> {
  let hasSucceeded = true;
  while (pendingAdditions.size > 0) {
    const outcomes = await Promise.allSettled(pendingAdditions);
    hasSucceeded &&= outcomes.every(({ status }) => status === 'fulfilled');
  }
  return hasSucceeded;
}

/**
 * Waits for additions in progress, then returns whether a field on this page has text that is not in
 * its list. Saving must stop then, because the user would believe that the text was saved. Focuses
 * the field, and a toast says its name and text. `reveal` opens the tab of that field.
 */
export async function hasPendingText(reveal?: (field: HTMLElement) => void): Promise<boolean> {
  const hasSucceeded = await waitForAdditions();
  const field = document.querySelector<HTMLInputElement>('input[data-pending-text]');
  if (field === null) return !hasSucceeded;
  if (reveal) flushSync(() => reveal(field));
  field.focus();
  const text = field.dataset['pendingText'] ?? '';
  const label = field.labels?.[0]?.textContent.replace('*', '').trim() ?? '';
  toasts.error(say(messages.ENTRY_NOT_ADDED, { field: label, text }));
  return true;
}
