import { useProfile } from '../../../api';
import { StatusTag, type StatusColor } from '../../../components/StatusTag';
import { WarningSignIcon } from '../../../components/icons';
import { mayEver, messages, OrderStatus, OrderStatusLabels } from '../../../contract';
import styles from './orders.module.css';

const COLORS: Readonly<Record<number, StatusColor>> = {
  [OrderStatus.CANCELED]: 'black',
  [OrderStatus.NONE]: 'black',
  [OrderStatus.FINAL]: 'green',
  [OrderStatus.PARTIAL]: 'orange',
  [OrderStatus.PARTIALLY_RELEASED]: 'orange',
  [OrderStatus.PRELIMINARY]: 'orange',
  [OrderStatus.PENDING]: 'yellow',
  [OrderStatus.UNRELEASED]: 'yellow',
};

/** The display status of an order (R 4); NONE for any other value. */
export function OrderStatusTag({ status }: { status: number }) {
  const color = COLORS[status];
  const label = color ? OrderStatusLabels[status] : undefined;
  return <StatusTag color={color ?? 'black'}>{label ?? 'NONE'}</StatusTag>;
}

/** The badge of an order with a critical result. */
export function AlertTag({ alert }: { alert: string | null }) {
  return alert ? <StatusTag color="red">{alert}</StatusTag> : null;
}

/** The mark of an order with a rejected specimen, which must be collected again. */
export function CollectionTag() {
  return <StatusTag color="orange">RECOLLECT</StatusTag>;
}

/** A small mark of an order that lacks what a claim needs, for roles that can fill it in. */
export function MissingInfoMark() {
  const { role } = useProfile();
  if (!mayEver('completeOrder', role)) return null;
  return (
    <span className={styles['missing']} data-tip={messages.MISSING_INFORMATION}>
      <WarningSignIcon size={12} />
      <span className="visually-hidden">({messages.MISSING_INFORMATION})</span>
    </span>
  );
}

/** The badge of an order that lacks what a claim needs, for roles that can fill it in. */
export function MissingInfoTag() {
  const { role } = useProfile();
  return mayEver('completeOrder', role) ? <StatusTag color="blue">MISSING INFO</StatusTag> : null;
}
