import { useMemo } from 'react';
import { useLocation } from 'react-router';

import { useProfile } from '../../api';
import { useHistoryMemory, type Memory } from '../../components/useHistoryMemory';
import type { SavedSearch } from '../../components/useSearch';

interface LastSearch {
  owner: string;
  name: string;
  saved: unknown;
}

/** Outlives the session, so it holds nothing that identifies a patient. */
let lastSearch: LastSearch | null = null;

interface HistoryState {
  /** Set when sign-in returns to the address at which the session ended. */
  continues?: boolean;
}

/**
 * Returns the memory of a search, from which Back restores it. When the same user returns after the
 * session ended, it restores the last search without its patient.
 */
export function useSearchMemory<Values extends { patient: unknown }>(
  name: string,
): Memory<SavedSearch<Values>> {
  const { id: owner } = useProfile();
  const state = useLocation().state as HistoryState | null;
  const continues = state?.continues === true;
  const memory = useHistoryMemory<SavedSearch<Values>>(name);
  return useMemo(() => {
    const readLast = () =>
      continues && lastSearch?.owner === owner && lastSearch.name === name
        ? (lastSearch.saved as SavedSearch<Values>)
        : undefined;
    return {
      read: () => memory.read() ?? readLast(),
      write: (saved) => {
        memory.write(saved);
        const clearPatient = (values: Values): Values => ({ ...values, patient: null });
        lastSearch = {
          owner,
          name,
          saved: {
            ...saved,
            values: clearPatient(saved.values),
            applied: clearPatient(saved.applied),
          },
        };
      },
    };
  }, [continues, memory, name, owner]);
}
