import type { RequisitionPatient } from './api';

/** The parts of a patient that a requisition keeps as they were when it was saved. */
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

/** Whether a requisition of both would keep the same data. */
export const isSameSnapshot = (a: RequisitionPatient, b: RequisitionPatient): boolean =>
  JSON.stringify(takeSnapshot(a)) === JSON.stringify(takeSnapshot(b));
