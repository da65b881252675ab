import { Role } from '../contract';
import CumulativeResults from '../features/results/screens/CumulativeResults';
import { buildProfile, renderPortal } from './render';

export const ORDER = '/api/v2/orders/12';
export const info = {
  orderId: 12,
  codeValue: 'L260000012',
  collectionDate: '2026-03-04T07:30:00',
  patientId: 5,
  patientCode: 'P0000005',
  patientFirstName: 'MARIA',
  patientMiddleName: null,
  patientLastName: 'LOPEZ',
  patientBirthDate: '1961-03-04',
  patientGender: 'FEMALE',
  patientAddress: '12 LAKE ST',
  patientCity: 'CHICAGO',
  patientState: 'IL',
  patientZipCode: '60601',
  patientPhone: '312-555-0101',
  hasClinicalResult: true,
  hasMicrobiologyResult: true,
  hasToxicologyResult: false,
};
export const result = {
  id: 1,
  testId: 7,
  series: '7-1',
  name: 'GLUCOSE',
  result: '142',
  unit: 'mg/dL',
  resultType: 1,
  isAbnormal: true,
  isCritical: false,
  isCorrected: false,
  comment: null,
  organisms: [],
  number: 142,
  sign: null,
  flag: 'H',
  method: 'HEXOKINASE',
  referenceRange: '70 - 99',
  low: 70,
  high: 99,
  isUnitChanged: false,
  isMethodChanged: false,
  isRangeChanged: true,
};
const earlierResult = {
  ...result,
  id: 2,
  result: '101',
  number: 101,
  flag: null,
  isAbnormal: false,
  referenceRange: '65 - 110',
  isRangeChanged: false,
};
/** The results of two days, the newest first. */
export const days = [
  {
    collectionDate: '2026-03-04',
    orders: [
      {
        id: 12,
        code: 'L260000012',
        date: '2026-03-04T07:30:00',
        client: 'LAKESHORE',
        results: [result],
      },
    ],
  },
  {
    collectionDate: '2026-01-05',
    orders: [
      {
        id: 9,
        code: 'L260000009',
        date: '2026-01-05T00:00:00',
        client: 'LAKESHORE',
        results: [earlierResult],
      },
    ],
  },
];

/** Renders the screen of the cumulative results of order 12. */
export const renderCumulativeResults = (
  answers: Record<string, unknown>,
  role: Role = Role.CLIENT_BASIC,
) =>
  renderPortal(<CumulativeResults />, {
    user: buildProfile(role),
    parameters: { id: '12' },
    answers: {
      [`GET ${ORDER}/cumulative-result-info`]: info,
      'GET /api/v2/clients/by-order-tests-in-time-range': [
        { id: 4, code: 'C4', name: 'LAKESHORE' },
      ],
      ...answers,
    },
  });
