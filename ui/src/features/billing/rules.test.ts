import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { BillTo, choices } from '../../contract';
import {
  added,
  blankEntry,
  CLAIM_FIELDS,
  controls,
  heldOf,
  isComplete,
  isMissingInformation,
  missingFields,
  noPerson,
  removed,
  saved,
  SELF,
  completeFromPatient,
  unfinished,
  withBillType,
  withDifference,
  withRelationship,
  type Entry,
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
const complete: Entry = {
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
  .map(([who, relationship, differentThanPatient]) => ({
    ...blankEntry,
    ...who,
    key: 'k',
    order: 1,
    id: null,
    insuranceId: 'A1',
    relationship,
    differentThanPatient,
  }));
const entry: fc.Arbitrary<Entry> = fc.record({
  billType: fc.constantFrom(null, medicare),
  payer: fc.constantFrom(null, partB),
  insuranceId: text,
  groupNumber: text,
  relationship: fc.constantFrom('', ...choices.RELATIONSHIPS),
});
const rows = fc
  .array(row, { maxLength: 6 })
  .map((all) => all.map((one, index) => ({ ...one, key: `k${index}`, order: index + 1 })));
const rowsAndSelection = rows.chain((all) =>
  fc.record({
    all: fc.constant(all),
    selected: fc.subarray(all.map(({ key }) => key)).map((keys) => new Set(keys)),
  }),
);
const aRow = (change: Partial<Insurance> = {}): Insurance => ({
  ...blankEntry,
  ...maria,
  key: 'k',
  id: null,
  order: 1,
  differentThanPatient: false,
  ...change,
});

describe('Which buttons work', () => {
  it('add needs an insurance id that is not blank, a payer and a bill type', () => {
    fc.assert(
      fc.property(entry, (typed) => {
        const wanted =
          typed.insuranceId.trim() !== '' && typed.payer !== null && typed.billType !== null;
        expect(isComplete(typed)).toBe(wanted);
        expect(controls([], new Set(), typed, BillTo.PATIENT).add).toBe(wanted);
      }),
    );
  });

  it('save needs exactly one row and remove at least one; remove only where insurance is billed', () => {
    fc.assert(
      fc.property(rowsAndSelection, ({ all, selected }) => {
        const works = controls(all, selected, blankEntry, BillTo.INSURANCE);
        expect(works.save).toBe(selected.size === 1);
        expect(works.remove).toBe(selected.size > 0);
      }),
    );
  });

  it('up, down, refresh, undo and remove are off for other bill-to types, whatever is selected', () => {
    fc.assert(
      fc.property(
        rowsAndSelection,
        fc.constantFrom(BillTo.CLIENT, BillTo.PATIENT, BillTo.NONE),
        ({ all, selected }, billTo) => {
          const { remove, up, down, refresh, undo } = controls(all, selected, complete, billTo);
          expect([remove, up, down, refresh, undo]).toEqual(Array(5).fill(false));
        },
      ),
    );
  });
});

describe('Adding, saving and removing', () => {
  it('appends with order = count + 1 and capitals', () => {
    fc.assert(
      fc.property(rows, (all) => {
        const next = added(all, complete, 'new', maria);
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

  it('a new row of one’s own misses nothing that the patient has', () => {
    const [own] = added([], complete, 'new', maria);
    expect(own).toMatchObject({ ...maria, differentThanPatient: false });
    expect(own && isMissingInformation(own, maria)).toBe(false);
  });

  it('a new row of somebody else begins at the patient’s home, without the patient’s name', () => {
    const [other] = added([], { ...complete, relationship: 'SPOUSE' }, 'new', maria);
    expect(other).toMatchObject({ lastName: '', birthDate: '', address: maria.address });
    expect(other && missingFields(completeFromPatient(other, maria))).toEqual([
      'lastName',
      'firstName',
      'birthDate',
      'gender',
    ]);
  });

  it('saving overwrites one row and no other', () => {
    fc.assert(
      fc.property(rows, entry, (all, typed) => {
        const next = saved(all, 'k1', typed, maria);
        expect(next.map(({ key, order, id }) => ({ key, order, id }))).toEqual(
          all.map(({ key, order, id }) => ({ key, order, id })),
        );
        next.forEach((one, index) => {
          if (one.key !== 'k1') expect(one).toBe(all[index]);
          else expect(one.payer).toEqual(typed.payer);
        });
      }),
    );
  });

  it('removing renumbers from 1', () => {
    fc.assert(
      fc.property(rowsAndSelection, ({ all, selected }) => {
        const left = removed(all, selected);
        expect(left.map(({ order }) => order)).toEqual(left.map((_, index) => index + 1));
        expect(left).toHaveLength(all.length - selected.size);
      }),
    );
  });

  it('another bill type clears the payer, the same one does not', () => {
    expect(withBillType(complete, { id: 2, name: 'MEDICAID' }).payer).toBeNull();
    expect(withBillType(complete, medicare)).toBe(complete);
  });
});

describe('What is typed and not yet in a row', () => {
  it('is a new insurance once there is an id, a group or a payer', () => {
    expect(unfinished(blankEntry, null)).toBeNull();
    expect(unfinished({ ...blankEntry, insuranceId: 'A' }, null)).toBe('new');
    expect(unfinished({ ...blankEntry, payer: partB }, null)).toBe('new');
  });

  it('is a change when it differs from the selected row', () => {
    const one = aRow({ insuranceId: 'A' });
    expect(unfinished({ ...blankEntry, insuranceId: 'A' }, one)).toBeNull();
    expect(unfinished({ ...blankEntry, insuranceId: 'B' }, one)).toBe('changed');
  });
});

describe('SELF', () => {
  it('takes names, birth date, gender and address from the patient whenever it is saved', () => {
    fc.assert(
      fc.property(row, (one) => {
        const own = completeFromPatient({ ...one, relationship: SELF }, maria);
        const { phone, zipCodeName, zipCodePlus4, ...self } = maria;
        expect(own).toMatchObject(self);
        expect(own.phone).toBe(one.phone);
      }),
    );
  });

  it('writes the patient’s names in capitals and leaves out an unfinished birth date', () => {
    const own = completeFromPatient(aRow(), {
      ...maria,
      lastName: ' lopez ',
      birthDate: '03/04/19',
    });
    expect(own.lastName).toBe('LOPEZ');
    expect(own.birthDate).toBe('');
    expect(missingFields(own)).toEqual(['birthDate']);
  });

  it('chosen, ends a difference from the patient', () => {
    const own = withRelationship(
      aRow({ ...jose, relationship: 'SPOUSE', differentThanPatient: true }),
      SELF,
      maria,
    );
    expect(own).toMatchObject({ ...maria, relationship: SELF, differentThanPatient: false });
  });
});

describe('Other relationships', () => {
  it('take the patient’s zip code unless they are different from the patient', () => {
    fc.assert(
      fc.property(row, (one) => {
        const other = completeFromPatient({ ...one, relationship: 'SON' }, maria);
        const zip = one.differentThanPatient ? one.zipCodeName : maria.zipCodeName;
        expect(other.zipCodeName).toBe(zip);
        expect(other.lastName).toBe(one.lastName);
      }),
    );
  });

  it('completing twice changes nothing more', () => {
    fc.assert(
      fc.property(row, person, (one, patient) => {
        const once = completeFromPatient(one, patient);
        expect(completeFromPatient(once, patient)).toEqual(once);
      }),
    );
  });
});

describe('Different than patient', () => {
  const spouse = aRow({ ...jose, relationship: 'SPOUSE', differentThanPatient: true });

  it('off copies the patient’s data and sets SELF', () => {
    expect(withDifference(spouse, false, maria, null)).toMatchObject({
      ...maria,
      relationship: SELF,
      differentThanPatient: false,
    });
  });

  it('on clears the fields when they held nothing before', () => {
    expect(withDifference(aRow(), true, maria, null)).toMatchObject({
      ...noPerson,
      relationship: '',
      differentThanPatient: true,
    });
    expect(heldOf(aRow(), maria)).toBeNull();
    expect(heldOf(aRow({ ...noPerson, differentThanPatient: true }), maria)).toBeNull();
  });

  it('off and on again brings back what they held, for any row', () => {
    fc.assert(
      fc.property(row, person, (one, patient) => {
        const different = { ...one, differentThanPatient: true };
        const held = heldOf(different, patient);
        fc.pre(held !== null);
        const off = withDifference(different, false, patient, held);
        expect(withDifference(off, true, patient, held)).toEqual(different);
      }),
    );
  });

  it("on keeps what was typed of a spouse, but for the home that was the patient's", () => {
    const spouse = aRow({
      ...maria,
      relationship: 'SPOUSE',
      firstName: 'JOE',
      middleName: '',
      birthDate: '1970-01-01',
    });
    const on = withDifference(spouse, true, maria, heldOf(spouse, maria));
    expect(on).toMatchObject({
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

  it('SELF and back brings back whoever was typed before', () => {
    const spouse = aRow({ ...maria, relationship: 'SPOUSE', firstName: 'JOE', gender: 'MALE' });
    const held = heldOf(spouse, maria);
    const self = withRelationship(spouse, SELF, maria, held);
    expect(self.firstName).toBe('MARIA');
    expect(withRelationship(self, 'SPOUSE', maria, held)).toMatchObject({
      firstName: 'JOE',
      gender: 'MALE',
      address: maria.address,
    });
  });

  it('never touches what is written on the card', () => {
    fc.assert(
      fc.property(row, fc.boolean(), (one, on) => {
        const next = withDifference(one, on, maria, null);
        expect([next.payer, next.insuranceId, next.groupNumber]).toEqual([
          one.payer,
          one.insuranceId,
          one.groupNumber,
        ]);
      }),
    );
  });
});

describe('Missing information', () => {
  it('is flagged when any of the seven is empty, and only then', () => {
    fc.assert(
      fc.property(row, (one) => {
        const empty = CLAIM_FIELDS.filter((name) => one[name].trim() === '');
        expect(missingFields(one)).toEqual(empty);
      }),
    );
    for (const name of CLAIM_FIELDS) {
      const different = aRow({ ...jose, relationship: 'SON', differentThanPatient: true });
      expect(isMissingInformation({ ...different, [name]: '' }, maria)).toBe(true);
    }
  });

  it('does not ask for a middle name, a phone or the four digits', () => {
    const bare = { ...jose, middleName: '', phone: '', zipCodePlus4: '' };
    const one = aRow({ ...bare, relationship: 'SON', differentThanPatient: true });
    expect(isMissingInformation(one, maria)).toBe(false);
  });
});
