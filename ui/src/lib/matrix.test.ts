import { describe, expect, it } from 'vitest';

import { buildMatrix, isPortalPath, parseMatrix, splitPersonalParameters } from './matrix';

describe('parseMatrix', () => {
  it('reads matrix parameters and the path without them', () => {
    expect(parseMatrix('/secured/results/order;id=12;tab=x')).toEqual({
      path: '/secured/results/order',
      parameters: { id: '12', tab: 'x' },
    });
  });

  it('accepts a query too, and the matrix overrides it', () => {
    expect(parseMatrix('/a;id=1', '?id=2&b=3').parameters).toEqual({ id: '1', b: '3' });
  });

  it("treats the text 'null' and an empty value as absent", () => {
    expect(parseMatrix('/a;id=null;b=', '?c=null').parameters).toEqual({});
  });

  it('survives an address with broken percent signs', () => {
    expect(parseMatrix('/a;name=50%').parameters).toEqual({ name: '50%' });
  });
});

describe('buildMatrix', () => {
  it('preserves every value when parseMatrix reads it back', () => {
    const parameters = { a: 'x;y=z/?#', b: "O'NEILL (JR)", c: 'ñ 100%' };
    const { path, parameters: parsedParameters } = parseMatrix(
      buildMatrix('/secured/x', parameters),
    );
    expect(path).toBe('/secured/x');
    expect(parsedParameters).toEqual(parameters);
  });

  it('pollutes no prototype with names that people put into an address', () => {
    const { parameters } = parseMatrix('/secured/x;__proto__=polluted;id=12', '?constructor=own');
    expect(Object.getPrototypeOf(parameters)).toBe(Object.prototype);
    expect({ ...parameters }).toEqual({ constructor: 'own', id: '12' });
    expect('polluted' in {}).toBe(false);
  });

  it('leaves absent values out', () => {
    expect(buildMatrix('/a', { id: null, b: undefined, c: '', d: 0 })).toBe('/a;d=0');
  });
});

describe('isPortalPath', () => {
  it.each(['/secured/requisitions/create', '/secured/results/order;id=1'])('accepts %s', (path) => {
    expect(isPortalPath(path)).toBe(true);
  });

  it.each(['https://evil.test', '//evil.test', '/secured//evil.test', '/secured/\\evil', '/login'])(
    'rejects %s',
    (path) => {
      expect(isPortalPath(path)).toBe(false);
    },
  );
});

describe('splitPersonalParameters', () => {
  it('separates the parameters that identify a person', () => {
    expect(splitPersonalParameters({ id: '1', lastName: 'X', dob: '01/01/1950' })).toEqual({
      personal: { lastName: 'X', dob: '01/01/1950' },
      other: { id: '1' },
    });
  });
});
