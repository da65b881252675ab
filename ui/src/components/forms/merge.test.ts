import { describe, expect, it } from 'vitest';

import { merge } from './merge';

const base = { priority: 'ROUTINE', comments: '', tests: [1] };

describe('Two people at one record', () => {
  it('both keep what only they changed', () => {
    const found = merge(base, { ...base, comments: 'Mine' }, { ...base, priority: 'STAT' });
    expect(found.values).toEqual({ priority: 'STAT', comments: 'Mine', tests: [1] });
    expect(found).toMatchObject({ taken: ['priority'], contested: [] });
  });

  it('are told where both changed the same', () => {
    const found = merge(base, { ...base, tests: [1, 2] }, { ...base, tests: [] });
    expect(found.values.tests).toEqual([1, 2]);
    expect(found).toMatchObject({ taken: [], contested: ['tests'] });
  });

  it('agree where both changed it to the same', () => {
    const both = { ...base, priority: 'STAT' };
    expect(merge(base, both, both)).toEqual({ values: both, taken: [], contested: [] });
  });
});
