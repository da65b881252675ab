import type { ReactNode } from 'react';

import styles from './ResultTone.module.css';

/** How notable a result is; `error` marks an invalid value. */
export type Tone = 'normal' | 'abnormal' | 'critical' | 'error';

export function getTone(result: { isAbnormal: boolean; isCritical: boolean }): Tone {
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
  /** Whether to show normal text in gray. */
  quiet?: boolean;
  children: ReactNode;
}

/** A result, or text about it: abnormal in bold, critical also in red. */
export function ToneText({ tone, quiet = false, children }: TonedProps) {
  return <span className={quiet && tone === 'normal' ? 'quiet' : CLASSES[tone]}>{children}</span>;
}
