import { describe, expect, it } from 'vitest';

import type { PatientWrite } from './api';
import { fieldOptions, fields, type PatientField, type PatientValues } from './fields';
import { blank, prefillForm, toWrite } from './form';

const parameters = {
  lastName: 'Lopez',
  firstName: 'Maria',
  dob: '1961-03-04',
  ssn: '666-12-1234',
  race: 'BLACK OR AFRICAN AMERICAN',
  genderIdentity: '446141000124107',
  ethnicity: '0',
  sexualOrientation: 'ASKU',
};

describe('Route parameters', () => {
  it('fill their fields', () => {
    expect(prefillForm(parameters, null)).toEqual({
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

  it.each(Object.keys(parameters))("are absent where %s is the text 'null'", (name) => {
    const without = Object.fromEntries(Object.entries(parameters).filter(([key]) => key !== name));
    expect(prefillForm({ ...parameters, [name]: 'null' }, null)).toEqual(
      prefillForm(without, null),
    );
  });

  it('are dropped where they are invalid', () => {
    const nonsense = {
      dob: 'tomorrow',
      race: 'MARTIAN',
      genderIdentity: '1',
      ethnicity: '9',
      sexualOrientation: '?',
    };
    expect(prefillForm(nonsense, null)).toEqual(blank);
  });
});

describe('The table of fields', () => {
  const rows = Object.entries(fields);

  it('has a row for every field that is sent, and maps errors to it', () => {
    type Missing = Exclude<keyof PatientWrite, (typeof fields)[PatientField]['wire']>;
    // The compiler names the fields without a row.
    const missing: [Missing] extends [never] ? null : Missing = null;
    expect(missing).toBeNull();
    expect(Object.keys(toWrite(blank)).sort()).toEqual(rows.map(([, { wire }]) => wire).sort());
    for (const [name, { wire }] of rows) expect(fieldOptions.findField(wire)).toBe(name);
    const part = 'insuranceInformation.1.payerId';
    expect(fieldOptions.findField(part)).toBe(part);
  });

  it.each([
    [{ socialSecurityNumber: '666121234' }, '666-12-1234'],
    [{ genderIdentityId: '446141000124107' }, 'Female'],
    [{ ethnicity: '0' }, 'Hispanic Or Latino'],
    [{ ethnicity: '' }, 'none'],
    [{ sameAsClientAddress: true }, 'on'],
    [{ client: null }, 'none'],
    [{ medications: ['ASPIRIN', 'WARFARIN'] }, 'ASPIRIN, WARFARIN'],
  ] satisfies [Partial<PatientValues>, string][])('summarizes %j', (change, expected) => {
    const [name = ''] = Object.keys(change);
    expect(fieldOptions.summarize(name, { ...blank, ...change })).toBe(expected);
  });
});
