import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import { isGone, isStale, mintIdempotencyKey } from '../api';
import { toStableJson } from '../lib/equality';
import { showFailure } from './showFailure';

interface WriteOptions<Body, Answer> {
  /** Sends the command with the idempotency key of its body. */
  send: (body: Body, idempotencyKey: string) => Promise<Answer>;
  /** Returns what distinguishes one body from another, if not its content. */
  identify?: (body: Body) => unknown;
  onDone?: (answer: Answer, body: Body) => unknown;
  /** Explains a failure in the caller's own place or words. Return false to show a toast. */
  explain?: (error: unknown, body: Body) => boolean;
  /**
   * Reloads records after the user was notified: one has changed since it was loaded, or the user no
   * longer sees it.
   */
  onStale?: (error: unknown) => void;
}

/** The idempotency keys of commands that have not succeeded yet. */
class PendingKeys {
  private readonly keys = new Map<string, string>();

  claimKey(body: string): string {
    const key = this.keys.get(body) ?? mintIdempotencyKey();
    this.keys.set(body, key);
    return key;
  }

  releaseKey(body: string): void {
    this.keys.delete(body);
  }
}

/**
 * Sends one command to the portal. Its idempotency key follows the body: repeating the same body
 * after a lost answer is the same act; another body, or the same one after success, is a new act.
 * Failures are shown here unless `explain` handles them.
 */
export function useWrite<Body, Answer>(options: WriteOptions<Body, Answer>) {
  const [pendingKeys] = useState(() => new PendingKeys());
  const serializeBody = (body: Body) => toStableJson(options.identify?.(body) ?? body) ?? '';
  const mutation = useMutation({
    mutationFn: async (body: Body) => {
      const bodyText = serializeBody(body);
      const answer = await options.send(body, pendingKeys.claimKey(bodyText));
      pendingKeys.releaseKey(bodyText);
      return answer;
    },
    meta: { quiet: true },
    onSuccess: (answer, body) => options.onDone?.(answer, body),
    onError: (error, body) => {
      const isExplained = options.explain?.(error, body) === true;
      if (!isExplained) {
        showFailure(error, { isExplained: false, isReloaded: options.onStale !== undefined });
      }
      if (isStale(error) || (isGone(error) && !isExplained)) options.onStale?.(error);
    },
  });
  return {
    run: (body: Body) => mutation.mutate(body),
    /** Like `run`, for callers that wait for the answer. */
    runAsync: (body: Body) => mutation.mutateAsync(body),
    isRunning: mutation.isPending,
  };
}
