import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useLocation } from 'react-router';

/** What a part of a screen remembers of itself. */
export interface Memory<Value> {
  read: () => Value | undefined;
  write: (value: Value) => void;
}

/**
 * A memory that belongs to this visit of the screen, so that Back finds the screen as it was left. It
 * lasts as long as the page and the session: filters may name a person, whom no browser's history
 * is to keep.
 */
export function useHistoryMemory<Value>(name: string): Memory<Value> {
  const queries = useQueryClient();
  const { key } = useLocation();
  return useMemo(() => {
    const entry = ['history', key, name];
    queries.setQueryDefaults(entry, { gcTime: Infinity });
    return {
      read: () => queries.getQueryData<Value>(entry),
      write: (value) => void queries.setQueryData<Value>(entry, () => value),
    };
  }, [key, name, queries]);
}
