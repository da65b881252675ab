import { act, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { limits } from '../../contract';
import { renderPortal } from '../../test/render';
import { importKey, encryptValue, decryptValue } from './encryption';
import { filterUnexpired, addRecent, useRecents, type Recent } from './useRecents';

const now = new Date('2026-03-04T08:00:00Z');
const HOUR_MS = 3_600_000;
const addHours = (hours: number) => new Date(now.getTime() + hours * HOUR_MS);

describe('Recent records', () => {
  it('are sorted newest first and not added twice', () => {
    const first = addRecent<{ id: number }>([], { id: 1 }, now);
    const second = addRecent(first, { id: 2 }, addHours(1));
    const third = addRecent(second, { id: 1 }, addHours(2));
    expect(third.map(({ id }) => id)).toEqual([2, 1]);
    expect(third[1]?.recentDate).toBe(now.toISOString());
  });

  it('expire after twelve hours', () => {
    const list = addRecent<{ id: number }>([], { id: 1 }, now);
    expect(filterUnexpired(list, addHours(limits.RECENT_EXPIRY_HOURS - 0.1))).toHaveLength(1);
    expect(filterUnexpired(list, addHours(limits.RECENT_EXPIRY_HOURS))).toHaveLength(0);
  });

  it.each([null, 'text', 7, {}])('are empty when %j is stored', (storedItems) => {
    expect(filterUnexpired(storedItems, now)).toEqual([]);
  });

  it('are limited in number', () => {
    let list: Recent<{ id: number }>[] = [];
    for (let id = 1; id < 60; id += 1) list = addRecent(list, { id }, now);
    expect(list).toHaveLength(20);
    expect(list[0]?.id).toBe(59);
  });
});

describe('Stored recent records', () => {
  const createKey = (byte: number) => importKey(btoa(String.fromCharCode(byte).repeat(32)));

  it('can be read only with the key that encrypted them', async () => {
    const [ownKey, otherKey] = await Promise.all([createKey(1), createKey(2)]);
    if (ownKey === null || otherKey === null) throw new Error('no cryptography');
    const encryptedValue = await encryptValue(ownKey, [{ lastName: 'ÓSCAR O’NEIL' }]);
    expect(JSON.stringify(encryptedValue)).not.toContain('SCAR');
    expect(await decryptValue(ownKey, encryptedValue)).toEqual([{ lastName: 'ÓSCAR O’NEIL' }]);
    expect(await decryptValue(otherKey, encryptedValue)).toBeNull();
    expect(await decryptValue(ownKey, { nonce: '!', data: '' })).toBeNull();
    expect(await decryptValue(ownKey, null)).toBeNull();
  });
});

describe('Records added at the same moment', () => {
  afterEach(() => vi.unstubAllGlobals());

  /** Locks as browsers have them: a task starts when the one before it has ended. */
  function createLocks() {
    let last: Promise<unknown> = Promise.resolve();
    return {
      request: (_name: string, task: () => Promise<unknown>) => {
        last = last.then(task);
        return last;
      },
    };
  }

  let add: (item: { id: number }) => Promise<void>;

  function Recents() {
    const list = useRecents<{ id: number }>('recentPatients');
    add = list.add;
    return <output>{list.recents.map(({ id }) => id).join(', ')}</output>;
  }

  it('are all stored', async () => {
    vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { locks: createLocks() }));
    await renderPortal(<Recents />, {
      answers: { 'GET /auth/storage-key': { key: btoa('k'.repeat(32)) } },
    });
    await act(() => Promise.all([add({ id: 1 }), add({ id: 2 }), add({ id: 3 })]));
    expect(await screen.findByText('3, 2, 1')).toBeVisible();
  });
});
