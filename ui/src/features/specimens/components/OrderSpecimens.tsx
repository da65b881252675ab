import { Button, Callout } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { Loaded, toLoadState } from '../../../components/records/Loaded';
import { messages, SpecimenState, SpecimenStateLabels } from '../../../contract';
import { formatTimestamp } from '../../../lib/dates';
import { specimensQuery, type Specimen, type Specimens } from '../api';
import { SpecimensDialog } from './SpecimensDialog';
import styles from './specimens.module.css';

/** The tubes of an order: what was received, in which condition, and what was rejected. */
export function OrderSpecimens({ orderId }: { orderId: number }) {
  const specimens = useQuery(specimensQuery(orderId));
  return (
    <Loaded loadState={toLoadState(specimens)}>
      {(loadedSpecimens) => <SpecimenSection specimens={loadedSpecimens} />}
    </Loaded>
  );
}

function SpecimenSection({ specimens }: { specimens: Specimens }) {
  const [isOpen, setIsOpen] = useState(false);
  const { tubes, canChange } = specimens;
  if (tubes.length === 0) return null;
  return (
    <section className={styles['section']} aria-label="Specimens">
      <div className={styles['head']}>
        <h2>Specimens</h2>
        {canChange.allowed ? (
          <Button size="small" text="Change Specimens" onClick={() => setIsOpen(true)} />
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
      {isOpen ? <SpecimensDialog specimens={specimens} onClose={() => setIsOpen(false)} /> : null}
    </section>
  );
}

/** The history of a tube, on one line. */
function describeTube(tube: Specimen): string {
  const name = [tube.container, tube.specimen].filter(Boolean).join(', ');
  const isRejected = tube.state === SpecimenState.REJECTED;
  const isWaiting = tube.isReplacement && tube.state === SpecimenState.EXPECTED;
  const facts = [
    isWaiting ? 'New collection requested' : SpecimenStateLabels[tube.state],
    isRejected ? formatTimestamp(tube.rejectedAt) : formatTimestamp(tube.receivedAt),
    isRejected ? tube.rejectedBy : tube.receivedBy,
    tube.collectedAt ? `collected ${formatTimestamp(tube.collectedAt)}` : null,
    tube.reason,
    tube.reasonWords,
    tube.conditions.join(', '),
    tube.conditionWords,
  ];
  return `${tube.number} · ${name}: ${facts.filter(Boolean).join(' · ')}`;
}
