import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useLocation } from 'react-router';

/** The stored state of a part of a screen. */
export interface Memory<Value> {
  read: () => Value | undefined;
  write: (value: Value) => void;
}

/**
 * Returns a memory of this entry of the browser's history, so that Back restores the screen. It
 * lasts as long as the page and the session, because filters may name a person and must not be
 * stored in the browser's history.
 */
export function useHistoryMemory<Value>(name: string): Memory<Value> {
  const queries = useQueryClient();
  const { key } = useLocation();
  return useMemo(() => {
    const queryKey = ['history', key, name];
    queries.setQueryDefaults(queryKey, { gcTime: Infinity });
    return {
      read: () => queries.getQueryData<Value>(queryKey),
      write: (value) => void queries.setQueryData<Value>(queryKey, () => value),
    };
  }, [key, name, queries]);
}
