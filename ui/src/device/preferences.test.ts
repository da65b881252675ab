import { beforeEach, describe, expect, it } from 'vitest';

import { BrowserPreferences } from './preferences';

describe('Preferences of a browser', () => {
  beforeEach(() => localStorage.clear());

  it.each(['printer', 'recentPatients', 'recentRequisitions'])(
    'are stored under the keys of the specification: %s',
    (key) => {
      const preferences = new BrowserPreferences();
      preferences.set(key, 'one');
      expect(localStorage.getItem(key)).toBe('"one"');
      expect(preferences.get(key)).toBe('one');
      preferences.remove(key);
      expect(localStorage).toHaveLength(0);
    },
  );

  it('include the printer that an earlier version stored', () => {
    localStorage.setItem('portal.printer', '"earlier"');
    const preferences = new BrowserPreferences();
    expect(preferences.get('printer')).toBe('earlier');
    preferences.set('printer', 'later');
    expect(localStorage.getItem('portal.printer')).toBeNull();
    expect(preferences.get('printer')).toBe('later');
  });
});
