import { describe, expect, it } from 'vitest';

import { buildMatrix, isPortalPath, parseMatrix, splitPersonal } from './matrix';

describe('parseMatrix', () => {
  it('reads matrix parameters and the path without them', () => {
    expect(parseMatrix('/secured/results/order;id=12;tab=x')).toEqual({
      path: '/secured/results/order',
      parameters: { id: '12', tab: 'x' },
    });
  });

  it('accepts a query too, and lets the matrix win', () => {
    expect(parseMatrix('/a;id=1', '?id=2&b=3').parameters).toEqual({ id: '1', b: '3' });
  });

  it("takes the text 'null' and an empty value as absent", () => {
    expect(parseMatrix('/a;id=null;b=', '?c=null').parameters).toEqual({});
  });

  it('survives an address with broken percent signs', () => {
    expect(parseMatrix('/a;name=50%').parameters).toEqual({ name: '50%' });
  });
});

describe('buildMatrix', () => {
  it('gives back what parseMatrix reads, whatever the values hold', () => {
    const parameters = { a: 'x;y=z/?#', b: "O'NEILL (JR)", c: 'ñ 100%' };
    const { path, parameters: read } = parseMatrix(buildMatrix('/secured/x', parameters));
    expect(path).toBe('/secured/x');
    expect(read).toEqual(parameters);
  });

  it('leaves absent values out', () => {
    expect(buildMatrix('/a', { id: null, b: undefined, c: '', d: 0 })).toBe('/a;d=0');
  });
});

describe('isPortalPath', () => {
  it.each(['/secured/requisitions/create', '/secured/results/order;id=1'])('takes %s', (path) => {
    expect(isPortalPath(path)).toBe(true);
  });

  it.each(['https://evil.test', '//evil.test', '/secured//evil.test', '/secured/\\evil', '/login'])(
    'refuses %s',
    (path) => {
      expect(isPortalPath(path)).toBe(false);
    },
  );
});

describe('splitPersonal', () => {
  it('takes what identifies a person out of the address', () => {
    expect(splitPersonal({ id: '1', lastName: 'X', dob: '01/01/1950' })).toEqual({
      personal: { lastName: 'X', dob: '01/01/1950' },
      rest: { id: '1' },
    });
  });
});
