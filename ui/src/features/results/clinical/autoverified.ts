import { messages, say } from '../../../contract';
import type { AutoverifiedResult } from './api';

/**
 * Says which results of a save were released automatically, and which wait and why; null for none.
 */
export function describeAutoverified(results: readonly AutoverifiedResult[]): {
  releasedText: string | null;
  waiting: string | null;
} {
  const releasedResults = results.filter(({ reason }) => reason === null);
  const waitingResults = results.filter(({ reason }) => reason !== null);
  return {
    releasedText:
      releasedResults.length === 0
        ? null
        : say(messages.AUTOVERIFIED, {
            results: releasedResults.map(({ name, result }) => `${name} ${result}`).join(', '),
          }),
    waiting:
      waitingResults.length === 0
        ? null
        : say(messages.AUTOVERIFIED_WAITING, {
            results: waitingResults
              .map(({ name, result, reason }) => `${name} ${result} (${reason})`)
              .join(', '),
          }),
  };
}
