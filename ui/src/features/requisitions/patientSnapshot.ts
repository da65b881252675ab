import type { RequisitionPatient } from './api';

/** Lists the parts of a patient that a requisition stores as they were when it was saved. */
const takeSnapshot = (patient: RequisitionPatient) => [
  patient.id,
  patient.lastName,
  patient.firstName,
  patient.middleName ?? null,
  patient.birthDate,
  patient.gender,
  patient.client?.id ?? null,
  patient.unit?.name ?? null,
  patient.room?.name ?? null,
  patient.bed ?? null,
];

/** Whether a requisition would store the same data of both patients. */
export const isSameSnapshot = (a: RequisitionPatient, b: RequisitionPatient): boolean =>
  JSON.stringify(takeSnapshot(a)) === JSON.stringify(takeSnapshot(b));
