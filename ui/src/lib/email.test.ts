import { describe, expect, it } from 'vitest';

import { isEmail } from './email';

describe('an e-mail address', () => {
  it('is one, and nothing that could be read as several or is not seen', () => {
    expect(isEmail('ann.o-neil+lab@clinic.example')).toBe(true);
    expect(isEmail('añn@clínic.example')).toBe(true);
    for (const other of [':', ',', ';', ' ', '\u0085', '\u2028', '\u200b', '\u00a0']) {
      expect(isEmail(`a${other}b@clinic.example`)).toBe(false);
      expect(isEmail(`ab@cli${other}nic.example`)).toBe(false);
    }
  });
});
