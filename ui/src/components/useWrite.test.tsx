import { act, renderHook, screen } from '@testing-library/react';
import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { describe, expect, it, vi } from 'vitest';

import { ApiError } from '../api';
import { messages, say } from '../contract';
import { createQueryClient } from './queryClient';
import { useWrite } from './useWrite';

/** Renders a command; `outcomes` has the portal's answer to each attempt: success, or an error. */
function renderCommand(
  outcomes: readonly (ApiError | null)[],
  { explains = false, reloads = true } = {},
) {
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
  const { result } = renderHook(
    () => useWrite({ send, explain: () => explains, ...(reloads ? { onStale } : {}) }),
    { wrapper },
  );
  const run = (body: object) =>
    act(() => result.current.runAsync(body).catch((error: unknown) => error));
  return { run, keys, onStale };
}

const createLostAnswer = () => new ApiError(0);

describe('A command', () => {
  it('keeps its key after a lost answer, whatever the order of its fields', async () => {
    const { run, keys } = renderCommand([createLostAnswer()]);
    await run({ id: 1, comment: 'A' });
    await run({ comment: 'A', id: 1 });
    expect(keys[1]).toBe(keys[0]);
  });

  it('has one key per body and reuses it for a repeated body', async () => {
    const { run, keys } = renderCommand([createLostAnswer(), createLostAnswer()]);
    for (const comment of ['A', 'B', 'A']) await run({ comment });
    expect(keys[1]).not.toBe(keys[0]);
    expect(keys[2]).toBe(keys[0]);
  });

  it('gets a new key after success', async () => {
    const { run, keys } = renderCommand([]);
    await run({ id: 1 });
    await run({ id: 1 });
    expect(keys[1]).not.toBe(keys[0]);
  });

  it('shows its failure', async () => {
    const { run, onStale } = renderCommand([createLostAnswer()]);
    await run({ id: 1 });
    expect(await screen.findByText(messages.NO_CONNECTION)).toBeVisible();
    expect(onStale).not.toHaveBeenCalled();
  });

  it('lets the caller explain the failure and reports a stale record', async () => {
    const { run, onStale } = renderCommand([new ApiError(412, { detail: 'Too late.' })], {
      explains: true,
    });
    await run({ id: 1 });
    expect(screen.queryByText('Too late.')).toBeNull();
    expect(onStale).toHaveBeenCalledOnce();
  });

  const staleRecord = new ApiError(412, { detail: messages.VERSION_STALE, updatedBy: 'Ann Lee' });
  const savedBy = say(messages.VERSION_SAVED_BY, { name: 'Ann Lee' });

  it('says that its screen shows the newer version', async () => {
    const { run } = renderCommand([staleRecord]);
    await run({ id: 1 });
    expect(await screen.findByText(`${messages.VERSION_RELOADED} ${savedBy}`)).toBeVisible();
  });

  it('advises to reload a screen that does not do it', async () => {
    const { run } = renderCommand([staleRecord], { reloads: false });
    await run({ id: 1 });
    expect(await screen.findByText(`${messages.VERSION_STALE} ${savedBy}`)).toBeVisible();
  });

  it('shows the reason of the portal if it names the record', async () => {
    const { run } = renderCommand([new ApiError(412, { detail: 'Order L260000001 changed.' })]);
    await run({ id: 1 });
    expect(await screen.findByText('Order L260000001 changed.')).toBeVisible();
  });
});
