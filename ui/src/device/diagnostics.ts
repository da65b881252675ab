import { api } from '../api';
import { messages, say, type DeviceWire } from '../contract';

/** Copies what support needs into the clipboard, and returns the sentence to show. */
export async function copyDiagnostics(): Promise<string> {
  const { text, isCopied, folder } = await api.post<DeviceWire<'Diagnostics'>>(
    '/device/diagnostics/copy',
  );
  if (!isCopied) await navigator.clipboard.writeText(text);
  return say(messages.DIAGNOSTICS_COPIED, { folder });
}
