import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';

import { limits } from '../../contract';
import { useDevice, type Preferences } from '../../device';
import { listedRecents, replaceRecents, recentsQuery, storageKeyQuery } from './api';
import { seal, unseal } from './sealed';

/** A record that was lately used; it counts until `shouldBeDeletedDate` (O 3, O 9). */
export type Recent<Item> = Item & { recentDate: string; shouldBeDeletedDate: string };

/** The lists there are, by the names under which they are stored. */
export type RecentsName = 'recentPatients' | 'recentRequisitions';
const NAMES: readonly RecentsName[] = ['recentPatients', 'recentRequisitions'];

const HOUR_MS = 3_600_000;
const MOST = 20;

interface Dated {
  id: number;
  shouldBeDeletedDate: string;
}

/** Those that have not expired; whatever is no list of records is none. */
export function unexpired<Item extends Dated>(stored: unknown, now: Date): Item[] {
  if (!Array.isArray(stored)) return [];
  return (stored as Item[]).filter((item) => new Date(item.shouldBeDeletedDate) > now);
}

/** Newest first; one that is listed already is not added again (O 4). */
export function withRecent<Item extends { id: number }>(
  list: readonly Recent<Item>[],
  item: Item,
  now: Date,
): Recent<Item>[] {
  if (list.some(({ id }) => id === item.id)) return [...list];
  const ends = new Date(now.getTime() + limits.RECENT_EXPIRY_HOURS * HOUR_MS);
  const added = {
    ...item,
    recentDate: now.toISOString(),
    shouldBeDeletedDate: ends.toISOString(),
  };
  return [added, ...list].slice(0, MOST);
}

/** Sign-out leaves nothing behind on a machine that others use too (DECISIONS). */
export function forgetRecents(preferences: Preferences): void {
  for (const name of NAMES) preferences.remove(name);
}

/**
 * A person's own recent records, kept on this machine, encrypted with a key that the portal
 * gives to that person alone. Without the key they last as long as the page.
 */
export function useRecents<Item extends { id: number }>(name: RecentsName) {
  const { preferences } = useDevice();
  const queries = useQueryClient();

  const key = useQuery(storageKeyQuery).data;

  const list = useQuery({
    ...recentsQuery(name, async (): Promise<Recent<Item>[]> =>
      key ? unexpired(await unseal(key, preferences.get(name)), new Date()) : [],
    ),
    enabled: key !== undefined && key !== null,
  });

  const add = useCallback(
    async (item: Item) => {
      // Somebody may be quicker than the key: without waiting, what is added now would be lost.
      const key = await queries
        .query({ ...storageKeyQuery, staleTime: 'static' })
        .catch(() => undefined);
      const now = new Date();
      // Another tab may have added to what is stored.
      const stored = key
        ? unexpired<Recent<Item>>(await unseal(key, preferences.get(name)), now)
        : ((listedRecents(queries, name) ?? []) as Recent<Item>[]);
      const next = withRecent(stored, item, now);
      if (key) preferences.set(name, await seal(key, next));
      await replaceRecents(queries, name, next);
    },
    [name, preferences, queries],
  );

  return { recents: list.data ?? [], add };
}
