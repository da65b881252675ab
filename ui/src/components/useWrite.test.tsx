import { act, renderHook, screen } from '@testing-library/react';
import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { describe, expect, it, vi } from 'vitest';

import { ApiError } from '../api';
import { messages } from '../contract';
import { createQueryClient } from './queryClient';
import { useWrite } from './useWrite';

/** A command and what the portal makes of each try: done, or an error. */
function command(outcomes: readonly (ApiError | null)[], explains = false) {
  const keys: string[] = [];
  const onStale = vi.fn();
  const send = (_: object, key: string) => {
    keys.push(key);
    const outcome = outcomes[keys.length - 1] ?? null;
    return outcome === null ? Promise.resolve('done') : Promise.reject(outcome);
  };
  const queries = createQueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queries}>{children}</QueryClientProvider>
  );
  const { result } = renderHook(() => useWrite({ send, onStale, explain: () => explains }), {
    wrapper,
  });
  const run = (body: object) =>
    act(() => result.current.runAsync(body).catch((error: unknown) => error));
  return { run, keys, onStale };
}

const lost = () => new ApiError(0);

describe('A command', () => {
  it('that got no answer keeps its key, whatever order its fields come in', async () => {
    const { run, keys } = command([lost()]);
    await run({ id: 1, comment: 'A' });
    await run({ comment: 'A', id: 1 });
    expect(keys[1]).toBe(keys[0]);
  });

  it('of another body has a key of its own, and so has the first one again', async () => {
    const { run, keys } = command([lost(), lost()]);
    for (const comment of ['A', 'B', 'A']) await run({ comment });
    expect(keys[1]).not.toBe(keys[0]);
    expect(keys[2]).toBe(keys[0]);
  });

  it('that is done is another act the next time', async () => {
    const { run, keys } = command([]);
    await run({ id: 1 });
    await run({ id: 1 });
    expect(keys[1]).not.toBe(keys[0]);
  });

  it('says its failure', async () => {
    const { run, onStale } = command([lost()]);
    await run({ id: 1 });
    expect(await screen.findByText(messages.NO_CONNECTION)).toBeVisible();
    expect(onStale).not.toHaveBeenCalled();
  });

  it('leaves the failure to whoever explains it, and tells that the record has changed', async () => {
    const { run, onStale } = command([new ApiError(412, { detail: 'Too late.' })], true);
    await run({ id: 1 });
    expect(screen.queryByText('Too late.')).toBeNull();
    expect(onStale).toHaveBeenCalledOnce();
  });
});
