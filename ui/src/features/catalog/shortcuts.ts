/** Favorites beyond these have no key of their own. */
const KEYS = 9;

/** The key of the favorite at a place (from 0), as people read it; '' when it has none. */
export const shortcutOf = (place: number): string => (place < KEYS ? `Alt+Shift+${place + 1}` : '');
