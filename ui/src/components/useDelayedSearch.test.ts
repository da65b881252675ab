import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { limits } from '../contract';
import { useDelayedSearch } from './useDelayedSearch';

const DEFAULTS = { name: 'today' };
const same = (values: { name: string }) => values;
const pass = (ms: number): void => {
  act(() => {
    vi.advanceTimersByTime(ms);
  });
};

const defaults = () => DEFAULTS;
const isNamed = ({ name }: { name: string }) => name !== '';

const search = () =>
  renderHook(() => useDelayedSearch(defaults, limits.REQUISITION_FILTER_DELAY_MS, same, isNamed))
    .result;

describe('A search screen', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('applies its filters half a second after they were submitted', () => {
    const result = search();
    act(() => result.current.change({ name: 'other' }));
    act(() => void result.current.submit());
    pass(499);
    expect(result.current.applied).toBeNull();
    expect(result.current.waiting).toBe(true);
    pass(1);
    expect(result.current.applied).toEqual({ name: 'other' });
    expect(result.current.waiting).toBe(false);
  });

  it('waits for whoever is in the middle of a value', () => {
    const result = search();
    act(() => result.current.change({ name: '' }));
    pass(10_000);
    expect(result.current.applied).toBeNull();
    act(() => void result.current.submit());
    pass(1_000);
    expect(result.current.applied).toBeNull();
    act(() => result.current.change({ name: 'whole' }));
    pass(1_000);
    expect(result.current.applied).toEqual({ name: 'whole' });
  });

  it('shows what it filled in where that is what stops it', () => {
    const filled = ({ name }: { name: string }) => ({ name: name || 'a crossed period' });
    const { result } = renderHook(() =>
      useDelayedSearch(defaults, 500, filled, ({ name }) => name !== 'a crossed period'),
    );
    pass(2_500);
    act(() => result.current.change({ name: '' }));
    let isSearched = true;
    act(() => {
      isSearched = result.current.submit();
    });
    pass(1_000);
    expect(isSearched).toBe(false);
    expect(result.current.values).toEqual({ name: 'a crossed period' });
    expect(result.current.applied).toEqual(DEFAULTS);
  });

  it('submits by itself two seconds after it appears, and not again after a search', () => {
    const result = search();
    pass(2_000 + 499);
    expect(result.current.run).toBe(0);
    pass(1);
    expect(result.current.run).toBe(1);
    pass(60_000);
    expect(result.current.run).toBe(1);
  });

  it('restores the defaults without searching', () => {
    const result = search();
    pass(2_500);
    act(() => result.current.change({ name: 'other' }));
    act(() => result.current.clear());
    pass(5_000);
    expect(result.current.values).toEqual(DEFAULTS);
    expect(result.current.run).toBe(1);
  });
});
