import { describe, expect, it } from 'vitest';

import { isEmail } from './email';

describe('isEmail', () => {
  it('accepts one address, without separators or invisible characters', () => {
    expect(isEmail('ann.o-neil+lab@clinic.example')).toBe(true);
    expect(isEmail('añn@clínic.example')).toBe(true);
    for (const character of [':', ',', ';', ' ', '\u0085', '\u2028', '\u200b', '\u00a0']) {
      expect(isEmail(`a${character}b@clinic.example`)).toBe(false);
      expect(isEmail(`ab@cli${character}nic.example`)).toBe(false);
    }
  });
});
