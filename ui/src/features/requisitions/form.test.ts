import { describe, expect, it } from 'vitest';

import { getToday } from '../../lib/dates';
import { buildRequisition } from '../../test/requisitions';
import type { RequisitionWrite } from './api';
import { fields, type FieldName } from './fields';
import { isEditable, buildBlankValues, fieldOptions, buildWrite } from './form';

describe('A blank requisition', () => {
  it('is collected today at midnight, with priority ROUTINE and fasting unknown', () => {
    expect(buildWrite(buildBlankValues(null), null)).toMatchObject({
      collectionDate: `${getToday()}T00:00:00`,
      priority: 'ROUTINE',
      fasting: 0,
    });
  });

  it("is billed as its patient's client says, otherwise to insurance", () => {
    const { patient } = buildRequisition();
    expect(buildBlankValues(patient).billTo).toBe('Client');
    expect(buildBlankValues(null).billTo).toBe('Insurance');
    expect(buildBlankValues({ ...patient, client: null }).billTo).toBe('Insurance');
  });
});

describe('The table of fields', () => {
  const rows = Object.entries(fields);
  const wireNames = rows.flatMap(([, { wire }]) => wire ?? []);

  it('has a row for every field that is sent', () => {
    // The patient's row also writes `refreshPatient`.
    type Wire = (typeof fields)[FieldName]['wire'] | 'refreshPatient';
    type Missing = Exclude<keyof RequisitionWrite, Wire>;
    // The compiler names the fields without a row.
    const missing: [Missing] extends [never] ? null : Missing = null;
    expect(missing).toBeNull();
    const body = buildWrite({ ...buildBlankValues(null), comments: '<p>Call</p>' }, null);
    expect(Object.keys(body).sort()).toEqual([...wireNames].sort());
  });

  it('maps errors to their fields and rows', () => {
    const fieldsByWire = rows.flatMap(([name, { wire }]) => (wire === null ? [] : [[wire, name]]));
    for (const [wire = '', name] of fieldsByWire) expect(fieldOptions.findField(wire)).toBe(name);
    expect(fieldOptions.findField('diagnoses.1.testId')).toBe('diagnoses.1');
    expect(fieldOptions.findField('additionalTestsDxCodes.0.id')).toBe('additional.0');
    expect(fieldOptions.findField('tests.0.test.id')).toBe('tests');
    expect(fieldOptions.findField('version')).toBeNull();
  });

  it('knows which fields stay editable after signing', () => {
    const names = rows.map(([name]) => name);
    const listEditable = (record: ReturnType<typeof buildRequisition>) =>
      names.filter((name) => isEditable(record, name));
    expect(listEditable(buildRequisition())).toEqual(names);
    expect(listEditable(buildRequisition({ hasSignature: true })).sort()).toEqual([
      'additionalCopies',
      'billTo',
      'billing',
      'comments',
    ]);
    expect(listEditable(buildRequisition({ status: 4 }))).toEqual([]);
  });
});
