import { describe, expect, it } from 'vitest';

import { findMeaning, isSameText } from './certainty';

const matching = {
  isExact: isSameText,
  isMatch: (line: string, text: string) => line.includes(text.toUpperCase()),
};
const find = (lines: readonly string[], text: string) => findMeaning(lines, text, matching);

describe('The meaning of a typed text', () => {
  it.each([
    [['GLU', 'GLUCOSE TOLERANCE'], 'glu', 'GLU'],
    [['GLUCOSE TOLERANCE'], 'glu', 'GLUCOSE TOLERANCE'],
  ])('is the only exact match, or else the only match: %j, %s', (lines, text, line) => {
    expect(find(lines, text)).toEqual({ line, doubt: 'none' });
  });

  it.each([
    [['GLU', 'Glu'], 'glu', 'exact'],
    [['GLUCOSE', 'GLUCAGON'], 'glu', 'partial'],
    [['A1C', 'GLUCAGON'], 'glu', 'partial'],
  ])('is in doubt among several lines: %j, %s', (lines, text, doubt) => {
    expect(find(lines, text)).toEqual({ line: undefined, doubt });
  });

  it.each([[[]], [['A1C']], [['A1C', 'TSH']]])('is no line of %j', (lines) => {
    expect(find(lines, 'glu')).toEqual({ line: undefined, doubt: 'none' });
  });
});
