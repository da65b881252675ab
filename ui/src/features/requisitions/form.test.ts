import { describe, expect, it } from 'vitest';

import { today } from '../../lib/dates';
import { requisition } from '../../test/requisitions';
import type { RequisitionWrite } from './api';
import { fields, type FieldName } from './fields';
import { accepts, blankRequisition, fieldOptions, writeOf } from './form';

describe('A blank requisition', () => {
  it('is collected today at midnight, with priority ROUTINE and fasting unknown', () => {
    expect(writeOf(blankRequisition(null), null)).toMatchObject({
      collectionDate: `${today()}T00:00:00`,
      priority: 'ROUTINE',
      fasting: 0,
    });
  });

  it('is billed as the client of its patient says, otherwise to the insurance', () => {
    const { patient } = requisition();
    expect(blankRequisition(patient).billTo).toBe('Client');
    expect(blankRequisition(null).billTo).toBe('Insurance');
    expect(blankRequisition({ ...patient, client: null }).billTo).toBe('Insurance');
  });
});

describe('The table of fields', () => {
  const rows = Object.entries(fields);
  const sent = rows.flatMap(([, { wire }]) => wire ?? []);

  it('has a row for all that is sent of a requisition', () => {
    type Rowless = Exclude<keyof RequisitionWrite, (typeof fields)[FieldName]['wire']>;
    // The compiler names what has none.
    const rowless: [Rowless] extends [never] ? null : Rowless = null;
    expect(rowless).toBeNull();
    const written = writeOf({ ...blankRequisition(null), comments: '<p>Call</p>' }, null);
    expect(Object.keys(written).sort()).toEqual([...sent].sort());
  });

  it('leads a refusal to its field, and what is said about one row to that row', () => {
    const places = rows.flatMap(([name, { wire }]) => (wire === null ? [] : [[wire, name]]));
    for (const [wire = '', name] of places) expect(fieldOptions.fieldOf(wire)).toBe(name);
    expect(fieldOptions.fieldOf('diagnoses.1.testId')).toBe('diagnoses.1');
    expect(fieldOptions.fieldOf('additionalTestsDxCodes.0.id')).toBe('additional.0');
    expect(fieldOptions.fieldOf('tests.0.test.id')).toBe('tests');
    expect(fieldOptions.fieldOf('version')).toBeNull();
  });

  it('says what a signature leaves open', () => {
    const names = rows.map(([name]) => name);
    const accepted = (record: ReturnType<typeof requisition>) =>
      names.filter((name) => accepts(record, name));
    expect(accepted(requisition())).toEqual(names);
    expect(accepted(requisition({ hasSignature: true })).sort()).toEqual([
      'additionalCopies',
      'billTo',
      'billing',
      'comments',
    ]);
    expect(accepted(requisition({ status: 4 }))).toEqual([]);
  });
});
