import { describe, expect, it } from 'vitest';

import { blank, prefilled } from './form';

const named = {
  lastName: 'Lopez',
  firstName: 'Maria',
  dob: '1961-03-04',
  ssn: '666-12-1234',
  race: 'BLACK OR AFRICAN AMERICAN',
  genderIdentity: '446141000124107',
  ethnicity: '0',
  sexualOrientation: 'ASKU',
};

describe('What the route hands over', () => {
  it('fills the fields that it names', () => {
    expect(prefilled(named, null)).toEqual({
      ...blank,
      lastName: 'LOPEZ',
      firstName: 'MARIA',
      birthDate: '1961-03-04',
      socialSecurityNumber: '666121234',
      race: 'BLACK OR AFRICAN AMERICAN',
      genderIdentityId: '446141000124107',
      ethnicity: '0',
      sexualOrientationId: 'ASKU',
    });
  });

  it.each(Object.keys(named))("is absent where %s is the text 'null'", (name) => {
    const without = Object.fromEntries(Object.entries(named).filter(([one]) => one !== name));
    expect(prefilled({ ...named, [name]: 'null' }, null)).toEqual(prefilled(without, null));
  });

  it('is dropped where it makes no sense', () => {
    const nonsense = {
      dob: 'tomorrow',
      race: 'MARTIAN',
      genderIdentity: '1',
      ethnicity: '9',
      sexualOrientation: '?',
    };
    expect(prefilled(nonsense, null)).toEqual(blank);
  });
});
