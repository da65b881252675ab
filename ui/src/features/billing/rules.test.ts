import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { BillTo, choices } from '../../contract';
import {
  addInsurance,
  blankLine,
  CLAIM_FIELDS,
  getControls,
  getOwnData,
  isComplete,
  isMissingInformation,
  findMissingFields,
  noPerson,
  removeInsurances,
  updateInsurance,
  SELF,
  completeFromPatient,
  findUnfinished,
  changeBillType,
  changeDifference,
  changeRelationship,
  type InsuranceLine,
  type Insurance,
  type InsuredPerson,
} from './rules';

const maria: InsuredPerson = {
  lastName: 'LOPEZ',
  firstName: 'MARIA',
  middleName: 'INEZ',
  birthDate: '1961-03-04',
  gender: 'FEMALE',
  phone: '3125550101',
  address: '12 LAKE ST',
  zipCodeName: '60601',
  zipCodePlus4: '1200',
};
const jose: InsuredPerson = {
  ...maria,
  firstName: 'JOSE',
  middleName: '',
  birthDate: '1958-07-01',
  gender: 'MALE',
  address: '9 HILL RD',
  zipCodeName: '60614',
  zipCodePlus4: '0009',
};
const medicare = { id: 1, name: 'MEDICARE' };
const partB = { id: 7, name: 'MEDICARE PART B' };
const complete: InsuranceLine = {
  billType: medicare,
  payer: partB,
  insuranceId: ' 1eg4-te5 ',
  groupNumber: 'g1',
  relationship: SELF,
};

const text = fc.constantFrom('', 'X', '  ', 'Ñandú 😀');
const person: fc.Arbitrary<InsuredPerson> = fc.record({
  lastName: text,
  firstName: text,
  middleName: text,
  birthDate: fc.constantFrom('', '1958-07-01'),
  gender: fc.constantFrom('', 'MALE', 'UNKNOWN'),
  phone: fc.constantFrom('', '3125550101'),
  address: text,
  zipCodeName: fc.constantFrom('', '60614'),
  zipCodePlus4: fc.constantFrom('', '0009'),
});
const row: fc.Arbitrary<Insurance> = fc
  .tuple(person, fc.constantFrom('', ...choices.RELATIONSHIPS), fc.boolean())
  .map(([insuredPerson, relationship, differentThanPatient]) => ({
    ...blankLine,
    ...insuredPerson,
    key: 'k',
    order: 1,
    id: null,
    insuranceId: 'A1',
    relationship,
    differentThanPatient,
  }));
const line: fc.Arbitrary<InsuranceLine> = fc.record({
  billType: fc.constantFrom(null, medicare),
  payer: fc.constantFrom(null, partB),
  insuranceId: text,
  groupNumber: text,
  relationship: fc.constantFrom('', ...choices.RELATIONSHIPS),
});
const rows = fc
  .array(row, { maxLength: 6 })
  .map((all) => all.map((item, index) => ({ ...item, key: `k${index}`, order: index + 1 })));
const rowsAndSelection = rows.chain((all) =>
  fc.record({
    all: fc.constant(all),
    selected: fc.subarray(all.map(({ key }) => key)).map((keys) => new Set(keys)),
  }),
);
const createRow = (change: Partial<Insurance> = {}): Insurance => ({
  ...blankLine,
  ...maria,
  key: 'k',
  id: null,
  order: 1,
  differentThanPatient: false,
  ...change,
});

describe('The enabled actions', () => {
  it('include Add with an insurance id, a payer and a bill type', () => {
    fc.assert(
      fc.property(line, (typedLine) => {
        const expected =
          typedLine.insuranceId.trim() !== '' &&
          typedLine.payer !== null &&
          typedLine.billType !== null;
        expect(isComplete(typedLine)).toBe(expected);
        expect(getControls([], new Set(), typedLine, BillTo.PATIENT).add).toBe(expected);
      }),
    );
  });

  it('include Save for exactly one row, and Remove for at least one while insurance is billed', () => {
    fc.assert(
      fc.property(rowsAndSelection, ({ all, selected }) => {
        const controls = getControls(all, selected, blankLine, BillTo.INSURANCE);
        expect(controls.save).toBe(selected.size === 1);
        expect(controls.remove).toBe(selected.size > 0);
      }),
    );
  });

  it('exclude Move Up, Move Down, Refresh, Undo and Remove for other bill-to types', () => {
    fc.assert(
      fc.property(
        rowsAndSelection,
        fc.constantFrom(BillTo.CLIENT, BillTo.PATIENT, BillTo.NONE),
        ({ all, selected }, billTo) => {
          const { remove, up, down, refresh, undo } = getControls(all, selected, complete, billTo);
          expect([remove, up, down, refresh, undo]).toEqual(Array(5).fill(false));
        },
      ),
    );
  });
});

describe('Adding, saving and removing', () => {
  it('appends a row in upper case, with the next number', () => {
    fc.assert(
      fc.property(rows, (all) => {
        const next = addInsurance(all, complete, 'new', maria);
        expect(next.slice(0, -1)).toEqual(all);
        expect(next.at(-1)).toMatchObject({
          key: 'new',
          id: null,
          order: all.length + 1,
          insuranceId: '1EG4-TE5',
          groupNumber: 'G1',
        });
      }),
    );
  });

  it('copies all data of the patient for SELF', () => {
    const [selfRow] = addInsurance([], complete, 'new', maria);
    expect(selfRow).toMatchObject({ ...maria, differentThanPatient: false });
    expect(selfRow && isMissingInformation(selfRow, maria)).toBe(false);
  });

  it("copies the patient's address but not their name for another relationship", () => {
    const [spouseRow] = addInsurance([], { ...complete, relationship: 'SPOUSE' }, 'new', maria);
    expect(spouseRow).toMatchObject({ lastName: '', birthDate: '', address: maria.address });
    expect(spouseRow && findMissingFields(completeFromPatient(spouseRow, maria))).toEqual([
      'lastName',
      'firstName',
      'birthDate',
      'gender',
    ]);
  });

  it('overwrites only the saved row', () => {
    fc.assert(
      fc.property(rows, line, (all, typedLine) => {
        const next = updateInsurance(all, 'k1', typedLine, maria);
        expect(next.map(({ key, order, id }) => ({ key, order, id }))).toEqual(
          all.map(({ key, order, id }) => ({ key, order, id })),
        );
        next.forEach((updatedRow, index) => {
          if (updatedRow.key !== 'k1') expect(updatedRow).toBe(all[index]);
          else expect(updatedRow.payer).toEqual(typedLine.payer);
        });
      }),
    );
  });

  it('renumbers from 1 after removing', () => {
    fc.assert(
      fc.property(rowsAndSelection, ({ all, selected }) => {
        const remaining = removeInsurances(all, selected);
        expect(remaining.map(({ order }) => order)).toEqual(remaining.map((_, index) => index + 1));
        expect(remaining).toHaveLength(all.length - selected.size);
      }),
    );
  });

  it('clears the payer when the bill type changes', () => {
    expect(changeBillType(complete, { id: 2, name: 'MEDICAID' }).payer).toBeNull();
    expect(changeBillType(complete, medicare)).toBe(complete);
  });
});

describe('An unfinished line', () => {
  it('is new once it has an id, a group or a payer', () => {
    expect(findUnfinished(blankLine, null)).toBeNull();
    expect(findUnfinished({ ...blankLine, insuranceId: 'A' }, null)).toBe('new');
    expect(findUnfinished({ ...blankLine, payer: partB }, null)).toBe('new');
  });

  it('is changed when it differs from the selected row', () => {
    const selectedRow = createRow({ insuranceId: 'A' });
    expect(findUnfinished({ ...blankLine, insuranceId: 'A' }, selectedRow)).toBeNull();
    expect(findUnfinished({ ...blankLine, insuranceId: 'B' }, selectedRow)).toBe('changed');
  });
});

describe('SELF', () => {
  it('copies names, birth date, gender and address from the patient on every save', () => {
    fc.assert(
      fc.property(row, (original) => {
        const selfRow = completeFromPatient({ ...original, relationship: SELF }, maria);
        const { phone, zipCodeName, zipCodePlus4, ...self } = maria;
        expect(selfRow).toMatchObject(self);
        expect(selfRow.phone).toBe(original.phone);
      }),
    );
  });

  it('writes names in upper case and omits an unfinished birth date', () => {
    const selfRow = completeFromPatient(createRow(), {
      ...maria,
      lastName: ' lopez ',
      birthDate: '03/04/19',
    });
    expect(selfRow.lastName).toBe('LOPEZ');
    expect(selfRow.birthDate).toBe('');
    expect(findMissingFields(selfRow)).toEqual(['birthDate']);
  });

  it('removes the mark that the insured differs from the patient', () => {
    const selfRow = changeRelationship(
      createRow({ ...jose, relationship: 'SPOUSE', differentThanPatient: true }),
      SELF,
      maria,
    );
    expect(selfRow).toMatchObject({ ...maria, relationship: SELF, differentThanPatient: false });
  });
});

describe('Other relationships', () => {
  it("copy the patient's zip code unless the insured is different from the patient", () => {
    fc.assert(
      fc.property(row, (original) => {
        const sonRow = completeFromPatient({ ...original, relationship: 'SON' }, maria);
        const zip = original.differentThanPatient ? original.zipCodeName : maria.zipCodeName;
        expect(sonRow.zipCodeName).toBe(zip);
        expect(sonRow.lastName).toBe(original.lastName);
      }),
    );
  });

  it('are not changed by completing the row again', () => {
    fc.assert(
      fc.property(row, person, (original, patient) => {
        const completedRow = completeFromPatient(original, patient);
        expect(completeFromPatient(completedRow, patient)).toEqual(completedRow);
      }),
    );
  });
});

describe('Different than patient', () => {
  const spouse = createRow({ ...jose, relationship: 'SPOUSE', differentThanPatient: true });

  it("switched off, copies the patient's data and sets SELF", () => {
    expect(changeDifference(spouse, false, maria, null)).toMatchObject({
      ...maria,
      relationship: SELF,
      differentThanPatient: false,
    });
  });

  it('switched on, clears the fields without earlier data', () => {
    expect(changeDifference(createRow(), true, maria, null)).toMatchObject({
      ...noPerson,
      relationship: '',
      differentThanPatient: true,
    });
    expect(getOwnData(createRow(), maria)).toBeNull();
    expect(getOwnData(createRow({ ...noPerson, differentThanPatient: true }), maria)).toBeNull();
  });

  it('switched off and on, restores the earlier data', () => {
    fc.assert(
      fc.property(row, person, (original, patient) => {
        const different = { ...original, differentThanPatient: true };
        const ownData = getOwnData(different, patient);
        fc.pre(ownData !== null);
        const off = changeDifference(different, false, patient, ownData);
        expect(changeDifference(off, true, patient, ownData)).toEqual(different);
      }),
    );
  });

  it("switched on, keeps the data of a spouse except for the patient's address", () => {
    const spouseRow = createRow({
      ...maria,
      relationship: 'SPOUSE',
      firstName: 'JOE',
      middleName: '',
      birthDate: '1970-01-01',
    });
    const different = changeDifference(spouseRow, true, maria, getOwnData(spouseRow, maria));
    expect(different).toMatchObject({
      relationship: 'SPOUSE',
      lastName: maria.lastName,
      firstName: 'JOE',
      birthDate: '1970-01-01',
      gender: maria.gender,
      address: '',
      zipCodeName: '',
      differentThanPatient: true,
    });
  });

  it('restores the earlier person after SELF and back', () => {
    const spouseRow = createRow({
      ...maria,
      relationship: 'SPOUSE',
      firstName: 'JOE',
      gender: 'MALE',
    });
    const ownData = getOwnData(spouseRow, maria);
    const self = changeRelationship(spouseRow, SELF, maria, ownData);
    expect(self.firstName).toBe('MARIA');
    expect(changeRelationship(self, 'SPOUSE', maria, ownData)).toMatchObject({
      firstName: 'JOE',
      gender: 'MALE',
      address: maria.address,
    });
  });

  it('never changes the data of the insurance card', () => {
    fc.assert(
      fc.property(row, fc.boolean(), (original, isDifferent) => {
        const next = changeDifference(original, isDifferent, maria, null);
        expect([next.payer, next.insuranceId, next.groupNumber]).toEqual([
          original.payer,
          original.insuranceId,
          original.groupNumber,
        ]);
      }),
    );
  });
});

describe('Missing information', () => {
  it('is reported exactly if one of the seven fields is empty', () => {
    fc.assert(
      fc.property(row, (original) => {
        const empty = CLAIM_FIELDS.filter((name) => original[name].trim() === '');
        expect(findMissingFields(original)).toEqual(empty);
      }),
    );
    for (const name of CLAIM_FIELDS) {
      const different = createRow({ ...jose, relationship: 'SON', differentThanPatient: true });
      expect(isMissingInformation({ ...different, [name]: '' }, maria)).toBe(true);
    }
  });

  it('does not include middle name, phone or zip plus 4', () => {
    const sparsePerson = { ...jose, middleName: '', phone: '', zipCodePlus4: '' };
    const son = createRow({ ...sparsePerson, relationship: 'SON', differentThanPatient: true });
    expect(isMissingInformation(son, maria)).toBe(false);
  });
});
