import { messages, say } from '../../contract';
import { toasts } from '../toasts';

/** Marks a field that adds to a list while it holds words that are not in the list yet. */
export const unentered = (text: string) =>
  text.trim() === '' ? {} : { 'data-unentered': text.trim() };

/**
 * Whether words still stand in such a field of this page; says so and goes there. Whoever saves
 * then would take them for part of what was saved. `reveal` opens the tab that the field is in.
 */
export function refusesUnentered(reveal?: (field: HTMLElement) => void): boolean {
  const field = document.querySelector<HTMLInputElement>('input[data-unentered]');
  if (field === null) return false;
  reveal?.(field);
  setTimeout(() => field.focus());
  toasts.error(say(messages.ENTRY_NOT_ADDED, { text: field.dataset['unentered'] ?? '' }));
  return true;
}
