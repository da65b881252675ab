import type { ReactNode } from 'react';

import type { Tone } from '../../../components/ResultTone';
import styles from './RangeBar.module.css';

interface Range {
  low: number | null;
  high: number | null;
}

const RANGE = /^(-?[\d.]+) - (-?[\d.]+)$/;
const LIMIT = /^([<>])=? ?(-?[\d.]+)$/;

/** Returns the limits of a reference range of numbers ('70 - 99', '>= 60'), or null for words. */
export function parseRange(text: string): Range | null {
  const [, low, high] = RANGE.exec(text) ?? [];
  if (low !== undefined) return { low: Number(low), high: Number(high) };
  const [, sign, limit] = LIMIT.exec(text) ?? [];
  if (sign === undefined) return null;
  return sign === '>' ? { low: Number(limit), high: null } : { low: null, high: Number(limit) };
}

export interface Placement {
  /** Where the range begins and ends, and where the value is, in percent of the bar. */
  from: number;
  to: number;
  at: number;
}

/** Where the limits of a range are, in percent of the bar. */
const LOW_AT = 25;
const HIGH_AT = 75;

/** Places a number beside its range; a number far outside is at the end of the bar. */
export function placeInRange(number: number, { low, high }: Range): Placement | null {
  const from = low === null ? 0 : LOW_AT;
  const to = high === null ? 100 : HIGH_AT;
  const first = low ?? Math.min(0, high ?? 0);
  // Without an upper limit, twice the lower limit is drawn where one would be.
  const last = high ?? 2 * first;
  if (last <= first) return null;
  const at = from + ((number - first) / (last - first)) * (HIGH_AT - from);
  return { from, to, at: Math.min(99, Math.max(1, at)) };
}

interface RangeBarProps {
  result: string | null;
  referenceRange: string | null;
  tone: Tone;
}

/**
 * A bar with the reference range as a band and the result as a mark. It repeats what the row says
 * in words, so screen readers skip it. '<5' has no place on it.
 */
export function RangeBar({ result, referenceRange, tone }: RangeBarProps) {
  const range = referenceRange === null ? null : parseRange(referenceRange);
  const number = result === null || result === '' ? NaN : Number(result.replaceAll(',', ''));
  const placement = range === null || Number.isNaN(number) ? null : placeInRange(number, range);
  if (placement === null) return null;
  const { from, to, at } = placement;
  return (
    <span className={styles['bar']} aria-hidden="true">
      <span className={styles['band']} style={{ left: `${from}%`, right: `${100 - to}%` }} />
      <span className={styles['mark']} data-tone={tone} style={{ left: `${at}%` }} />
    </span>
  );
}

/** A reference range in words. Its width fits most ranges, so that the bars beside them line up. */
export const RangeWords = ({ children }: { children: ReactNode }) => (
  <span className={styles['words']}>{children}</span>
);
