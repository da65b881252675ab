import { useEffect, useRef } from 'react';

import { limits, type Wire } from '../contract';
import { api } from './http';

/** A record has a new version. */
export type Change = Wire<'ChangeEvent'>;

/** Told of changes; null: some were missed, and what is shown may be old. */
type Listener = (change: Change | null) => void;

const PATH = '/api/v2/changes';
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 30_000;
const KEPT_MS = limits.CHANGES_KEPT_HOURS * 3_600_000;

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** One stream of changes for the whole page, kept open while somebody listens. */
class LiveChanges {
  private readonly listeners = new Set<Listener>();
  private stop: AbortController | null = null;
  private place: string | undefined;
  private heardAt = 0;

  subscribe(listener: Listener): () => void {
    this.listeners.add(listener);
    if (this.stop === null) {
      this.stop = new AbortController();
      this.place = undefined;
      void this.listen(this.stop.signal);
    }
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size > 0) return;
      this.stop?.abort();
      this.stop = null;
    };
  }

  private tell(change: Change | null): void {
    for (const listener of this.listeners) listener(change);
  }

  private async listen(signal: AbortSignal): Promise<void> {
    let wait = FIRST_PAUSE_MS;
    while (!signal.aborted) {
      try {
        // The portal forgets: a place from before that would look as if nothing had happened.
        if (this.place !== undefined && Date.now() - this.heardAt > KEPT_MS) this.startAnew();
        for await (const { name, id, data } of api.events(PATH, {
          signal,
          lastEventId: this.place,
        })) {
          wait = FIRST_PAUSE_MS;
          this.heardAt = Date.now();
          this.place = id ?? this.place;
          if (name === 'change') this.tell(data as Change);
          if (name === 'overrun') this.startAnew();
        }
      } catch {
        // Off the network, or the portal restarts: what is missed meanwhile comes afterwards.
      }
      await pause(wait, signal);
      wait = Math.min(wait * 2, LONGEST_PAUSE_MS);
    }
  }

  private startAnew(): void {
    this.place = undefined;
    this.tell(null);
  }
}

const live = new LiveChanges();

/** Calls back for every change of this kind of record while the component is there. */
export function useLiveChanges(kind: string | null, onChange: Listener): void {
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });
  useEffect(() => {
    if (kind === null) return undefined;
    return live.subscribe((change) => {
      if (change === null || change.kind === kind) latest.current(change);
    });
  }, [kind]);
}
