import { describe, expect, it } from 'vitest';

import type { PatientWrite } from './api';
import { fieldOptions, fields, type PatientField, type PatientValues } from './fields';
import { blank, prefilled, toWrite } from './form';

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

describe('The table of fields', () => {
  const rows = Object.entries(fields);

  it('has a row for all that is sent of a patient, and leads its refusal there', () => {
    type Rowless = Exclude<keyof PatientWrite, (typeof fields)[PatientField]['wire']>;
    // The compiler names what has none.
    const rowless: [Rowless] extends [never] ? null : Rowless = null;
    expect(rowless).toBeNull();
    expect(Object.keys(toWrite(blank)).sort()).toEqual(rows.map(([, { wire }]) => wire).sort());
    for (const [name, { wire }] of rows) expect(fieldOptions.fieldOf(wire)).toBe(name);
    const part = 'insuranceInformation.1.payerId';
    expect(fieldOptions.fieldOf(part)).toBe(part);
  });

  it.each([
    [{ socialSecurityNumber: '666121234' }, '666-12-1234'],
    [{ genderIdentityId: '446141000124107' }, 'Female'],
    [{ ethnicity: '0' }, 'Hispanic Or Latino'],
    [{ ethnicity: '' }, 'none'],
    [{ sameAsClientAddress: true }, 'on'],
    [{ client: null }, 'none'],
    [{ medications: ['ASPIRIN', 'WARFARIN'] }, 'ASPIRIN, WARFARIN'],
  ] satisfies [Partial<PatientValues>, string][])('says %j in words', (change, words) => {
    const [name = ''] = Object.keys(change);
    expect(fieldOptions.brieflyOf(name, { ...blank, ...change })).toBe(words);
  });
});
