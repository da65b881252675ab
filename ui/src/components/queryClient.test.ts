import { onlineManager } from '@tanstack/react-query';
import { afterEach, expect, it } from 'vitest';

import { createQueryClient } from './queryClient';

afterEach(() => onlineManager.setOnline(true));

it('fails offline writes at once instead of sending them later', async () => {
  onlineManager.setOnline(false);
  const queries = createQueryClient();
  const write = queries.getMutationCache().build(queries, {
    mutationFn: () => Promise.reject(new Error('no network')),
    meta: { quiet: true },
  });
  await expect(write.execute(undefined)).rejects.toThrow('no network');
  expect(write.state.isPaused).toBe(false);
  expect(await queries.query({ queryKey: ['printers'], queryFn: () => 'local' })).toBe('local');
});
