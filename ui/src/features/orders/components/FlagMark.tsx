import { Tag } from '@blueprintjs/core';

import { Toned, type Tone } from './ResultTone';

interface FlagMarkProps {
  flag: string | null;
  tone: Tone;
}

/** A result's flag: critical ones as a red tag, other abnormal ones bold, normal ones quiet. */
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
    <Toned tone={tone} quiet>
      {flag}
    </Toned>
  );
}
