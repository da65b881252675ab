import { flushSync } from 'react-dom';

import { messages, say } from '../../contract';
import { toasts } from '../toasts';

/** Marks a field that adds to a list while it holds words that are not in the list yet. */
export const unentered = (text: string) =>
  text.trim() === '' ? {} : { 'data-unentered': text.trim() };

/** What is being added to the lists of this page: codes looked up, tests of a favorite loaded. */
const running = new Set<Promise<unknown>>();

/** Whoever saves waits for this; if it fails, which the one who began it says, nothing is saved. */
export function underWay<Result>(entry: Promise<Result>): Promise<Result> {
  running.add(entry);
  const ended = () => running.delete(entry);
  entry.then(ended, ended);
  return entry;
}

/** Waits until nothing is under way; whether all of it went well. */
async function waitForEntries(): Promise<boolean> {
  let well = true;
  while (running.size > 0) {
    const ended = await Promise.allSettled(running);
    well &&= ended.every(({ status }) => status === 'fulfilled');
  }
  return well;
}

/**
 * Whether something that was entered on this page is not in its list, after what is under way has
 * ended: whoever saves then would take it for part of what was saved. Says which words still stand
 * in a field and goes there. `reveal` opens the tab that the field is in.
 */
export async function refusesUnentered(reveal?: (field: HTMLElement) => void): Promise<boolean> {
  const well = await waitForEntries();
  const field = document.querySelector<HTMLInputElement>('input[data-unentered]');
  if (field === null) return !well;
  if (reveal) flushSync(() => reveal(field));
  field.focus();
  toasts.error(say(messages.ENTRY_NOT_ADDED, { text: field.dataset['unentered'] ?? '' }));
  return true;
}
