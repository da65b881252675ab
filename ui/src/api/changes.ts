import { useEffect, useRef } from 'react';

import { limits, type Wire } from '../contract';
import { api } from './http';

/** The announcement that a record has a new version. */
export type Change = Wire<'ChangeEvent'>;

/**
 * Called for each change. null means that some changes were missed, so the data on screen may be
 * old.
 */
type Listener = (change: Change | null) => void;

const PATH = '/api/v2/changes';
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 30_000;
const RETENTION_MS = limits.CHANGES_RETENTION_HOURS * 3_600_000;

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** One stream of changes for the whole page, open while it has listeners. */
class LiveChanges {
  private readonly listeners = new Set<Listener>();
  private stop: AbortController | null = null;
  private lastEventId: string | undefined;
  private lastEventAt = 0;

  subscribe(listener: Listener): () => void {
    this.listeners.add(listener);
    if (this.stop === null) {
      this.stop = new AbortController();
      this.lastEventId = undefined;
      void this.listen(this.stop.signal);
    }
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size > 0) return;
      this.stop?.abort();
      this.stop = null;
    };
  }

  private notify(change: Change | null): void {
    for (const listener of this.listeners) listener(change);
  }

  private async listen(signal: AbortSignal): Promise<void> {
    let delayMs = FIRST_PAUSE_MS;
    while (!signal.aborted) {
      try {
        // The portal drops old changes. Resuming from a dropped event would look as if nothing had
        // changed.
        if (this.lastEventId !== undefined && Date.now() - this.lastEventAt > RETENTION_MS)
          this.restart();
        for await (const { name, id, data } of api.events(PATH, {
          signal,
          lastEventId: this.lastEventId,
        })) {
          delayMs = FIRST_PAUSE_MS;
          this.lastEventAt = Date.now();
          this.lastEventId = id ?? this.lastEventId;
          if (name === 'change') this.notify(data as Change);
          if (name === 'overrun') this.restart();
        }
      } catch {
        // The network is down or the portal restarts. The missed changes arrive after the
        // reconnection.
      }
      await pause(delayMs, signal);
      delayMs = Math.min(delayMs * 2, LONGEST_PAUSE_MS);
    }
  }

  private restart(): void {
    this.lastEventId = undefined;
    this.notify(null);
  }
}

const liveChanges = new LiveChanges();

/** Calls `onChange` for every change to this kind of record while the component is mounted. */
export function useLiveChanges(kind: string | null, onChange: Listener): void {
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });
  useEffect(() => {
    if (kind === null) return undefined;
    return liveChanges.subscribe((change) => {
      if (change === null || change.kind === kind) latest.current(change);
    });
  }, [kind]);
}
