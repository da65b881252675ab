import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { getToday } from './dates';
import { formatInstant } from './instants';
import { compareClocks, setLabClock, toLabTime } from './labClock';

const TOKYO = 'Asia/Tokyo';
const NOON = new Date('2026-03-09T12:00:00Z');
const getLocalZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOON });
});

afterEach(() => {
  setLabClock({ timeZone: getLocalZone(), now: new Date().toISOString() });
  vi.useRealTimers();
});

describe("The lab's clock", () => {
  it('shows an instant in the zone of the lab, across midnight', () => {
    setLabClock({ timeZone: TOKYO, now: NOON.toISOString() });
    expect(formatInstant('2026-03-09T14:05:00Z')).toBe('03/09/2026 11:05 PM');
    expect(formatInstant('2026-03-09T15:05:00+00:00')).toBe('03/10/2026 12:05 AM');
  });

  it("returns the lab's day as today, by the portal's clock", () => {
    setLabClock({ timeZone: TOKYO, now: '2026-03-11T16:00:00Z' });
    expect(getToday()).toBe('2026-03-12');
    expect(toLabTime()).toEqual({ day: '2026-03-12', time: '01:00' });
  });

  it('agrees with a workstation of the same zone within a minute', () => {
    setLabClock({ timeZone: getLocalZone(), now: '2026-03-09T12:00:59Z' });
    expect(compareClocks()).toBeNull();
  });

  it('reports a clock that is wrong by more than a minute', () => {
    setLabClock({ timeZone: getLocalZone(), now: '2026-03-09T11:58:00Z' });
    expect(compareClocks()).toMatchObject({ isWrong: true });
  });

  it('reports another zone without calling the clock wrong', () => {
    setLabClock({ timeZone: 'Pacific/Kiritimati', now: NOON.toISOString() });
    expect(compareClocks()).toMatchObject({
      isWrong: false,
      lab: { day: '2026-03-10', time: '02:00' },
    });
  });

  it("keeps the workstation's zone when the browser does not know the lab's", () => {
    setLabClock({ timeZone: 'Nowhere/Unknown', now: NOON.toISOString() });
    expect(compareClocks()).toBeNull();
  });
});
