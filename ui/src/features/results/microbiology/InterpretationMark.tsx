import { Tag, type Intent } from '@blueprintjs/core';

const INTENTS: Readonly<Record<string, Intent>> = {
  S: 'success',
  SDD: 'warning',
  I: 'warning',
  R: 'danger',
  NS: 'danger',
};

/** The meaning of the letters of an interpretation, in the order of the legend. */
export const INTERPRETATION_NAMES: Readonly<Record<string, string>> = {
  S: 'susceptible',
  SDD: 'susceptible, dose dependent',
  I: 'intermediate',
  R: 'resistant',
  NS: 'not susceptible',
};

/** An interpretation as letters in a tinted block; the letters carry the meaning. */
export function InterpretationMark({ flag }: { flag: string | null }) {
  if (flag === null) return null;
  return (
    <Tag minimal intent={INTENTS[flag] ?? 'none'} title={INTERPRETATION_NAMES[flag]}>
      {flag}
    </Tag>
  );
}
