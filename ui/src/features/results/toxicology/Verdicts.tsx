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

type Verdict = ToxicologyEntryOrder['verdicts'][number];

const SpecimenFault = ({ order }: { order: ToxicologyEntryOrder }) =>
  order.specimenFault ? (
    <Callout intent="warning" compact>
      {say(messages.TOXICOLOGY_SPECIMEN_INVALID, { fault: order.specimenFault })}
    </Callout>
  ) : null;

const VerdictList = ({ verdicts }: { verdicts: readonly Verdict[] }) => (
  <ul className={styles['tests']}>
    {verdicts.map(({ kind, why }) => (
      <li key={why}>
        <ToneText tone={INCONSISTENT.has(kind) ? 'critical' : 'normal'}>{why}</ToneText>
      </li>
    ))}
  </ul>
);

/**
 * What readers see after a release, in the question before it. What they already see is apart, so
 * that nobody takes it for news, or overlooks what is new.
 */
export function ReleaseOutcome({ order }: { order: ToxicologyEntryOrder }) {
  const { verdicts, goneVerdicts } = order;
  const shownVerdicts = verdicts.filter(({ isShown }) => isShown);
  const newVerdicts = verdicts.filter(({ isShown }) => !isShown);
  if (verdicts.length + goneVerdicts.length === 0 && order.specimenFault === null) return null;
  return (
    <div className={styles['outcome']}>
      {shownVerdicts.length + goneVerdicts.length === 0
        ? messages.TOXICOLOGY_VERDICTS_RELEASED
        : null}
      <SpecimenFault order={order} />
      {newVerdicts.length > 0 && shownVerdicts.length + goneVerdicts.length > 0
        ? messages.TOXICOLOGY_VERDICTS_NEW
        : null}
      <VerdictList verdicts={newVerdicts} />
      {goneVerdicts.length === 0 ? null : (
        <>
          {messages.TOXICOLOGY_VERDICTS_GONE}
          <ul className={styles['tests']}>
            {goneVerdicts.map((why) => (
              <li key={why}>{why}</li>
            ))}
          </ul>
        </>
      )}
      {shownVerdicts.length === 0 ? null : (
        <>
          {messages.TOXICOLOGY_VERDICTS_SHOWN}
          <VerdictList verdicts={shownVerdicts} />
        </>
      )}
    </div>
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
      <SpecimenFault order={order} />
      <VerdictList verdicts={order.verdicts} />
    </section>
  );
}
