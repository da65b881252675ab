import type { ReactNode } from 'react';

import { messages, say } from '../../../contract';
import { usePreference } from '../../../device';
import { formatDate, formatTimestamp } from '../../../lib/dates';
import { formatDateTime } from '../../../lib/dateTimes';
import { formatRoomAndBed } from '../../../lib/place';
import { applyMask, masks } from '../../../lib/mask';
import type { Order } from '../api';
import styles from './orders.module.css';

type Line = readonly [label: string, value: ReactNode];

interface FactsProps {
  title: string;
  /** The text while the section is closed. */
  summary: readonly (string | null | undefined)[];
  lines: readonly Line[];
}

/** A collapsible section. The workstation remembers whether it is open. */
function Facts({ title, summary, lines }: FactsProps) {
  const [openSections, setOpenSections] = usePreference<readonly string[]>('orderFacts');
  const others = (openSections ?? []).filter((name) => name !== title);
  const isOpen = openSections?.includes(title) ?? false;
  return (
    <details
      className={styles['fact']}
      open={isOpen}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open !== isOpen) setOpenSections(isOpen ? others : [...others, title]);
      }}
    >
      <summary>
        <h2>{title}</h2>
        {isOpen ? null : (
          <span className={styles['summary']}>
            <span className={styles['parts']}>
              {summary.filter(Boolean).map((part) => (
                <span key={part} className={styles['part']}>
                  {part}
                </span>
              ))}
            </span>
          </span>
        )}
      </summary>
      <dl className={styles['list']}>
        {lines
          .filter(([, value]) => Boolean(value))
          .map(([label, value]) => (
            <div key={label} style={{ display: 'contents' }}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
    </details>
  );
}

const formatName = (person: { firstName: string; lastName: string } | null): string =>
  person ? `${person.lastName}, ${person.firstName}` : '';

interface WithAddress {
  address: string | null;
  zipCode: { code: string; city: string; state: string } | null;
}

const formatAddress = ({ address, zipCode }: WithAddress): string =>
  [address, zipCode && `${zipCode.city}, ${zipCode.state} ${zipCode.code}`]
    .filter(Boolean)
    .join(', ');

const formatPhone = (phone: string | null): string => (phone ? applyMask(phone, masks.phone) : '');

/** The patient, order and client information of an order (R 2.2). */
export function OrderFacts({ order }: { order: Order }) {
  const { patient, patientClient: client } = order;
  const name = [formatName(patient), patient.middleName].filter(Boolean).join(' ');
  return (
    <div className={`${styles['facts']} ${styles['reading']}`}>
      <Facts
        title="Patient Information"
        summary={[
          patient.unit?.name,
          formatRoomAndBed(patient.room?.name, patient.bed),
          formatPhone(patient.phone),
        ]}
        lines={[
          ['Patient Id', patient.code],
          ['Name', name],
          ['Date of Birth', formatDate(patient.birthDate)],
          ['Gender', patient.gender],
          ['Primary Physician', formatName(patient.primaryPhysician)],
          ['Room', formatRoomAndBed(patient.room?.name, patient.bed)],
          ['Unit', patient.unit?.name],
          ['Address', formatAddress(patient)],
          ['Phone', formatPhone(patient.phone)],
        ]}
      />
      <Facts
        title="Order Information"
        summary={[
          order.physician && `Ordered by ${formatName(order.physician)}`,
          order.receivedDate && `received ${formatTimestamp(order.receivedDate)}`,
          order.specimenCondition,
          order.entryAlert,
        ]}
        lines={[
          ['Collected', formatDateTime(order.collectionDate)],
          ['Received', formatTimestamp(order.receivedDate)],
          ['Reported', formatTimestamp(order.reported)],
          ['Collection Site', order.collectionSites.map(({ name }) => name).join(', ')],
          ['Specimen', order.specimenCondition],
          ['Entry Alert', order.entryAlert],
          ['Ordering Physician', formatName(order.physician)],
          ['Requisition', order.requisitionCode],
        ]}
      />
      <Facts
        title="Client Information"
        summary={[client?.name, formatPhone(client?.phone ?? null)]}
        lines={
          client
            ? [
                ['Name', client.name],
                ['Address', formatAddress(client)],
                ['Phone', formatPhone(client.phone)],
                ['Fax', formatPhone(client.fax)],
              ]
            : []
        }
      />
    </div>
  );
}

/** The comment of an order's report, if there is one (R 2.2), and a change after the release. */
export function OrderComments({ order }: { order: Order }) {
  const { reportComment, commentChange } = order;
  return reportComment ? (
    <section aria-label="Order Comments" className={styles['comment']}>
      <h2>Order Comments</h2>
      {reportComment}
      {commentChange ? <p className="quiet">{describeCommentChange(commentChange)}</p> : null}
    </section>
  ) : null;
}

function describeCommentChange({ changedAt, changedBy }: NonNullable<Order['commentChange']>) {
  const at = formatTimestamp(changedAt);
  return changedBy === null
    ? say(messages.ORDER_COMMENT_CHANGED, { at })
    : say(messages.ORDER_COMMENT_CHANGED_BY, { at, person: changedBy });
}
