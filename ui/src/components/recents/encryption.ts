/** Patient data stored in a browser: encrypted with a key that only the portal gives out. */
export interface EncryptedValue {
  /** Base64. */
  nonce: string;
  data: string;
}

const NONCE_BYTES = 12;

const toBase64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));
const fromBase64 = (text: string) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));

/** Imports a key of 32 bytes in base64. Returns null without browser cryptography (plain http). */
export async function importKey(base64: string): Promise<CryptoKey | null> {
  if (!('subtle' in crypto)) return null;
  return crypto.subtle.importKey('raw', fromBase64(base64), 'AES-GCM', false, [
    'encrypt',
    'decrypt',
  ]);
}

export async function encryptValue(key: CryptoKey, value: unknown): Promise<EncryptedValue> {
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const plainBytes = new TextEncoder().encode(JSON.stringify(value));
  const data = await crypto.subtle.encrypt({ name: 'AES-GCM', iv: nonce }, key, plainBytes);
  return { nonce: toBase64(nonce), data: toBase64(new Uint8Array(data)) };
}

/** Decrypts a value. Returns null if it is damaged or belongs to another user. */
export async function decryptValue(key: CryptoKey, encryptedValue: unknown): Promise<unknown> {
  try {
    const { nonce, data } = encryptedValue as EncryptedValue;
    const algorithm = { name: 'AES-GCM', iv: fromBase64(nonce) };
    const plainBytes = await crypto.subtle.decrypt(algorithm, key, fromBase64(data));
    return JSON.parse(new TextDecoder().decode(plainBytes)) as unknown;
  } catch {
    return null;
  }
}
