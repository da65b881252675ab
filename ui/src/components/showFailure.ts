import { describeError, explainError } from '../api';
import { messages } from '../contract';
import { hasUnsavedChanges } from './unsavedChanges';
import { toasts } from './toasts';

/**
 * Shows the sentence of P 8 for a failed request. An unexpected status opens the dialog 'Critical
 * Error', which reloads the page, but never while a form has unsaved changes (DECISIONS).
 * @param isExplained whether the screen itself explains the errors for which `explainError` returns null
 * @param isReloaded whether the caller reloads a record that has changed meanwhile
 */
export function showFailure(
  error: unknown,
  { isExplained, isReloaded }: { isExplained: boolean; isReloaded?: boolean },
): void {
  const sentence = isExplained ? explainError(error) : describeError(error, isReloaded);
  if (sentence === null) return;
  if (sentence !== messages.CRITICAL_ERROR || hasUnsavedChanges()) {
    toasts.error(sentence);
    return;
  }
  // Loaded on demand: the sign-in page should not load the code of dialogs.
  void import('./CriticalDialog').then(
    ({ showCriticalDialog }) => showCriticalDialog(),
    () => toasts.error(sentence),
  );
}
