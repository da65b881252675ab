import { queryOptions, type QueryClient } from '@tanstack/react-query';

import { api } from '../../api';
import type { Wire } from '../../contract';
import { importKey } from './encryption';

/** The key that encrypts this user's recent records on this machine. */
export const storageKeyQuery = queryOptions({
  queryKey: ['storage-key'],
  queryFn: async () => importKey((await api.get<Wire<'StorageKey'>>('/auth/storage-key')).key),
  staleTime: Infinity,
  meta: { quiet: true },
});

const listKey = (name: string) => ['recents', name] as const;

/** The list stored on this machine, as `read` decrypts it. Another window may add to it. */
export const recentsQuery = <Recents>(name: string, read: () => Promise<Recents>) =>
  queryOptions({
    queryKey: listKey(name),
    queryFn: read,
    staleTime: 0,
    refetchOnWindowFocus: true,
    gcTime: Infinity,
    meta: { quiet: true },
  });

/** Returns the list that this page has in memory. */
export const getCachedRecents = (queries: QueryClient, name: string): unknown =>
  queries.getQueryData(listKey(name));

/** Replaces the list. A read in progress must not restore the earlier list. */
export async function replaceRecents(
  queries: QueryClient,
  name: string,
  recents: unknown,
): Promise<void> {
  await queries.cancelQueries({ queryKey: listKey(name) });
  queries.setQueryData(listKey(name), recents);
}
