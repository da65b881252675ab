import { Tag } from '@blueprintjs/core';

import { ToneText, type Tone } from './ResultTone';

interface FlagMarkProps {
  flag: string | null;
  tone: Tone;
}

/** A result's flag: critical as a red tag, otherwise abnormal in bold, normal in gray. */
export function FlagMark({ flag, tone }: FlagMarkProps) {
  if (!flag) return null;
  if (tone === 'critical') {
    return (
      <Tag intent="danger" minimal>
        {flag}
      </Tag>
    );
  }
  return (
    <ToneText tone={tone} quiet>
      {flag}
    </ToneText>
  );
}
