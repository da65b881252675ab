/** Who may be billed for a requisition, and who is unless somebody says otherwise. */
import { BillTo } from '../../contract';
import type { RequisitionPatient } from './api';

/** The names that answer for the bill-to numbers on the wire. */
const BILL_TO_NAMES: Readonly<Record<number, string>> = {
  [BillTo.INSURANCE]: 'Insurance',
  [BillTo.CLIENT]: 'Client',
  [BillTo.PATIENT]: 'Patient',
};

export const billToOptions = Object.values(BILL_TO_NAMES).map((name) => ({
  value: name,
  label: name.toUpperCase(),
}));

/** The number of a wire name; whatever is none of the three is no choice. */
export function billToOf(name: string): BillTo {
  const found = Object.entries(BILL_TO_NAMES).find(([, one]) => one === name);
  return found ? (Number(found[0]) as BillTo) : BillTo.NONE;
}

/** O 4: from the patient's client, otherwise INSURANCE. */
export function defaultBillTo(patient: RequisitionPatient | null): string {
  const wanted = patient?.client?.defaultBillTo?.toUpperCase();
  const option = billToOptions.find(({ label }) => label === wanted);
  return option?.value ?? 'Insurance';
}
