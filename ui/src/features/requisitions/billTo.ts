/** Who is billed for a requisition, and the default. */
import { BillTo } from '../../contract';
import type { RequisitionPatient } from './api';

/** The names on the wire of the bill-to numbers. */
const BILL_TO_NAMES: Readonly<Record<number, string>> = {
  [BillTo.INSURANCE]: 'Insurance',
  [BillTo.CLIENT]: 'Client',
  [BillTo.PATIENT]: 'Patient',
};

export const billToOptions = Object.values(BILL_TO_NAMES).map((name) => ({
  value: name,
  label: name.toUpperCase(),
}));

/** Converts a wire name to its number; an unknown name is NONE. */
export function parseBillTo(name: string): BillTo {
  const entry = Object.entries(BILL_TO_NAMES).find(([, wireName]) => wireName === name);
  return entry ? (Number(entry[0]) as BillTo) : BillTo.NONE;
}

/** Returns whom to bill by default: as the patient's client says, or else INSURANCE (O 4). */
export function getDefaultBillTo(patient: RequisitionPatient | null): string {
  const defaultLabel = patient?.client?.defaultBillTo?.toUpperCase();
  const option = billToOptions.find(({ label }) => label === defaultLabel);
  return option?.value ?? 'Insurance';
}
