import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';

import { api, ApiError, describe } from '../../api';
import type { TestRow } from './api';

/** A set of tests that a person orders with one key. */
export interface Favorite {
  id: number;
  version: number;
  name: string;
  /** What can be ordered now for the client that was asked about. */
  tests: TestRow[];
  /** What can not: withdrawn, or not on the client's list. */
  unavailable: TestRow[];
}

interface FavoriteWrite {
  name?: string;
  tests?: { id: number }[];
}

const ROOT = '/api/v2/favorite-panels';
const KEY = ['favorite-panels'];

/** The same list each time: the keys of the form are bound anew for another one. */
export const NONE: readonly Favorite[] = [];

/** One's own favorites by name, judged for a client; none while nobody may change the choice. */
export function useFavorites(clientId: number | null, enabled: boolean): readonly Favorite[] {
  const favorites = useQuery({
    queryKey: [...KEY, clientId],
    queryFn: ({ signal }) => api.get<Favorite[]>(ROOT, { query: { clientId }, signal }),
    enabled,
    placeholderData: (before) => before,
    meta: { quiet: true },
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
  const change = useMutation({
    mutationFn: async ({ favorite, write }: Change): Promise<void> => {
      if (favorite === undefined) await api.post(ROOT, { body: write });
      else if (write === null)
        await api.delete(`${ROOT}/${favorite.id}`, { version: favorite.version });
      else await api.put(`${ROOT}/${favorite.id}`, { body: write, version: favorite.version });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
    meta: { quiet: true },
  });
  return {
    busy: change.isPending,
    add: (name: string, tests: readonly { id: number }[]) =>
      change.mutateAsync({ write: { name, tests: tests.map(({ id }) => ({ id })) } }),
    rename: (favorite: Favorite, name: string) => change.mutateAsync({ favorite, write: { name } }),
    remove: (favorite: Favorite) => change.mutateAsync({ favorite, write: null }),
  };
}

/** What the portal said about a favorite: the sentence of a field, else the general one. */
export const refusal = (error: unknown): string =>
  error instanceof ApiError ? (error.errors[0]?.message ?? describe(error)) : describe(error);
