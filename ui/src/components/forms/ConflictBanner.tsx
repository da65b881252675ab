import { Button, Callout } from '@blueprintjs/core';
import { useEffect, useRef } from 'react';

import { messages } from '../../contract';
import { WarningSignIcon } from '../icons';
import { focusTitle } from '../PageToolbar';
import styles from './forms.module.css';

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
  const banner = useRef<HTMLDivElement>(null);
  // Whoever saved may be far down the form.
  useEffect(() => {
    banner.current?.focus({ preventScroll: true });
    banner.current?.scrollIntoView({ block: 'center' });
  }, []);
  const decide = (act: () => void) => () => {
    act();
    focusTitle(); // the banner that had the focus goes
  };
  return (
    <div ref={banner} tabIndex={-1} role="alert" className={styles['conflict']}>
      <Callout intent="warning" icon={<WarningSignIcon />}>
        <p>{messages.VERSION_CONFLICT}</p>
        {taken.length > 0 ? (
          <p>Changed meanwhile, and shown here now: {taken.join(', ')}.</p>
        ) : null}
        {contested.length > 0 ? (
          <p>Changed by both, and yours stands here: {contested.join(', ')}.</p>
        ) : null}
        <Button size="small" onClick={decide(props.onUseNewer)}>
          Use the newer version
        </Button>{' '}
        <Button size="small" variant="minimal" onClick={decide(props.onKeepMine)}>
          Keep my changes
        </Button>
      </Callout>
    </div>
  );
}
