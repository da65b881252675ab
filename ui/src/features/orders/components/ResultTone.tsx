import type { ReactNode } from 'react';

import styles from './ResultTone.module.css';

/** How a result is to be taken; `error` is one that can not be one. */
export type Tone = 'normal' | 'abnormal' | 'critical' | 'error';

export function toneOf(result: { isAbnormal: boolean; isCritical: boolean }): Tone {
  if (result.isCritical) return 'critical';
  return result.isAbnormal ? 'abnormal' : 'normal';
}

const CLASSES: Readonly<Record<Tone, string | undefined>> = {
  normal: undefined,
  abnormal: styles['abnormal'],
  critical: styles['critical'],
  error: styles['critical'],
};

interface TonedProps {
  tone: Tone;
  /** Normal words step back behind the others. */
  quiet?: boolean;
  children: ReactNode;
}

/** A result, or words about it: abnormal ones bold, critical ones red too. */
export function Toned({ tone, quiet = false, children }: TonedProps) {
  return <span className={quiet && tone === 'normal' ? 'quiet' : CLASSES[tone]}>{children}</span>;
}
