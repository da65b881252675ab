import { RequisitionStatus, RequisitionStatusLabels } from '../contract';
import styles from './StatusTag.module.css';

export type StatusColour = 'yellow' | 'orange' | 'green' | 'black' | 'blue' | 'gray' | 'red';

interface StatusTagProps {
  colour: StatusColour;
  children: string;
}

/** A record's state: a coloured dot and its word, so that colour is never the only sign. */
export function StatusTag({ colour, children }: StatusTagProps) {
  return <span className={`${styles['tag']} ${styles[colour]}`}>{children}</span>;
}

const REQUISITION_COLOURS: Readonly<Record<number, StatusColour>> = {
  [RequisitionStatus.PENDING]: 'yellow',
  [RequisitionStatus.DONE]: 'green',
  [RequisitionStatus.CANCELED]: 'black',
};

/** O 2.2: PENDING yellow, DONE green, CANCELED black, otherwise NONE. */
export function RequisitionStatusTag({ status }: { status: number }) {
  const colour = REQUISITION_COLOURS[status];
  const label = colour ? RequisitionStatusLabels[status] : undefined;
  return <StatusTag colour={colour ?? 'gray'}>{label ?? 'NONE'}</StatusTag>;
}
