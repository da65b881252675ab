import { act, renderHook } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { useSearch } from './useSearch';

const DEFAULTS = { name: 'today' };
const keepValues = (values: { name: string }) => values;
const getDefaults = () => DEFAULTS;
const isNamed = ({ name }: { name: string }) => name !== '';

const renderSearch = (initial = getDefaults) =>
  renderHook(() => useSearch(initial, keepValues, isNamed)).result;

describe('A search', () => {
  it('searches for its defaults as soon as it appears', () => {
    const result = renderSearch();
    expect(result.current).toMatchObject({ applied: DEFAULTS, run: 1 });
  });

  it('waits for values if its defaults cannot be searched for', () => {
    const result = renderSearch(() => ({ name: '' }));
    expect(result.current).toMatchObject({ applied: null, run: 0 });
    act(() => result.current.change({ name: 'whole' }));
    act(() => void result.current.submit());
    expect(result.current).toMatchObject({ applied: { name: 'whole' }, run: 1 });
  });

  it('applies submitted values at once, and not before', () => {
    const result = renderSearch();
    act(() => result.current.change({ name: 'other' }));
    expect(result.current.applied).toEqual(DEFAULTS);
    act(() => void result.current.submit());
    expect(result.current).toMatchObject({ applied: { name: 'other' }, run: 2 });
  });

  it('shows prepared values that prevent the search', () => {
    const fillIn = ({ name }: { name: string }) => ({ name: name || 'a crossed period' });
    const { result } = renderHook(() =>
      useSearch(getDefaults, fillIn, ({ name }) => name !== 'a crossed period'),
    );
    act(() => result.current.change({ name: '' }));
    let isSearched = true;
    act(() => {
      isSearched = result.current.submit();
    });
    expect(isSearched).toBe(false);
    expect(result.current.values).toEqual({ name: 'a crossed period' });
    expect(result.current.applied).toEqual(DEFAULTS);
  });

  it('restores the defaults without searching', () => {
    const result = renderSearch();
    act(() => result.current.change({ name: 'other' }));
    act(() => result.current.clear());
    expect(result.current).toMatchObject({ values: DEFAULTS, run: 1, isOutdated: false });
  });

  it('is outdated while the values differ from those of the last search', () => {
    const result = renderSearch();
    expect(result.current.isOutdated).toBe(false);
    act(() => result.current.apply({ name: 'other' }));
    expect(result.current.isOutdated).toBe(false);
    act(() => result.current.clear());
    expect(result.current).toMatchObject({ applied: { name: 'other' }, isOutdated: true });
    act(() => void result.current.submit());
    expect(result.current.isOutdated).toBe(false);
  });
});
