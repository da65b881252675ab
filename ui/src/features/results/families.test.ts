import { describe, expect, it } from 'vitest';

import { ResultKind } from '../../contract';
import { chooseFirstFamily, listFamilies } from './families';

const noFamilies = {
  hasClinicalResult: false,
  hasMicrobiologyResult: false,
  hasToxicologyResult: false,
  hasPathologyResult: false,
};

describe('The families of an order', () => {
  it('are those that it has, in the order of their tabs', () => {
    const types = { ...noFamilies, hasPathologyResult: true, hasMicrobiologyResult: true };
    expect(listFamilies(types)).toEqual([ResultKind.MICROBIOLOGY, ResultKind.PATHOLOGY]);
    expect(listFamilies(noFamilies)).toEqual([]);
  });

  it.each([
    [['clinical', 'microbiology', 'toxicology', 'pathology'], 'clinical'],
    [['microbiology', 'toxicology', 'pathology'], 'toxicology'],
    [['microbiology', 'pathology'], 'microbiology'],
    [['pathology'], 'pathology'],
    [[], null],
  ] as const)(
    'open first with Clinical, Toxicology, Microbiology, Pathology: %j',
    (kinds, first) => {
      expect(chooseFirstFamily(kinds)).toBe(first);
    },
  );
});
