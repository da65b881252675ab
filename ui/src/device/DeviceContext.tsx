import { createContext, use, useCallback, useState } from 'react';

import type { Capabilities } from '../api';
import { BrowserBridge } from './browser';
import { SidecarPreferences } from './preferences';
import { SidecarBridge } from './sidecar';
import type { DeviceBridge } from './types';

export const DeviceContext = createContext<DeviceBridge | null>(null);

export function useDevice(): DeviceBridge {
  const bridge = use(DeviceContext);
  if (bridge === null) throw new Error('DeviceContext is missing above this component');
  return bridge;
}

/** Creates the bridge that fits the host's capabilities. */
export async function createBridge(
  capabilities: Capabilities,
  navigate: (path: string) => void,
): Promise<DeviceBridge> {
  if (!capabilities.keepsPreferences) return new BrowserBridge(navigate);
  return new SidecarBridge(await SidecarPreferences.load());
}

/** A preference as component state. `set(null)` removes it. */
export function usePreference<T>(key: string): [T | null, (value: T | null) => void] {
  const { preferences } = useDevice();
  const [value, setValue] = useState<T | null>(() => preferences.get(key) as T | null);
  const set = useCallback(
    (next: T | null) => {
      setValue(next);
      if (next === null) preferences.remove(key);
      else preferences.set(key, next);
    },
    [key, preferences],
  );
  return [value, set];
}
