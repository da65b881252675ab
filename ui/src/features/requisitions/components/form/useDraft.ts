import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';

import { draftsQuery, dropDraft, keepDraft, type Draft } from '../../drafts';
import type { RequisitionValues } from '../../fields';

const LOCK = 'requisition-draft-';
const lockName = (draftId: string) => `${LOCK}${draftId}`;

/** Browsers offer locks to secure pages only: https, or this machine itself. */
const hasLocks = () => 'locks' in navigator;

/** The drafts that forms in other tabs and windows are working on just now. */
async function draftsInUse(): Promise<ReadonlySet<string | undefined>> {
  if (!hasLocks()) return new Set();
  const { held = [] } = await navigator.locks.query();
  return new Set(held.map(({ name }) => name?.replace(LOCK, '')));
}

/** Holds the draft's lock for as long as the form lives; a crash lets go of it too. */
function useHold(draftId: string): void {
  useEffect(() => {
    if (!hasLocks()) return undefined;
    const leaving = new AbortController();
    const left = new Promise<void>((resolve) => {
      leaving.signal.addEventListener('abort', () => resolve());
    });
    navigator.locks
      .request(lockName(draftId), { signal: leaving.signal }, () => left)
      // Leaving before it was granted is no failure.
      .catch(() => undefined);
    return () => leaving.abort();
  }, [draftId]);
}

/**
 * One form's draft, kept on the portal while a person types, so that a crash or a power cut loses
 * nothing; and the newest one that was left behind, to be offered. Keeping it is never in the
 * way: a failure is silent, and the next change tries again.
 */
export function useDraft(requisitionId: number | null, mayOrder: boolean) {
  const [draftId, setDraftId] = useState(() => crypto.randomUUID() as string);
  const [dismissed, setDismissed] = useState<readonly string[]>([]);
  const kept = useRef(false);
  // A draft goes one way at a time: a drop must not be overtaken by the keep before it.
  const last = useRef<Promise<unknown>>(Promise.resolve());
  useHold(draftId);

  const found = useQuery({
    ...draftsQuery(requisitionId, draftsInUse),
    // Who only reads has none.
    enabled: mayOrder,
  });
  const offered: Draft | null =
    found.data?.find(({ id }) => id !== draftId && !dismissed.includes(id)) ?? null;

  const inTurn = useCallback((send: () => Promise<unknown>) => {
    last.current = last.current.then(send).catch(() => undefined);
  }, []);

  const keep = useCallback(
    (values: RequisitionValues, version: number | undefined, base: Partial<RequisitionValues>) => {
      kept.current = true;
      inTurn(() => keepDraft(draftId, requisitionId, values, version, base));
    },
    [draftId, inTurn, requisitionId],
  );

  const drop = useCallback(() => {
    if (!kept.current) return;
    kept.current = false;
    inTurn(() => dropDraft(draftId));
  }, [draftId, inTurn]);

  /** Takes the offered draft over: from now on this form keeps it. */
  const restore = (): Draft => {
    if (offered === null) throw new Error('There is no draft to restore.');
    kept.current = true;
    setDraftId(offered.id);
    return offered;
  };

  const discard = () => {
    if (offered === null) return;
    setDismissed((all) => [...all, offered.id]);
    inTurn(() => dropDraft(offered.id));
  };

  return { id: draftId, offered, keep, drop, restore, discard };
}
