import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';

import { describe, isStale, newIdempotencyKey } from '../api';
import { textOf } from '../lib/same';
import { toasts } from './toasts';

interface WriteOptions<Body, Answer> {
  /** Sends the command under the key of its body. */
  send: (body: Body, idempotencyKey: string) => Promise<Answer>;
  /** What tells one body from another, where it is not its plain content. */
  identify?: (body: Body) => unknown;
  onDone?: (answer: Answer, body: Body) => unknown;
  /** Says a failure in the command's own place or words; false leaves it to a toast. */
  explain?: (error: unknown, body: Body) => boolean;
  /** A record changed since it was read; the person has been told. */
  onStale?: () => void;
}

/** The keys of the commands that are not known to be done. */
class OpenKeys {
  private readonly keys = new Map<string, string>();

  take(body: string): string {
    const key = this.keys.get(body) ?? newIdempotencyKey();
    this.keys.set(body, key);
    return key;
  }

  close(body: string): void {
    this.keys.delete(body);
  }
}

/**
 * One command to the portal. Its idempotency key follows the body: the same thing tried again is
 * one act, also after an answer that was lost; another body is another act, and so is the same one
 * once it is done. A failure is told here, where the command has no place of its own for it.
 */
export function useWrite<Body, Answer>(options: WriteOptions<Body, Answer>) {
  const [open] = useState(() => new OpenKeys());
  const nameOf = (body: Body) => textOf(options.identify?.(body) ?? body) ?? '';
  const writing = useMutation({
    mutationFn: async (body: Body) => {
      const name = nameOf(body);
      const answer = await options.send(body, open.take(name));
      open.close(name);
      return answer;
    },
    meta: { quiet: true },
    onSuccess: (answer, body) => options.onDone?.(answer, body),
    onError: (error, body) => {
      if (options.explain?.(error, body) !== true) toasts.error(describe(error));
      if (isStale(error)) options.onStale?.();
    },
  });
  return {
    run: (body: Body) => writing.mutate(body),
    /** The same, for whoever waits for the answer. */
    runAsync: (body: Body) => writing.mutateAsync(body),
    isRunning: writing.isPending,
  };
}
