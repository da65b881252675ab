import { RadioField } from '../../../../components/fields/SelectField';
import { RequisitionStatus, SignatureFilter } from '../../../../contract';
import type { RouteParameters } from '../../../../lib/matrix';
import styles from './ownFields.module.css';

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

/** Reads these filters from the parameters of a link, without unknown values. */
export function readOwnFilters({ status, signature }: RouteParameters): Partial<OwnFilters> {
  const isOffered = (options: readonly { value: string }[], value?: string): value is string =>
    options.some((option) => option.value === value);
  return {
    ...(isOffered(statuses, status) && { status }),
    ...(isOffered(signatures, signature) && { signature }),
  };
}

interface OwnFieldsProps {
  values: OwnFilters;
  onChange: (change: Partial<OwnFilters>) => void;
}

/** Status and signature, next to the filters that all records share (O 2.2). */
export function OwnFields({ values, onChange }: OwnFieldsProps) {
  return (
    <div className={styles['radios']}>
      <RadioField
        label="Status"
        value={values.status}
        options={statuses}
        onChange={(status) => onChange({ status })}
      />
      <RadioField
        label="Signature"
        value={values.signature}
        options={signatures}
        onChange={(signature) => onChange({ signature })}
      />
    </div>
  );
}
