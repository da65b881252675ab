import { describe, expect, it } from 'vitest';

import { limits } from '../../contract';
import { importKey, seal, unseal } from './sealed';
import { unexpired, withRecent, type Recent } from './useRecents';

const now = new Date('2026-03-04T08:00:00Z');
const hour = 3_600_000;
const later = (hours: number) => new Date(now.getTime() + hours * hour);

describe('Recent records', () => {
  it('come newest first and are not added twice', () => {
    const one = withRecent<{ id: number }>([], { id: 1 }, now);
    const two = withRecent(one, { id: 2 }, later(1));
    const again = withRecent(two, { id: 1 }, later(2));
    expect(again.map(({ id }) => id)).toEqual([2, 1]);
    expect(again[1]?.recentDate).toBe(now.toISOString());
  });

  it('are gone twelve hours after they were used', () => {
    const list = withRecent<{ id: number }>([], { id: 1 }, now);
    expect(unexpired(list, later(limits.RECENT_EXPIRY_HOURS - 0.1))).toHaveLength(1);
    expect(unexpired(list, later(limits.RECENT_EXPIRY_HOURS))).toHaveLength(0);
  });

  it.each([null, 'text', 7, {}])('are none where %j is stored', (stored) => {
    expect(unexpired(stored, now)).toEqual([]);
  });

  it('do not grow without end', () => {
    let list: Recent<{ id: number }>[] = [];
    for (let id = 1; id < 60; id += 1) list = withRecent(list, { id }, now);
    expect(list).toHaveLength(20);
    expect(list[0]?.id).toBe(59);
  });
});

describe('What is stored', () => {
  const keyOf = (byte: number) => importKey(btoa(String.fromCharCode(byte).repeat(32)));

  it('is read with the key it was sealed with, and with no other', async () => {
    const [own, other] = await Promise.all([keyOf(1), keyOf(2)]);
    if (own === null || other === null) throw new Error('no cryptography');
    const sealed = await seal(own, [{ lastName: 'ÓSCAR O’NEIL' }]);
    expect(JSON.stringify(sealed)).not.toContain('SCAR');
    expect(await unseal(own, sealed)).toEqual([{ lastName: 'ÓSCAR O’NEIL' }]);
    expect(await unseal(other, sealed)).toBeNull();
    expect(await unseal(own, { nonce: '!', data: '' })).toBeNull();
    expect(await unseal(own, null)).toBeNull();
  });
});
