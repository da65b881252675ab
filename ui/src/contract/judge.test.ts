import { describe, expect, it } from 'vitest';

import { judge, mayEver, messages, RequisitionStatus, Role, say } from '.';

const pendingRow = { status: RequisitionStatus.PENDING, hasSignature: false };
const doneRow = { status: RequisitionStatus.DONE, hasSignature: true };

describe('Permissions known to the interface', () => {
  it('depend on the state of the row', () => {
    expect(judge('receiveRequisition', Role.LABORATORY, pendingRow)).toEqual({
      allowed: true,
      reason: null,
    });
    const code = 'R260000012';
    expect(judge('receiveRequisition', Role.LABORATORY, doneRow, { number: '260000012' })).toEqual({
      allowed: false,
      reason: say(messages.REQUISITION_ALREADY_RECEIVED, { code, order: 'L260000012' }),
    });
  });

  it('depend on the role', () => {
    expect(judge('receiveRequisition', Role.CLIENT_BASIC, pendingRow)).toEqual({
      allowed: false,
      reason: messages.FORBIDDEN,
    });
    expect(judge('orderTest', Role.LABORATORY, { onList: false }).allowed).toBe(true);
    expect(judge('orderTest', Role.CLIENT_BASIC, { onList: false }).allowed).toBe(false);
  });

  it('deny an unknown state', () => {
    const unknownRow = { ...pendingRow, status: RequisitionStatus.NONE };
    expect(judge('signRequisition', Role.SUPERUSER, unknownRow)).toEqual({
      allowed: false,
      reason: null,
    });
  });

  it('say whether a role is ever allowed', () => {
    expect(mayEver('receiveRequisition', Role.LABORATORY)).toBe(true);
    expect(mayEver('receiveRequisition', Role.PHYSICIAN)).toBe(false);
    expect(mayEver('changePatient', Role.CLIENT_BASIC)).toBe(true);
    expect(mayEver('changePatient', Role.PATIENT)).toBe(false);
  });
});
