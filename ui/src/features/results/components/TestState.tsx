import { Tag } from '@blueprintjs/core';

import { messages, say, Withholding, type Wire } from '../../../contract';

type EntryWithholding = Wire<'EntryWithholding'>;
type Hold = Wire<'EntryHold'>;

/** What the lab reads about a withheld result: 'Under review · Wrong specimen'. */
export function describeWithholding({ kind, reason, words }: EntryWithholding): string {
  const state = kind === Withholding.REVIEW ? 'Under review' : 'Withdrawn';
  return [state, reason, words].filter(Boolean).join(' · ');
}

/** The holds on a test, each with its scope if it holds the test everywhere. */
export function HoldTags({ holds }: { holds: readonly Hold[] }) {
  return holds.map((hold) => (
    <Tag key={hold.id} minimal intent="warning">
      ON HOLD{hold.everyOrder ? ' IN EVERY ORDER' : ''} · {hold.reason}
    </Tag>
  ));
}

interface TestStateProps {
  withheld: EntryWithholding | null;
  holds: readonly Hold[];
  leftBecause: string | null;
}

/** Why clients do not see a released result, and why an entered one cannot be released now. */
export function TestState({ withheld, holds, leftBecause }: TestStateProps) {
  return (
    <>
      {withheld === null ? null : (
        <Tag minimal intent="danger">
          {describeWithholding(withheld)}
        </Tag>
      )}
      <HoldTags holds={holds} />
      {leftBecause === null || holds.length > 0 ? null : (
        <span className="quiet">{leftBecause}.</span>
      )}
    </>
  );
}

/** A sentence about the entered results that stay unreleased, or null if there are none. */
export const describeRemaining = (reasons: readonly string[]): string | null =>
  reasons.length === 0 ? null : say(messages.CONFIRM_RELEASE_LEFT, { results: reasons.join('; ') });
