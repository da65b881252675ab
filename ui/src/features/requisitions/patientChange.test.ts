import { describe, expect, it } from 'vitest';

import { requisition } from '../../test/requisitions';
import { listsOf } from './fields';
import { blankRequisition } from './form';
import { listsFor, withPatient } from './patientChange';

const code = (id: number) => ({ id, code: `D${id}`, description: '' });
const ordered = (id: number, testId: number | null = null) => ({ ...code(id), testId });
const { patient } = requisition();
const before = { ...patient, diagnoses: [code(1), code(2)], medications: [{ name: 'OLD' }] };
const now = { ...patient, id: 9, diagnoses: [code(2), code(3)], medications: [{ name: 'NEW' }] };

describe('The lists of another patient', () => {
  it('lose what came with the one before, keep what was typed and begin with their own', () => {
    const entered = {
      diagnoses: [ordered(1, 20), ordered(1, 21), ordered(2, 20), ordered(4)],
      medications: ['OLD', 'TYPED'],
    };
    expect(listsFor(now, entered, before)).toEqual({
      diagnoses: [ordered(3), ordered(2, 20), ordered(4)],
      medications: ['NEW', 'TYPED'],
      removed: ['D1', 'OLD'],
    });
  });

  it('are put before what was typed when nobody was chosen', () => {
    const entered = { diagnoses: [ordered(4)], medications: [] };
    expect(listsFor(now, entered, null)).toEqual({
      diagnoses: [ordered(2), ordered(3), ordered(4)],
      medications: ['NEW'],
      removed: [],
    });
  });

  it('lose what a copy of the one before brought along', () => {
    const entered = { diagnoses: [ordered(7, 20)], medications: ['COPIED'] };
    expect(listsFor(now, entered, before, entered)).toMatchObject({ removed: ['D7', 'COPIED'] });
  });
});

describe('A form that still has the lists of its patient', () => {
  it('follows them, also when a draft was put back with its keys in another order', () => {
    const mirrored = <Row extends object>(row: Row) =>
      Object.fromEntries(Object.entries(row).reverse()) as Row;
    const then = { ...before, medications: [] };
    const form = { ...blankRequisition(then), diagnoses: listsOf(then).diagnoses.map(mirrored) };
    const { values } = withPatient(form, { ...now, id: then.id }, then);
    expect(values.diagnoses).toEqual([ordered(2), ordered(3)]);
    expect(values.medications).toEqual(['NEW']);
  });
});
