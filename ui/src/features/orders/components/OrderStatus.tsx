import { useProfile } from '../../../api';
import { ShortTags, StatusTag, type StatusColor } from '../../../components/StatusTag';
import { WarningSignIcon } from '../../../components/icons';
import { mayEver, messages, OrderStatus, OrderStatusLabels } from '../../../contract';
import { CRITICAL_BADGE, type OrderRow } from '../api';
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

const RECOLLECT = 'RECOLLECT';

/** The mark of an order with a rejected specimen, which must be collected again. */
export function CollectionTag() {
  return <StatusTag color="orange">{RECOLLECT}</StatusTag>;
}

type MarkedRow = Pick<OrderRow, 'alertBadges' | 'awaitsCollection'>;

interface RowBadge {
  text: string;
  /** What fits beside another badge. */
  short: string;
  /** What fits beside two others, if that is less. */
  shortest?: string;
  color: StatusColor;
}

/** The longest label of the lab that fits alone into the grid's column. */
const LABEL_MAX = 9;

const toRowBadge = (text: string): RowBadge =>
  text === CRITICAL_BADGE
    ? { text, short: text, shortest: 'CRIT', color: 'red' }
    : { text, short: 'TOX', color: 'red' };

/** Lists the badges of a row, the most urgent first. The portal decides which, and sorts them (R 4). */
function listRowBadges({ alertBadges, awaitsCollection }: MarkedRow): RowBadge[] {
  return [
    ...alertBadges.map(toRowBadge),
    ...(awaitsCollection ? [{ text: RECOLLECT, short: 'REC', color: 'orange' } as const] : []),
  ];
}

/** The badges of a row in a grid: one in full, or several that are shortened to fit. */
export function RowBadges({ row }: { row: MarkedRow }) {
  const badges = listRowBadges(row);
  const [first] = badges;
  if (first === undefined) return null;
  if (badges.length === 1 && first.text.length <= LABEL_MAX) {
    return <StatusTag color={first.color}>{first.text}</StatusTag>;
  }
  const tags = badges.map(({ text, short, shortest = short, color }) => ({
    text,
    color,
    short: badges.length > 2 ? shortest : short,
  }));
  return <ShortTags tags={tags} />;
}

/** The badges of a row on a phone's card, which has room for their words. */
export function CardBadges({ row }: { row: MarkedRow }) {
  const badges = listRowBadges(row);
  return badges.length === 0 ? null : (
    <span className={styles['cardBadges']}>
      {badges.map(({ text, color }) => (
        <StatusTag key={text} color={color}>
          {text}
        </StatusTag>
      ))}
    </span>
  );
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
