import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';

import { api, ApiError, describe } from '../../api';
import { useWrite } from '../../components/useWrite';
import type { Wire } from '../../contract';

/** A set of tests that a person orders with one key. */
export type Favorite = Wire<'FavoriteRead'>;

type FavoriteWrite = Wire<'FavoriteWrite'>;

const ROOT = '/api/v2/favorite-panels';
const KEY = ['favorite-panels'];

const favoritesQuery = (clientId: number | null) =>
  queryOptions({
    queryKey: [...KEY, clientId],
    queryFn: ({ signal }) => api.get<Favorite[]>(ROOT, { query: { clientId }, signal }),
    meta: { quiet: true },
  });

/** The same list each time: the keys of the form are bound anew for another one. */
export const NONE: readonly Favorite[] = [];

/** One's own favorites by name, judged for a client; none while nobody may change the choice. */
export function useFavorites(clientId: number | null, enabled: boolean): readonly Favorite[] {
  const favorites = useQuery({
    ...favoritesQuery(clientId),
    enabled,
    placeholderData: keepPreviousData,
  });
  return favorites.data ?? NONE;
}

interface Change {
  favorite?: Favorite;
  write: FavoriteWrite | null;
}

/** Keeps, changes and removes favorites; the screen that asked says what went wrong. */
export function useFavoriteChanges() {
  const queries = useQueryClient();
  const again = () => queries.invalidateQueries({ queryKey: KEY });
  const change = useWrite({
    send: async ({ favorite, write }: Change, idempotencyKey): Promise<void> => {
      if (favorite === undefined) {
        await api.post(ROOT, { body: write, idempotencyKey });
        return;
      }
      const [path, { version }] = [`${ROOT}/${favorite.id}`, favorite];
      if (write === null) await api.delete(path, { version, idempotencyKey });
      else await api.put(path, { body: write, version, idempotencyKey });
    },
    onDone: again,
    explain: () => {
      void again();
      return true;
    },
  });
  return {
    busy: change.isRunning,
    add: (name: string, tests: readonly { id: number }[]) =>
      change.runAsync({ write: { name, tests: tests.map(({ id }) => ({ id })) } }),
    rename: (favorite: Favorite, name: string) => change.runAsync({ favorite, write: { name } }),
    remove: (favorite: Favorite) => change.runAsync({ favorite, write: null }),
  };
}

/** What the portal said about a favorite: the sentence of a field, else the general one. */
export const refusal = (error: unknown): string =>
  error instanceof ApiError ? (error.errors[0]?.message ?? describe(error)) : describe(error);
