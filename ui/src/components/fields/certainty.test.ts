import { describe, expect, it } from 'vitest';

import { findMeaning, isSameText } from './certainty';

const matching = {
  isExact: isSameText,
  isMatch: (line: string, text: string) => line.includes(text.toUpperCase()),
};
const findLine = (lines: readonly string[], text: string) => findMeaning(lines, text, matching);

describe('The meaning of a typed text', () => {
  it.each([
    [['GLU', 'GLUCOSE TOLERANCE'], 'glu', 'GLU'],
    [['GLUCOSE TOLERANCE'], 'glu', 'GLUCOSE TOLERANCE'],
  ])('is the only exact match, or else the only match: %j, %s', (lines, text, line) => {
    expect(findLine(lines, text)).toEqual({ line, doubt: 'none' });
  });

  it('is in doubt if two lines match exactly', () => {
    expect(findLine(['GLU', 'Glu'], 'glu')).toEqual({ line: undefined, doubt: 'exact' });
  });

  it.each([[['GLUCOSE', 'GLUCAGON']], [['A1C', 'GLUCAGON']]])(
    'is in doubt if several lines match in part, or if one does and others are listed, too: %j',
    (lines) => {
      expect(findLine(lines, 'glu')).toEqual({ line: undefined, doubt: 'partial' });
    },
  );

  it.each([[[]], [['A1C']], [['A1C', 'TSH']]])(
    'is unknown if none of the lines matches: %j',
    (lines) => {
      expect(findLine(lines, 'glu')).toEqual({ line: undefined, doubt: 'none' });
    },
  );
});
