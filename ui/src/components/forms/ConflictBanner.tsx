import { Button, Callout } from '@blueprintjs/core';
import { useEffect, useRef } from 'react';

import { messages } from '../../contract';
import { WarningSignIcon } from '../icons';
import { focusTitle } from '../PageToolbar';
import styles from './forms.module.css';

interface ConflictBannerProps {
  /** What has become of the record, where it is more than another save. */
  state: string | null;
  /** Fields that only the other person changed, as people call them. */
  adopted: readonly string[];
  /** Fields that both changed. */
  contested: readonly string[];
  /** The same, where each can be said in a line with what either made of it. */
  compared?: readonly string[];
  /** Fields that this person changed and that take no changes any more, with what was entered. */
  dropped: readonly { field: string; words: string }[];
  /** Whether there is anything of this person's to keep. */
  someMine: boolean;
  onUseNewer: () => void;
  onKeepMine: () => void;
}

/**
 * Shown when somebody else saved first: what the record still takes of this person's is kept, the
 * rest is named, and the person decides.
 */
export function ConflictBanner({
  adopted,
  contested,
  compared = [],
  dropped,
  ...props
}: ConflictBannerProps) {
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
        <p>{props.state ?? messages.VERSION_CONFLICT}</p>
        {dropped.length > 0 ? (
          <>
            <p>These changes of yours can not be saved any more:</p>
            <ul>
              {dropped.map(({ field, words }) => (
                <li key={field}>
                  {field}: {words}
                </li>
              ))}
            </ul>
          </>
        ) : null}
        {adopted.length > 0 ? (
          <p>Changed meanwhile, and shown here now: {adopted.join(', ')}.</p>
        ) : null}
        {contested.length > 0 ? (
          <p>Changed by both, and yours stands here: {contested.join(', ')}.</p>
        ) : null}
        {compared.length > 0 ? (
          <>
            <p>Changed by both, and yours stands here:</p>
            <ul>
              {compared.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </>
        ) : null}
        {props.state !== null && props.someMine ? (
          <p>Your other changes are kept, and can still be saved.</p>
        ) : null}
        <Button size="small" onClick={decide(props.onUseNewer)}>
          Use the newer version
        </Button>{' '}
        {props.someMine ? (
          <Button size="small" variant="minimal" onClick={decide(props.onKeepMine)}>
            Keep my changes
          </Button>
        ) : null}
      </Callout>
    </div>
  );
}
