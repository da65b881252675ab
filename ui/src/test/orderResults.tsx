import { Role } from '../contract';
import OrderResults from '../features/results/screens/OrderResults';
import { allowed } from './orders';
import { buildProfile, renderPortal } from './render';

/** A row of released results without a flag. */
export const row = {
  parentKey: 1,
  comment: null,
  unit: 'mg/dL',
  referenceRange: '70 - 99',
  clinicalRangeComment: null,
  resultReportComments: [],
  isAbnormal: false,
  isCritical: false,
  hasNoRange: false,
  isPanel: false,
  isCorrected: false,
  corrections: [],
  withheld: null,
  awaitsCollection: false,
  status: 16,
};

export const results = [
  { ...row, key: 1, parentKey: null, name: 'PANEL', result: null, flag: null, isPanel: true },
  {
    ...row,
    key: 2,
    name: 'GLUCOSE',
    result: '512',
    flag: 'HH',
    isAbnormal: true,
    isCritical: true,
    isCorrected: true,
    corrections: [
      {
        result: '51',
        flag: 'L',
        unit: 'mg/dL',
        referenceRange: '70 - 99',
        correctedAt: '2026-03-04T10:01:00',
        correctedBy: 'Lee Bench',
        reason: 'Wrong specimen or patient',
        words: 'Tube of the bed beside',
      },
    ],
  },
  { ...row, key: 3, name: 'SODIUM', result: null, flag: null, status: 1 },
];

export const tube = {
  id: 1,
  number: 1,
  container: 'GOLD TOP',
  specimen: 'SERUM',
  state: 'received',
  conditions: [],
  conditionCodes: [],
  conditionWords: null,
  isNeeded: true,
  isReplacement: false,
  collectedAt: null,
  receivedAt: '2026-03-04T09:30:00',
  receivedBy: 'Lee Bench',
  reason: null,
  reasonWords: null,
  rejectedAt: null,
  rejectedBy: null,
};
export const specimens = {
  orderId: 12,
  version: 3,
  specimenCondition: 'ACCEPTABLE',
  awaitsCollection: false,
  collectionSites: [],
  entryAlert: null,
  tubes: [tube],
  clientToCall: null,
  canChange: allowed,
};

/** Renders the results of order 12 for a person of a role. */
export function renderOrder(answers: Record<string, unknown>, role: Role = Role.PHYSICIAN) {
  return renderPortal(<OrderResults />, {
    user: buildProfile(role),
    parameters: { id: '12' },
    answers: { 'GET /api/v2/orders/12/specimens': specimens, ...answers },
  });
}
