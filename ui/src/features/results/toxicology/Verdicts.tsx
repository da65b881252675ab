import { Callout } from '@blueprintjs/core';
import { useId } from 'react';

import { ToneText } from '../../../components/ResultTone';
import { messages, say, ToxicologyVerdict } from '../../../contract';
import type { ToxicologyEntryOrder } from './api';
import styles from './toxicology.module.css';

const INCONSISTENT: ReadonlySet<string> = new Set([
  ToxicologyVerdict.UNEXPECTED_NEGATIVE,
  ToxicologyVerdict.UNEXPECTED_POSITIVE,
]);

/** The verdicts that readers see after a release of the saved results. */
export function VerdictList({ order }: { order: ToxicologyEntryOrder }) {
  return (
    <>
      {order.specimenFault ? (
        <Callout intent="warning" compact>
          {say(messages.TOXICOLOGY_SPECIMEN_INVALID, { fault: order.specimenFault })}
        </Callout>
      ) : null}
      <ul className={styles['tests']}>
        {order.verdicts.map(({ kind, why }) => (
          <li key={why}>
            <ToneText tone={INCONSISTENT.has(kind) ? 'critical' : 'normal'}>{why}</ToneText>
          </li>
        ))}
      </ul>
    </>
  );
}

interface VerdictPreviewProps {
  order: ToxicologyEntryOrder;
  /** Whether there are typed values that the verdicts do not include yet. */
  hasUnsaved: boolean;
}

/** The verdicts on the saved results, below their table. */
export function VerdictPreview({ order, hasUnsaved }: VerdictPreviewProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles['section']}>
      <h2 id={id}>Verdicts</h2>
      <p className={styles['why']}>
        {hasUnsaved ? messages.TOXICOLOGY_VERDICTS_UNSAVED : messages.TOXICOLOGY_VERDICTS_SAVED}
      </p>
      <p className={styles['why']}>
        Reported medications: {order.medications.join(', ') || 'none'}
      </p>
      <VerdictList order={order} />
    </section>
  );
}
