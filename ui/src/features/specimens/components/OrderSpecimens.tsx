import { Button, Callout } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';

import { Loaded, toLoadState } from '../../../components/records/Loaded';
import { messages, SpecimenState, SpecimenStateLabels } from '../../../contract';
import { formatTimestamp } from '../../../lib/dates';
import { formatDateTime } from '../../../lib/dateTimes';
import { specimensQuery, type Specimen, type Specimens } from '../api';
import styles from './specimens.module.css';

interface OrderSpecimensProps {
  orderId: number;
  /** Opens the dialog, which the screen shows: this section moves when a tube is rejected. */
  onChange: () => void;
  /** Opens the dialog that prints the tubes' labels. */
  onPrint: () => void;
}

/** The tubes of an order: what was received, in which condition, and what was rejected. */
export function OrderSpecimens({ orderId, ...acts }: OrderSpecimensProps) {
  const specimens = useQuery(specimensQuery(orderId));
  return (
    <Loaded loadState={toLoadState(specimens)}>
      {(loadedSpecimens) => <SpecimenSection specimens={loadedSpecimens} {...acts} />}
    </Loaded>
  );
}

interface SpecimenSectionProps extends Omit<OrderSpecimensProps, 'orderId'> {
  specimens: Specimens;
}

function SpecimenSection({ specimens, onChange, onPrint }: SpecimenSectionProps) {
  const { tubes, canChange } = specimens;
  if (tubes.length === 0) return null;
  return (
    <section className={styles['section']} aria-label="Specimens">
      <div className={styles['head']}>
        <h2>Specimens</h2>
        {canChange.allowed ? (
          <span className={styles['acts']}>
            <Button size="small" text="Change Specimens" onClick={onChange} />
            <Button size="small" text="Print Labels" onClick={onPrint} />
          </span>
        ) : null}
      </div>
      {specimens.awaitsCollection ? (
        <Callout compact intent="danger">
          {messages.COLLECTION_AWAITED}
        </Callout>
      ) : null}
      <ul className={styles['lines']}>
        {tubes.map((tube) => (
          <li key={tube.id}>{describeTube(tube)}</li>
        ))}
      </ul>
    </section>
  );
}

/** Returns the state of a tube; a replacement that has not arrived is a requested collection. */
function describeState({ state, isReplacement, isNeeded }: Specimen): string {
  if (!isReplacement || state !== SpecimenState.EXPECTED) return SpecimenStateLabels[state] ?? '';
  return isNeeded ? 'New collection requested' : 'New collection no longer needed';
}

/** The history of a tube, on one line. */
function describeTube(tube: Specimen): string {
  const name = [tube.container, tube.specimen].filter(Boolean).join(', ');
  const isRejected = tube.state === SpecimenState.REJECTED;
  const facts = [
    describeState(tube),
    isRejected ? formatTimestamp(tube.rejectedAt) : formatTimestamp(tube.receivedAt),
    isRejected ? tube.rejectedBy : tube.receivedBy,
    tube.collectedAt ? `collected ${formatDateTime(tube.collectedAt)}` : null,
    tube.reason,
    tube.reasonWords,
    tube.conditions.join(', '),
    tube.conditionWords,
  ];
  return `${tube.number} · ${name}: ${facts.filter(Boolean).join(' · ')}`;
}
