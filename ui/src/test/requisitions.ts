import { messages, RequisitionStatus } from '../contract';
import { nullFields } from '../contract/nullFields.generated';
import type { InsuranceRecord } from '../features/billing/api';
import type { Requisition, RequisitionRow } from '../features/requisitions/api';

const buildPermission = (allowed: boolean) => ({ allowed, reason: allowed ? null : 'Not now' });

/** What users of the client may do with the requisition. */
function buildPermissions({ status = 1, hasSignature = false, signedByMe }: Partial<Requisition>) {
  const isPending = status === RequisitionStatus.PENDING;
  const isCanceled = status === RequisitionStatus.CANCELED;
  return {
    canChange: buildPermission(isPending),
    canChangeContent: buildPermission(isPending && !hasSignature),
    canChangeClinical: buildPermission(isPending && !hasSignature),
    canChangeExtras: buildPermission(isPending),
    canSign: buildPermission(!isCanceled && !hasSignature),
    canUnsign: buildPermission(!isCanceled && hasSignature && signedByMe === true),
    canCancel: buildPermission(isPending),
    canReceive: buildPermission(false),
  };
}

/** What physicians may do: change some parts, and sign. */
export const physicianPermissions: Partial<Requisition> = {
  canChange: { allowed: false, reason: messages.REQUISITION_PHYSICIAN_PARTS },
  canChangeContent: { allowed: false, reason: messages.REQUISITION_PHYSICIAN_PARTS },
  canCancel: buildPermission(false),
};

/** What patients may do: read and sign. */
export const readerPermissions: Partial<Requisition> = {
  canChange: buildPermission(false),
  canChangeContent: buildPermission(false),
  canChangeClinical: buildPermission(false),
  canChangeExtras: buildPermission(false),
  canCancel: buildPermission(false),
};

/** A requisition with invented people. */
export function buildRequisition(change: Partial<Requisition> = {}): Requisition {
  return {
    ...nullFields.RequisitionRead,
    ...buildPermissions(change),
    id: 12,
    code: 'R260000012',
    version: 3,
    status: 1,
    collectionDate: '2026-03-27T08:35:00',
    fasting: 1,
    priority: 'ROUTINE',
    billTo: 'Client',
    hasSignature: false,
    signedByMe: false,
    patientId: 7,
    patient: {
      id: 7,
      code: 'P0000007',
      firstName: 'AISHA',
      middleName: null,
      lastName: 'OKONKWO',
      birthDate: '1952-04-17',
      gender: 'FEMALE',
      client: {
        id: 1,
        code: 'NSC',
        name: 'NORTH SHORE',
        webAccess: true,
        defaultBillTo: 'Client',
        requiresPhysician: false,
      },
      unit: { name: 'WEST' },
      room: { name: '101' },
      bed: 'A',
      primaryPhysician: { id: 3, npi: '2123456789', firstName: 'HELEN', lastName: 'CARTWRIGHT' },
    },
    tests: [
      {
        childId: 1,
        parentTestId: null,
        level: 0,
        isConfidential: false,
        test: { id: 20, code: 'TSH', name: 'Thyroid', alternateNames: '', type: 'TEST' },
        children: [],
      },
    ],
    treeTests: [],
    additionalTestsDxCodes: [],
    diagnoses: [],
    medications: [],
    billingInformation: [],
    additionalCopies: [],
    ...change,
  };
}

/** A physician and a diagnosis, without which signing would ask a question. */
export const complete: Partial<Requisition> = {
  physicianId: 3,
  physician: { id: 3, npi: '2123456789', firstName: 'HELEN', lastName: 'CARTWRIGHT' },
  diagnoses: [{ id: 2, code: 'I10', description: 'Hypertension', testId: null }],
};

export function buildRequisitionRow(change: Partial<RequisitionRow> = {}): RequisitionRow {
  return {
    ...nullFields.RequisitionsRow,
    id: 12,
    code: 'R260000012',
    collectionDate: '2026-03-27T08:35:00',
    patientLastName: 'OKONKWO',
    patientFirstName: 'AISHA',
    patientBirthDate: '1952-04-17',
    clientId: 1,
    clientName: 'NORTH SHORE',
    unit: 'WEST',
    room: '101',
    bed: 'A',
    tests: ['Thyroid', 'Lipid Panel'],
    testCodes: ['TSH', 'LIPID'],
    testIds: [81, 82],
    hasSignature: false,
    status: 1,
    version: 3,
    ...change,
  };
}

export function buildInsuranceRecord(change: Partial<InsuranceRecord> = {}): InsuranceRecord {
  return {
    id: 31,
    order: 1,
    billTypeId: 1,
    billType: 'COMMERCIAL',
    payerId: 1,
    payer: 'AETNA',
    insuranceId: 'W123',
    groupNumber: 'G1',
    relationship: 'SELF',
    differentThanPatient: false,
    lastName: 'OKONKWO',
    firstName: 'AISHA',
    middleName: null,
    birthDate: '1952-04-17',
    gender: 'FEMALE',
    phone: null,
    address: '12 LAKE ST',
    zipCode: { id: 1, code: '60601', city: 'CHICAGO', state: 'IL' },
    zipCodeId: 1,
    zipCodePlus4: '1234',
    missingInformation: false,
    ...change,
  };
}
