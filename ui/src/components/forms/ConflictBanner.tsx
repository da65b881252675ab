import { Button, Callout } from '@blueprintjs/core';

import { messages } from '../../contract';
import { WarningSignIcon } from '../icons';

interface ConflictBannerProps {
  /** The fields the other person changed, as people call them. */
  fields: readonly string[];
  onUseNewer: () => void;
  onKeepMine: () => void;
}

/** Shown after a 412: nothing is lost, and the person decides. */
export function ConflictBanner({ fields, onUseNewer, onKeepMine }: ConflictBannerProps) {
  return (
    <Callout intent="warning" icon={<WarningSignIcon />} role="alert">
      <p>{messages.VERSION_CONFLICT}</p>
      {fields.length > 0 ? <p>Changed meanwhile: {fields.join(', ')}.</p> : null}
      <Button size="small" onClick={onUseNewer}>
        Use the newer version
      </Button>{' '}
      <Button size="small" variant="minimal" onClick={onKeepMine}>
        Keep my changes
      </Button>
    </Callout>
  );
}
