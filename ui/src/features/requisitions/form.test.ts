import { describe, expect, it } from 'vitest';

import { today } from '../../lib/dates';
import { requisition } from '../../test/requisitions';
import { blankRequisition, writeOf } from './form';

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
