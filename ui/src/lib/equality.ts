/** Sorts the keys of an object: the database returns stored JSON with its keys in another order. */
const sortKeys = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** Serializes a value to JSON with sorted keys, so that equal values give equal text. */
export const toStableJson = (value: unknown): string | undefined => JSON.stringify(value, sortKeys);

/** Whether two plain values are equal, whatever the order of their keys. */
export const isEqual = (a: unknown, b: unknown): boolean => toStableJson(a) === toStableJson(b);
