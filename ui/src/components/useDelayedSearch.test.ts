import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { limits } from '../contract';
import { useDelayedSearch } from './useDelayedSearch';

const DEFAULTS = { name: 'today' };
const keepValues = (values: { name: string }) => values;
const advanceTimers = (ms: number): void => {
  act(() => {
    vi.advanceTimersByTime(ms);
  });
};

const defaults = () => DEFAULTS;
const isNamed = ({ name }: { name: string }) => name !== '';

const renderSearch = () =>
  renderHook(() =>
    useDelayedSearch(defaults, limits.REQUISITION_FILTER_DELAY_MS, keepValues, isNamed),
  ).result;

describe('A delayed search', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('applies its filters half a second after they were submitted', () => {
    const result = renderSearch();
    act(() => result.current.change({ name: 'other' }));
    act(() => void result.current.submit());
    advanceTimers(499);
    expect(result.current.applied).toBeNull();
    expect(result.current.isWaiting).toBe(true);
    advanceTimers(1);
    expect(result.current.applied).toEqual({ name: 'other' });
    expect(result.current.isWaiting).toBe(false);
  });

  it('waits until an unfinished value is valid', () => {
    const result = renderSearch();
    act(() => result.current.change({ name: '' }));
    advanceTimers(10_000);
    expect(result.current.applied).toBeNull();
    act(() => void result.current.submit());
    advanceTimers(1_000);
    expect(result.current.applied).toBeNull();
    act(() => result.current.change({ name: 'whole' }));
    advanceTimers(1_000);
    expect(result.current.applied).toEqual({ name: 'whole' });
  });

  it('shows prepared values that prevent the search', () => {
    const fillIn = ({ name }: { name: string }) => ({ name: name || 'a crossed period' });
    const { result } = renderHook(() =>
      useDelayedSearch(defaults, 500, fillIn, ({ name }) => name !== 'a crossed period'),
    );
    advanceTimers(2_500);
    act(() => result.current.change({ name: '' }));
    let isSearched = true;
    act(() => {
      isSearched = result.current.submit();
    });
    advanceTimers(1_000);
    expect(isSearched).toBe(false);
    expect(result.current.values).toEqual({ name: 'a crossed period' });
    expect(result.current.applied).toEqual(DEFAULTS);
  });

  it('submits by itself two seconds after it appears, but not again after a search', () => {
    const result = renderSearch();
    advanceTimers(2_000 + 499);
    expect(result.current.run).toBe(0);
    advanceTimers(1);
    expect(result.current.run).toBe(1);
    advanceTimers(60_000);
    expect(result.current.run).toBe(1);
  });

  it('restores the defaults without searching', () => {
    const result = renderSearch();
    advanceTimers(2_500);
    act(() => result.current.change({ name: 'other' }));
    act(() => result.current.clear());
    advanceTimers(5_000);
    expect(result.current.values).toEqual(DEFAULTS);
    expect(result.current.run).toBe(1);
  });
});
