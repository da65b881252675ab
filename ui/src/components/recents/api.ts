import { queryOptions, type QueryClient } from '@tanstack/react-query';

import { api } from '../../api';
import { importKey } from './sealed';

/** The key that this person's recent records are encrypted with on this machine. */
export const storageKeyQuery = queryOptions({
  queryKey: ['storage-key'],
  queryFn: async () => importKey((await api.get<{ key: string }>('/auth/storage-key')).key),
  staleTime: Infinity,
  meta: { quiet: true },
});

const listKey = (name: string) => ['recents', name] as const;

/** What is stored on this machine under a name, as `read` decrypts it; another window may add. */
export const recentsQuery = <Recents>(name: string, read: () => Promise<Recents>) =>
  queryOptions({
    queryKey: listKey(name),
    queryFn: read,
    staleTime: 0,
    refetchOnWindowFocus: true,
    gcTime: Infinity,
    meta: { quiet: true },
  });

/** The list as this page knows it. */
export const listedRecents = (queries: QueryClient, name: string): unknown =>
  queries.getQueryData(listKey(name));

/** Shows another list; a read that began before this must not bring the earlier one back. */
export async function replaceRecents(
  queries: QueryClient,
  name: string,
  recents: unknown,
): Promise<void> {
  await queries.cancelQueries({ queryKey: listKey(name) });
  queries.setQueryData(listKey(name), recents);
}
