import { useMemo } from 'react';
import { useLocation } from 'react-router';

import { useProfile } from '../../api';
import { useHistoryMemory, type Memory } from '../../components/useHistoryMemory';
import type { SavedSearch } from '../../components/useSearch';

interface LastSearch {
  owner: string;
  name: string;
  /** The key of the history entry, which a reload of the page keeps. */
  entryKey: string;
  saved: unknown;
}

const STORAGE_KEY = 'portal.lastSearch';

/** Outlives session and page, so it holds nothing that identifies a patient. */
let lastSearch = loadLastSearch();

function loadLastSearch(): LastSearch | null {
  try {
    return JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null') as LastSearch | null;
  } catch {
    return null;
  }
}

function storeLastSearch(search: LastSearch): void {
  lastSearch = search;
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(search));
  } catch {
    // Without storage, a reload starts with the default search.
  }
}

function isReloadedPage(): boolean {
  if (!('getEntriesByType' in performance)) return false;
  const pages = performance.getEntriesByType('navigation');
  return pages.some((page) => 'type' in page && page.type === 'reload');
}

interface HistoryState {
  /** Whether sign-in has returned to the address at which the session ended. */
  continues?: boolean;
}

/**
 * Returns the memory of a search, from which Back restores it. After a reload of the page, and when
 * the same user returns after the session ended, it restores the last search without its patient.
 */
export function useSearchMemory<Values extends { patient: unknown }>(
  name: string,
): Memory<SavedSearch<Values>> {
  const { id: owner } = useProfile();
  const { key: entryKey, state } = useLocation() as { key: string; state: HistoryState | null };
  const continues = state?.continues === true;
  const memory = useHistoryMemory<SavedSearch<Values>>(name);
  return useMemo(() => {
    const readLast = () => {
      if (lastSearch?.owner !== owner || lastSearch.name !== name) return undefined;
      const isReload = lastSearch.entryKey === entryKey && isReloadedPage();
      return continues || isReload ? (lastSearch.saved as SavedSearch<Values>) : undefined;
    };
    return {
      read: () => memory.read() ?? readLast(),
      write: (search) => {
        memory.write(search);
        const clearPatient = (values: Values): Values => ({ ...values, patient: null });
        storeLastSearch({
          owner,
          name,
          entryKey,
          saved: {
            ...search,
            values: clearPatient(search.values),
            applied: clearPatient(search.applied),
          },
        });
      },
    };
  }, [continues, entryKey, memory, name, owner]);
}
