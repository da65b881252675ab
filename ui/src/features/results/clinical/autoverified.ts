import { messages, say } from '../../../contract';
import type { AutoverifiedResult } from './api';

/**
 * Says which results of a save were released automatically, and which wait and why; null for none.
 */
export function describeAutoverified(results: readonly AutoverifiedResult[]): {
  released: string | null;
  waiting: string | null;
} {
  const released = results.filter(({ reason }) => reason === null);
  const waiting = results.filter(({ reason }) => reason !== null);
  return {
    released:
      released.length === 0
        ? null
        : say(messages.AUTOVERIFIED, {
            results: released.map(({ name, result }) => `${name} ${result}`).join(', '),
          }),
    waiting:
      waiting.length === 0
        ? null
        : say(messages.AUTOVERIFIED_WAITING, {
            results: waiting
              .map(({ name, result, reason }) => `${name} ${result} (${reason})`)
              .join(', '),
          }),
  };
}
