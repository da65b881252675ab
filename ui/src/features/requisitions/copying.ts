import { queryOptions } from '@tanstack/react-query';

import { api } from '../../api';
import type { TestTree } from '../catalog/api';
import type { ChosenTest } from '../catalog/components/TestPicker';
import { loadPatient } from '../patients/api';
import type { Wire } from '../../contract';
import { richOfComments } from './comments';
import type { RequisitionValues } from './fields';
import { blankRequisition } from './form';

/** What the portal lets a copy begin with today; `left` says in words what could not come along. */
type CopyRecord = Wire<'CopyRead'>;

/** A new requisition like an earlier one, as yet unsaved (ADR 14). */
export interface Copied {
  of: string;
  left: readonly string[];
  values: RequisitionValues;
}

const chosenOf = (test: TestTree, isConfidential = false): ChosenTest => ({
  test,
  isConfidential,
  children: test.children.map((child) => chosenOf(child)),
});

/** A copy is taken once; what is typed on it must not be replaced by another. */
export const copyQuery = (id: number) =>
  queryOptions({
    queryKey: ['requisition-copy', id],
    queryFn: ({ signal }) => loadCopy(id, signal),
    staleTime: Infinity,
    gcTime: 0,
    meta: { quiet: true },
  });

async function loadCopy(id: number, signal?: AbortSignal): Promise<Copied> {
  const copy = await api.get<CopyRecord>(`/api/v2/requisitions/${id}/copy`, { signal });
  const patient = await loadPatient(copy.patientId, signal);
  const blank = blankRequisition(patient);
  const rows = copy.billingInfo.flatMap((row) => blank.billing.filter((one) => one.id === row));
  const primary = patient.primaryPhysician;
  return {
    of: copy.code,
    left: copy.left,
    values: {
      ...blank,
      physician: copy.physician,
      sameAsPrimary: primary !== null && primary.id === copy.physician?.id,
      billTo: copy.billTo,
      comments: richOfComments(copy.comments),
      tests: copy.tests.map(({ test, isConfidential }) => chosenOf(test, isConfidential)),
      diagnoses: copy.diagnoses,
      additional: copy.additionalTestsDxCodes,
      medications: copy.medications.map(({ name }) => name),
      billing: rows.map((row, index) => ({ ...row, order: index + 1 })),
    },
  };
}
