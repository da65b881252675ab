import { RadioField } from '../../../../components/fields/SelectField';
import { FilterChip } from '../../../../components/filters/FilterChip';
import { SegmentField } from '../../../../components/filters/SegmentField';
import { RequisitionStatus, SignatureFilter } from '../../../../contract';
import type { RouteParameters } from '../../../../lib/matrix';
import { addCounts, type StatusCounts } from '../../../search/api';
import type { NarrowingFilter } from '../../../search/useRecordSearch';

/** The filters that only requisitions have. */
export interface OwnFilters {
  status: string;
  signature: string;
}

const statuses = [
  { value: String(RequisitionStatus.PENDING), label: 'Pending' },
  { value: String(RequisitionStatus.DONE), label: 'Done' },
  { value: String(RequisitionStatus.ALL), label: 'All' },
];

const signatures = [
  { value: SignatureFilter.SIGNED, label: 'Signed' },
  { value: SignatureFilter.NOT_SIGNED, label: 'Not Signed' },
  { value: SignatureFilter.ALL, label: 'All' },
];

/** Describes the filters that may hide rows. */
export function describeOwnFilters({ status, signature }: OwnFilters) {
  const all = { status: String(RequisitionStatus.ALL), signature: SignatureFilter.ALL };
  const getLabel = (options: readonly { value: string; label: string }[], value: string) =>
    options.find((option) => option.value === value)?.label ?? '';
  const list: NarrowingFilter<Partial<OwnFilters>>[] = [];
  if (status !== all.status) {
    const change = { status: all.status };
    list.push({ name: 'Status', value: getLabel(statuses, status), change });
  }
  if (signature !== all.signature) {
    const change = { signature: all.signature };
    list.push({ name: 'Signature', value: getLabel(signatures, signature), change });
  }
  return list;
}

/** Reads the filters from the parameters of a link, without unknown values. */
export function readOwnFilters({ status, signature }: RouteParameters): Partial<OwnFilters> {
  const isOffered = (options: readonly { value: string }[], value?: string): value is string =>
    options.some((option) => option.value === value);
  return {
    ...(isOffered(statuses, status) && { status }),
    ...(isOffered(signatures, signature) && { signature }),
  };
}

interface StatusFieldProps {
  search: {
    values: OwnFilters;
    apply: (change: Partial<OwnFilters>) => void;
    statusCounts: StatusCounts | undefined;
  };
}

/** The status filter, which precedes the filters that all records share (O 2.2). */
export function StatusFilter({ search }: StatusFieldProps) {
  return (
    <SegmentField
      label="Status"
      value={search.values.status}
      options={addCounts(statuses, search.statusCounts)}
      onChange={(status) => search.apply({ status })}
    />
  );
}

/** The signature filter, which follows the filters that all records share. */
export function SignatureFilterChip({ search }: Omit<StatusFieldProps, 'statusCounts'>) {
  const { signature } = search.values;
  return (
    <FilterChip
      label="Signature"
      value={signatures.find(({ value }) => value === signature)?.label ?? ''}
      isSet={isSignatureFilterSet(search.values)}
    >
      <RadioField
        label="Signature"
        value={signature}
        options={signatures}
        onChange={(next) => search.apply({ signature: next })}
      />
    </FilterChip>
  );
}

/** Whether the signature filter may hide rows. */
export const isSignatureFilterSet = ({ signature }: OwnFilters): boolean =>
  signature !== SignatureFilter.ALL;
