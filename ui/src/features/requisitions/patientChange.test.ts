import { describe, expect, it } from 'vitest';

import { buildRequisition } from '../../test/requisitions';
import { getPatientLists } from './fields';
import { buildBlankValues } from './form';
import { mergeLists, changePatient } from './patientChange';

const createDiagnosis = (id: number) => ({ id, code: `D${id}`, description: '' });
const createOrdered = (id: number, testId: number | null = null) => ({
  ...createDiagnosis(id),
  testId,
});
const { patient } = buildRequisition();
const previousPatient = {
  ...patient,
  diagnoses: [createDiagnosis(1), createDiagnosis(2)],
  medications: [{ name: 'OLD' }],
};
const newPatient = {
  ...patient,
  id: 9,
  diagnoses: [createDiagnosis(2), createDiagnosis(3)],
  medications: [{ name: 'NEW' }],
};

describe('The lists of another patient', () => {
  it("drop the previous patient's items, keep typed ones and start with the new patient's", () => {
    const enteredLists = {
      diagnoses: [
        createOrdered(1, 20),
        createOrdered(1, 21),
        createOrdered(2, 20),
        createOrdered(4),
      ],
      medications: ['OLD', 'TYPED'],
    };
    expect(mergeLists(newPatient, enteredLists, previousPatient)).toEqual({
      diagnoses: [createOrdered(3), createOrdered(2, 20), createOrdered(4)],
      medications: ['NEW', 'TYPED'],
      removed: ['D1', 'OLD'],
      entered: { diagnoses: [createOrdered(4)], medications: ['TYPED'] },
    });
  });

  it("start with the patient's items when there was no patient before", () => {
    const enteredLists = { diagnoses: [createOrdered(4)], medications: [] };
    expect(mergeLists(newPatient, enteredLists, null)).toEqual({
      diagnoses: [createOrdered(2), createOrdered(3), createOrdered(4)],
      medications: ['NEW'],
      removed: [],
      entered: { diagnoses: [createOrdered(4)], medications: [] },
    });
  });

  it('drop the items of a copy', () => {
    const enteredLists = { diagnoses: [createOrdered(7, 20)], medications: ['COPIED'] };
    expect(mergeLists(newPatient, enteredLists, previousPatient, enteredLists)).toMatchObject({
      removed: ['D7', 'COPIED'],
    });
  });
});

describe('A form with the unchanged lists of its patient', () => {
  it("follows the patient's lists, even after a draft reordered its keys", () => {
    const reverseKeys = <Row extends object>(row: Row) =>
      Object.fromEntries(Object.entries(row).reverse()) as Row;
    const earlier = { ...previousPatient, medications: [] };
    const form = {
      ...buildBlankValues(earlier),
      diagnoses: getPatientLists(earlier).diagnoses.map(reverseKeys),
    };
    const { values } = changePatient(form, { ...newPatient, id: earlier.id }, earlier);
    expect(values.diagnoses).toEqual([createOrdered(2), createOrdered(3)]);
    expect(values.medications).toEqual(['NEW']);
  });
});
