import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';

import type { Requisition } from '../../api';
import { findDraftEdits, type DraftEdits } from '../../draftEdits';
import { draftsQuery, deleteDraft, saveDraft, type Draft } from '../../drafts';
import type { RequisitionValues } from '../../fields';

const LOCK_PREFIX = 'requisition-draft-';
const getLockName = (draftId: string) => `${LOCK_PREFIX}${draftId}`;

/** Browsers offer locks only to secure pages: https, or this machine itself. */
const hasLocks = () => 'locks' in navigator;

/** Returns the ids of the drafts that forms in other tabs and windows are using. */
async function findDraftsInUse(): Promise<ReadonlySet<string | undefined>> {
  if (!hasLocks()) return new Set();
  const { held = [] } = await navigator.locks.query();
  return new Set(held.map(({ name }) => name?.replace(LOCK_PREFIX, '')));
}

/** Holds the draft's lock as long as the form is mounted. A crash releases it too. */
function useDraftLock(draftId: string): void {
  useEffect(() => {
    if (!hasLocks()) return undefined;
    const abort = new AbortController();
    const release = new Promise<void>((resolve) => {
      abort.signal.addEventListener('abort', () => resolve());
    });
    navigator.locks
      .request(getLockName(draftId), { signal: abort.signal }, () => release)
      // The user may leave the form before the lock is granted; that is not a failure.
      .catch(() => undefined);
    return () => abort.abort();
  }, [draftId]);
}

/** A draft to offer, with the changes that it would make to a saved requisition. */
export interface OfferedDraft {
  draft: Draft;
  /** Null for a new requisition. */
  edits: DraftEdits | null;
  /** Whether the requisition has been saved since. */
  isOlder: boolean;
}

const compareWithSaved = (draft: Draft, requisition: Requisition | null): OfferedDraft => ({
  draft,
  edits: requisition && findDraftEdits(draft, requisition),
  isOlder: requisition !== null && (draft.version ?? 0) < requisition.version,
});

/**
 * The draft of one form, stored on the portal while the user types, so that a crash loses nothing;
 * and the newest abandoned draft to offer. If the draft cannot be stored, the form says so
 * (`isNotStored`), and the next change tries again.
 * @param requisition the saved requisition; null for a new one
 * @param resumedId the draft that this form continues, without an offer
 */
export function useDraft(
  requisition: Requisition | null,
  isEditable: boolean,
  resumedId: string | null,
) {
  const requisitionId = requisition?.id ?? null;
  const [draftId, setDraftId] = useState<string>(() => resumedId ?? crypto.randomUUID());
  const [dismissedIds, setDismissed] = useState<readonly string[]>([]);
  const [isNotStored, setIsNotStored] = useState(false);
  const isStored = useRef(resumedId !== null);
  // Requests run one after another: a delete must not be overtaken by an earlier store.
  const lastRequest = useRef<Promise<unknown>>(Promise.resolve());
  useDraftLock(draftId);

  const drafts = useQuery({
    ...draftsQuery(requisitionId, findDraftsInUse),
    // Users who only read have no drafts.
    enabled: isEditable,
  });
  const candidates = useMemo(
    () => (drafts.data ?? []).map((draft) => compareWithSaved(draft, requisition)),
    [drafts.data, requisition],
  );
  /** The newest draft with something to continue; edits of locked parts must wait. */
  const offeredDraft: OfferedDraft | null =
    candidates.find(
      ({ draft: { id }, edits }) =>
        id !== draftId && !dismissedIds.includes(id) && (edits === null || edits.names.length > 0),
    ) ?? null;

  /** Sends a request after the earlier ones. Returns whether it succeeded. */
  const enqueue = useCallback((send: () => Promise<unknown>): Promise<boolean> => {
    const request = lastRequest.current.then(send).then(
      () => true,
      () => false,
    );
    lastRequest.current = request;
    return request;
  }, []);

  const save = useCallback(
    (values: RequisitionValues, version: number | undefined, base: Partial<RequisitionValues>) => {
      isStored.current = true;
      const request = enqueue(() => saveDraft(draftId, requisitionId, values, version, base));
      void request.then((hasSucceeded) => setIsNotStored(!hasSucceeded && isStored.current));
      return request;
    },
    [draftId, enqueue, requisitionId],
  );

  const remove = useCallback(() => {
    if (!isStored.current) return;
    isStored.current = false;
    setIsNotStored(false);
    void enqueue(() => deleteDraft(draftId));
  }, [draftId, enqueue]);

  // Deletes drafts whose edits the saved requisition already contains. This compares the version
  // that was loaded: by the time of a later version, another window may have added to a draft.
  const deleteContained = useEffectEvent(() => {
    for (const { draft, edits } of candidates) {
      const isContained = edits !== null && edits.names.length === 0 && !edits.hasLockedEdits;
      if (isContained && draft.id !== draftId) void enqueue(() => deleteDraft(draft.id));
    }
  });
  useEffect(() => deleteContained(), [drafts.data]);

  /** Takes over the offered draft: from now on this form stores it. */
  const restore = (): Draft => {
    if (offeredDraft === null) throw new Error('There is no draft to restore.');
    isStored.current = true;
    setDraftId(offeredDraft.draft.id);
    return offeredDraft.draft;
  };

  const discard = () => {
    if (offeredDraft === null) return;
    const { id } = offeredDraft.draft;
    setDismissed((ids) => [...ids, id]);
    void enqueue(() => deleteDraft(id));
  };

  /** Keeps the drafts, but no longer offers them in this form. */
  const ignoreOffers = () =>
    setDismissed((ids) => [...ids, ...(drafts.data ?? []).map(({ id }) => id)]);

  return {
    id: draftId,
    offered: offeredDraft,
    isNotStored,
    save,
    remove,
    restore,
    discard,
    ignoreOffers,
  };
}
