import { Button, Callout } from '@blueprintjs/core';

import { messages } from '../../contract';
import { WarningSignIcon } from '../icons';

interface ConflictBannerProps {
  /** Fields that only the other person changed, as people call them. */
  taken: readonly string[];
  /** Fields that both changed. */
  contested: readonly string[];
  onUseNewer: () => void;
  onKeepMine: () => void;
}

/** Shown after a 412: nothing of either is lost, and the person decides. */
export function ConflictBanner({ taken, contested, ...props }: ConflictBannerProps) {
  return (
    <Callout intent="warning" icon={<WarningSignIcon />} role="alert">
      <p>{messages.VERSION_CONFLICT}</p>
      {taken.length > 0 ? <p>Changed meanwhile, and shown here now: {taken.join(', ')}.</p> : null}
      {contested.length > 0 ? (
        <p>Changed by both, and yours stands here: {contested.join(', ')}.</p>
      ) : null}
      <Button size="small" onClick={props.onUseNewer}>
        Use the newer version
      </Button>{' '}
      <Button size="small" variant="minimal" onClick={props.onKeepMine}>
        Keep my changes
      </Button>
    </Callout>
  );
}
