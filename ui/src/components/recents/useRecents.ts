import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';

import { limits } from '../../contract';
import { useDevice, type Preferences } from '../../device';
import { runExclusively } from '../../lib/locks';
import { getCachedRecents, replaceRecents, recentsQuery, storageKeyQuery } from './api';
import { encryptValue, decryptValue } from './encryption';

/** A recently used record; it expires at `shouldBeDeletedDate` (O 3, O 9). */
export type Recent<Item> = Item & { recentDate: string; shouldBeDeletedDate: string };

/** The existing lists, by the names under which they are stored. */
export type RecentsName = 'recentPatients' | 'recentRequisitions';
const NAMES: readonly RecentsName[] = ['recentPatients', 'recentRequisitions'];

const HOUR_MS = 3_600_000;
const MAX_RECENTS = 20;

interface ExpiringRecord {
  id: number;
  shouldBeDeletedDate: string;
}

/** Returns the records that have not expired; none if the stored value is invalid. */
export function filterUnexpired<Item extends ExpiringRecord>(
  storedItems: unknown,
  now: Date,
): Item[] {
  if (!Array.isArray(storedItems)) return [];
  return (storedItems as Item[]).filter((item) => new Date(item.shouldBeDeletedDate) > now);
}

/** Adds a record in front, unless it is already listed (O 4). */
export function addRecent<Item extends { id: number }>(
  list: readonly Recent<Item>[],
  item: Item,
  now: Date,
): Recent<Item>[] {
  if (list.some(({ id }) => id === item.id)) return [...list];
  const expiry = new Date(now.getTime() + limits.RECENT_EXPIRY_HOURS * HOUR_MS);
  const newItem = {
    ...item,
    recentDate: now.toISOString(),
    shouldBeDeletedDate: expiry.toISOString(),
  };
  return [newItem, ...list].slice(0, MAX_RECENTS);
}

/** Removes the lists at sign-out, since others use this machine too (DECISIONS). */
export function clearRecents(preferences: Preferences): void {
  for (const name of NAMES) preferences.remove(name);
}

/**
 * The user's recent records, stored on this machine and encrypted with a key that the portal gives
 * only to this user. Without the key they last as long as the page.
 */
export function useRecents<Item extends { id: number }>(name: RecentsName) {
  const { preferences } = useDevice();
  const queries = useQueryClient();

  const key = useQuery(storageKeyQuery).data;

  const list = useQuery({
    ...recentsQuery(name, async (): Promise<Recent<Item>[]> =>
      key ? filterUnexpired(await decryptValue(key, preferences.get(name)), new Date()) : [],
    ),
    enabled: key !== undefined && key !== null,
  });

  const add = useCallback(
    async (item: Item) => {
      // Wait for the key: a record added before it arrives would be lost.
      const key = await queries
        .query({ ...storageKeyQuery, staleTime: 'static' })
        .catch(() => undefined);
      // Another tab may add to the stored list at the same moment.
      await runExclusively(`portal-${name}`, async () => {
        const now = new Date();
        const storedItems = key
          ? filterUnexpired<Recent<Item>>(await decryptValue(key, preferences.get(name)), now)
          : ((getCachedRecents(queries, name) ?? []) as Recent<Item>[]);
        const next = addRecent(storedItems, item, now);
        if (key) preferences.set(name, await encryptValue(key, next));
        await replaceRecents(queries, name, next);
      });
    },
    [name, preferences, queries],
  );

  return { recents: list.data ?? [], add };
}
