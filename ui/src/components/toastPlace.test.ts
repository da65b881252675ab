import { describe, expect, it } from 'vitest';

import { findFreePlace, type Box } from './toastPlace';

const VIEW = { width: 1000, height: 600 };
const TOAST = { width: 300, height: 40 };
const IN_THE_MIDDLE = 350;
const AT_THE_BOTTOM = 600 - 40 - 12;

const covers = (box: Box, other: Box): boolean =>
  box.left < other.left + other.width &&
  other.left < box.left + box.width &&
  box.top < other.top + other.height &&
  other.top < box.top + box.height;

describe('the place of a toast', () => {
  it('is at the bottom in the middle', () => {
    const place = findFreePlace(TOAST, VIEW, []);
    expect(place).toMatchObject({ left: IN_THE_MIDDLE, top: AT_THE_BOTTOM });
  });

  it('is at a side if a button is in the middle', () => {
    const button = { left: 480, top: 560, width: 80, height: 30 };
    const place = findFreePlace(TOAST, VIEW, [button]);
    expect(place).toMatchObject({ left: 1000 - 300 - 12, top: AT_THE_BOTTOM });
  });

  it('avoids a button given as a DOMRect, whose properties are inherited', () => {
    const button = { left: 480, top: 560, width: 80, height: 30 };
    const place = findFreePlace(new DOMRect(12, 12, 300, 40), VIEW, [button]);
    expect(covers(place, button)).toBe(false);
  });

  it('is above a row of buttons', () => {
    const row = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((i) => ({
      left: i * 100,
      top: 560,
      width: 90,
      height: 30,
    }));
    const place = findFreePlace(TOAST, VIEW, row);
    expect(row.some((button) => covers(place, button))).toBe(false);
    expect(place.left).toBe(IN_THE_MIDDLE);
    expect(place.top).toBeGreaterThan(500);
  });

  it('covers as little as possible where nothing is free', () => {
    const wall = { left: 0, top: 0, width: 1000, height: 590 };
    expect(findFreePlace(TOAST, VIEW, [wall]).top).toBe(AT_THE_BOTTOM);
  });

  it('is inside a window that is smaller than the toast', () => {
    const place = findFreePlace({ width: 300, height: 400 }, { width: 320, height: 300 }, []);
    expect(place).toMatchObject({ left: 12, top: 12 });
  });
});
