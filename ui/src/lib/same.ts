/** An object with its keys in order: what the portal's database kept comes back in another. */
const ordered = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** The same text for values that say the same. */
export const textOf = (value: unknown): string | undefined => JSON.stringify(value, ordered);

/** Whether two plain values say the same, in whatever order their keys stand. */
export const isSame = (a: unknown, b: unknown): boolean => textOf(a) === textOf(b);
