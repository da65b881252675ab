import { api } from '../api';
import type { Preferences } from './types';

const PREFIX = 'portal.';

/** Preferences of a browser; where storage is refused they last as long as the page. */
export class BrowserPreferences implements Preferences {
  private readonly memory = new Map<string, unknown>();

  get(key: string): unknown {
    if (this.memory.has(key)) return this.memory.get(key);
    try {
      // Read each time: another tab may have set it since.
      const text = localStorage.getItem(PREFIX + key);
      return text === null ? null : (JSON.parse(text) as unknown);
    } catch {
      return null;
    }
  }

  set(key: string, value: unknown): void {
    try {
      localStorage.setItem(PREFIX + key, JSON.stringify(value));
      this.memory.delete(key);
    } catch {
      // Storage is full or refused: kept for as long as the page.
      this.memory.set(key, value);
    }
  }

  remove(key: string): void {
    this.memory.delete(key);
    try {
      localStorage.removeItem(PREFIX + key);
    } catch {
      // Nothing was stored.
    }
  }
}

const readKept = () => api.get<Record<string, unknown>>('/device/preferences');

/** Preferences kept by the sidecar: a changing port would lose localStorage. */
export class SidecarPreferences implements Preferences {
  private values: Map<string, unknown>;

  private constructor(values: Record<string, unknown>) {
    this.values = new Map(Object.entries(values));
    // Another window may have set some since this one was used last.
    window.addEventListener('focus', () => {
      readKept()
        .then((kept) => {
          this.values = new Map(Object.entries(kept));
        })
        .catch(() => undefined);
    });
  }

  static async load(): Promise<SidecarPreferences> {
    return new SidecarPreferences(await readKept().catch((): Record<string, unknown> => ({})));
  }

  get(key: string): unknown {
    return this.values.get(key) ?? null;
  }

  set(key: string, value: unknown): void {
    this.values.set(key, value);
    // A preference that can not be kept is no reason to interrupt anybody's work.
    api.put(`/device/preferences/${key}`, { body: { value } }).catch(() => undefined);
  }

  remove(key: string): void {
    this.values.delete(key);
    api.delete(`/device/preferences/${key}`).catch(() => undefined);
  }
}
