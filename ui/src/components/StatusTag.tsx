import { RequisitionStatus, RequisitionStatusLabels } from '../contract';
import styles from './StatusTag.module.css';

export type StatusColor = 'yellow' | 'orange' | 'green' | 'black' | 'blue' | 'gray' | 'red';

interface StatusTagProps {
  color: StatusColor;
  children: string;
}

/** The status of a record: a colored dot and a word, so that color is never the only sign. */
export function StatusTag({ color, children }: StatusTagProps) {
  return <span className={`${styles['tag']} ${styles[color]}`}>{children}</span>;
}

const REQUISITION_COLORS: Readonly<Record<number, StatusColor>> = {
  [RequisitionStatus.PENDING]: 'yellow',
  [RequisitionStatus.DONE]: 'green',
  [RequisitionStatus.CANCELED]: 'black',
};

/** O 2.2: PENDING yellow, DONE green, CANCELED black, otherwise NONE. */
export function RequisitionStatusTag({ status }: { status: number }) {
  const color = REQUISITION_COLORS[status];
  const label = color ? RequisitionStatusLabels[status] : undefined;
  return <StatusTag color={color ?? 'gray'}>{label ?? 'NONE'}</StatusTag>;
}
