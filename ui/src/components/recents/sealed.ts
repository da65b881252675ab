/** Patient data at rest in a browser: encrypted with a key that only the portal gives out. */
export interface Sealed {
  /** Base64. */
  nonce: string;
  data: string;
}

const NONCE_BYTES = 12;

const toBase64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));
const fromBase64 = (text: string) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));

/** A key from its 32 bytes in base64; null where the browser has no cryptography (plain http). */
export async function importKey(base64: string): Promise<CryptoKey | null> {
  if (!('subtle' in crypto)) return null;
  return crypto.subtle.importKey('raw', fromBase64(base64), 'AES-GCM', false, [
    'encrypt',
    'decrypt',
  ]);
}

export async function seal(key: CryptoKey, value: unknown): Promise<Sealed> {
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const plain = new TextEncoder().encode(JSON.stringify(value));
  const data = await crypto.subtle.encrypt({ name: 'AES-GCM', iv: nonce }, key, plain);
  return { nonce: toBase64(nonce), data: toBase64(new Uint8Array(data)) };
}

/** The value, or null when it was sealed for somebody else or is damaged. */
export async function unseal(key: CryptoKey, sealed: unknown): Promise<unknown> {
  try {
    const { nonce, data } = sealed as Sealed;
    const algorithm = { name: 'AES-GCM', iv: fromBase64(nonce) };
    const plain = await crypto.subtle.decrypt(algorithm, key, fromBase64(data));
    return JSON.parse(new TextDecoder().decode(plain)) as unknown;
  } catch {
    return null;
  }
}
