import { api } from '../api';
import type { Preferences } from './types';

const PREFIX = 'portal.';

/** Keys that the specification names; they have no prefix (O 9). */
const SPECIFIED_KEYS: readonly string[] = ['printer', 'recentPatients', 'recentRequisitions'];

const getStorageKey = (key: string): string => (SPECIFIED_KEYS.includes(key) ? key : PREFIX + key);

/** Preferences of a browser. Without access to storage they last as long as the page. */
export class BrowserPreferences implements Preferences {
  private readonly memory = new Map<string, unknown>();

  get(key: string): unknown {
    if (this.memory.has(key)) return this.memory.get(key);
    try {
      // Read from storage every time: another tab may have changed the value.
      // Earlier versions stored every key with the prefix.
      const text = localStorage.getItem(getStorageKey(key)) ?? localStorage.getItem(PREFIX + key);
      return text === null ? null : (JSON.parse(text) as unknown);
    } catch {
      return null;
    }
  }

  set(key: string, value: unknown): void {
    try {
      const storageKey = getStorageKey(key);
      localStorage.setItem(storageKey, JSON.stringify(value));
      if (storageKey !== PREFIX + key) localStorage.removeItem(PREFIX + key);
      this.memory.delete(key);
    } catch {
      // Storage is full or blocked: keep the value in memory.
      this.memory.set(key, value);
    }
  }

  remove(key: string): void {
    this.memory.delete(key);
    try {
      localStorage.removeItem(getStorageKey(key));
      localStorage.removeItem(PREFIX + key);
    } catch {
      // Without storage, there is no value to remove.
    }
  }
}

const loadStoredPreferences = () => api.get<Record<string, unknown>>('/device/preferences');

/** Preferences stored by the sidecar: its port changes, which would lose localStorage. */
export class SidecarPreferences implements Preferences {
  private values: Map<string, unknown>;

  private constructor(values: Record<string, unknown>) {
    this.values = new Map(Object.entries(values));
    // Another window may have changed preferences in the meantime.
    window.addEventListener('focus', () => {
      loadStoredPreferences()
        .then((values) => {
          this.values = new Map(Object.entries(values));
        })
        .catch(() => undefined);
    });
  }

  static async load(): Promise<SidecarPreferences> {
    return new SidecarPreferences(
      await loadStoredPreferences().catch((): Record<string, unknown> => ({})),
    );
  }

  get(key: string): unknown {
    return this.values.get(key) ?? null;
  }

  set(key: string, value: unknown): void {
    this.values.set(key, value);
    // A preference that cannot be stored must not interrupt anybody's work.
    api.put(`/device/preferences/${key}`, { body: { value } }).catch(() => undefined);
  }

  remove(key: string): void {
    this.values.delete(key);
    api.delete(`/device/preferences/${key}`).catch(() => undefined);
  }
}
