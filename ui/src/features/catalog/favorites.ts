import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';

import { api, ApiError, describeError } from '../../api';
import { useWrite } from '../../components/useWrite';
import type { Wire } from '../../contract';

/** A set of tests that a user orders with one key. */
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

/** A constant, since a new array would register the form's keys again. */
export const NO_FAVORITES: readonly Favorite[] = [];

/**
 * The user's own favorites by name, with availability for a client; none if the choice is read-
 * only.
 */
export function useFavorites(clientId: number | null, isEnabled: boolean): readonly Favorite[] {
  const favorites = useQuery({
    ...favoritesQuery(clientId),
    enabled: isEnabled,
    placeholderData: keepPreviousData,
  });
  return favorites.data ?? NO_FAVORITES;
}

interface Change {
  favorite?: Favorite;
  write: FavoriteWrite | null;
}

/** Creates, changes and removes favorites; the calling screen explains failures. */
export function useFavoriteChanges() {
  const queries = useQueryClient();
  const reload = () => queries.invalidateQueries({ queryKey: KEY });
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
    onDone: reload,
    explain: () => {
      void reload();
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

/**
 * Returns the portal's message about a favorite: the message of a field, otherwise the general one.
 */
export const explainFailure = (error: unknown): string =>
  error instanceof ApiError
    ? (error.errors[0]?.message ?? describeError(error))
    : describeError(error);
