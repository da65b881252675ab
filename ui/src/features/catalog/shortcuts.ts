/** Only the first favorites have a key. */
const KEY_COUNT = 9;

/** Returns the key of the favorite at an index, as shown to people; '' if it has none. */
export const getShortcut = (index: number): string =>
  index < KEY_COUNT ? `Alt+Shift+${index + 1}` : '';
