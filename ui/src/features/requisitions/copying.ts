import { queryOptions } from '@tanstack/react-query';

import { api } from '../../api';
import type { TestTree } from '../catalog/api';
import type { ChosenTest } from '../catalog/components/TestPicker';
import { loadPatient } from '../patients/api';
import type { Wire } from '../../contract';
import { commentsToHtml } from './comments';
import type { RequisitionValues } from './fields';
import { buildBlankValues } from './form';

/** The parts of a requisition that a copy may contain; `left` lists the others. */
type CopyRecord = Wire<'CopyRead'>;

/** A new, unsaved requisition copied from an earlier one (ADR 14). */
export interface RequisitionCopy {
  sourceCode: string;
  omittedParts: readonly string[];
  values: RequisitionValues;
}

const toChosenTest = (test: TestTree, isConfidential = false): ChosenTest => ({
  test,
  isConfidential,
  children: test.children.map((child) => toChosenTest(child)),
});

/** Loaded only once: a reload must not replace what was typed on the copy. */
export const copyQuery = (id: number) =>
  queryOptions({
    queryKey: ['requisition-copy', id],
    queryFn: ({ signal }) => loadCopy(id, signal),
    staleTime: Infinity,
    gcTime: 0,
    meta: { quiet: true },
  });

async function loadCopy(id: number, signal?: AbortSignal): Promise<RequisitionCopy> {
  const copy = await api.get<CopyRecord>(`/api/v2/requisitions/${id}/copy`, { signal });
  const patient = await loadPatient(copy.patientId, signal);
  const blank = buildBlankValues(patient);
  const rows = copy.billingInfo.flatMap((id) => blank.billing.filter((row) => row.id === id));
  const primary = patient.primaryPhysician;
  return {
    sourceCode: copy.code,
    omittedParts: copy.left,
    values: {
      ...blank,
      physician: copy.physician,
      sameAsPrimary: primary !== null && primary.id === copy.physician?.id,
      billTo: copy.billTo,
      comments: commentsToHtml(copy.comments),
      tests: copy.tests.map(({ test, isConfidential }) => toChosenTest(test, isConfidential)),
      diagnoses: copy.diagnoses,
      additional: copy.additionalTestsDxCodes,
      medications: copy.medications.map(({ name }) => name),
      billing: rows.map((row, index) => ({ ...row, order: index + 1 })),
    },
  };
}
