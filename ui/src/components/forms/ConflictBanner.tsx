import { Button, Callout } from '@blueprintjs/core';
import { useEffect, useRef } from 'react';

import { useProfile } from '../../api';
import { messages, say } from '../../contract';
import { WarningSignIcon } from '../icons';
import { focusTitle } from '../lostFocus';
import styles from './forms.module.css';

interface ConflictBannerProps {
  /** What happened to the record, in words; null if it was only saved. */
  state: string | null;
  /** Who saved the newer version; null if unknown. */
  savedBy: string | null;
  /** Whether the changes come from a draft. The same person may have saved since. */
  isFromDraft: boolean;
  /** This person's changes that the newer version lacks, apart from `comparisons`. */
  own: readonly { field: string; value: string }[];
  /** Labels of the fields that only the other person changed. */
  adoptedFields: readonly string[];
  /** Labels of the fields that both changed. */
  contestedFields: readonly string[];
  /** Changes by both people that one line each can show, with both values. */
  comparisons?: readonly string[];
  /** Fields that this person changed but can no longer save, with the entered value. */
  droppedEdits: readonly { field: string; value: string }[];
  /** Whether this person has changes left to keep. */
  hasOwnChanges: boolean;
  /** Whether the form saves nothing until the person has chosen a version. */
  mustChoose: boolean;
  onUseNewer: () => void;
  onKeepMine: () => void;
}

/**
 * Returns the texts about who saved the newer version. It may be this person: after storing a
 * draft, or in another window.
 */
function describeNewer(
  { isFromDraft, savedBy }: Pick<ConflictBannerProps, 'isFromDraft' | 'savedBy'>,
  ownName: string,
) {
  if (isFromDraft) {
    const message = messages.VERSION_AFTER_DRAFT;
    return { message, origin: 'since your draft', both: 'Changed in your draft and since' };
  }
  if (savedBy === ownName) {
    const message = messages.VERSION_CONFLICT_OWN;
    return { message, origin: 'in another window', both: 'Changed in both windows' };
  }
  const message =
    savedBy === null
      ? messages.VERSION_CONFLICT
      : say(messages.VERSION_CONFLICT_BY, { name: savedBy });
  return { message, origin: `by ${savedBy ?? 'somebody else'}`, both: 'Changed by both' };
}

/**
 * Shown when somebody else saved first. It lists what was kept of this person's changes and what
 * was lost, and offers a choice.
 */
export function ConflictBanner({
  adoptedFields,
  contestedFields,
  comparisons = [],
  droppedEdits,
  own,
  ...props
}: ConflictBannerProps) {
  const { firstName, lastName } = useProfile();
  const newer = describeNewer(props, `${firstName} ${lastName}`.trim());
  const banner = useRef<HTMLDivElement>(null);
  // The save button may be far down the form.
  useEffect(() => {
    banner.current?.focus({ preventScroll: true });
    banner.current?.scrollIntoView({ block: 'center' });
  }, []);
  const handleDecision = (action: () => void) => () => {
    action();
    focusTitle(); // the focused banner disappears
  };
  return (
    <div ref={banner} tabIndex={-1} role="alert" className={styles['conflict']}>
      <Callout intent="warning" icon={<WarningSignIcon />}>
        <p>{props.state ?? newer.message}</p>
        {droppedEdits.length > 0 ? (
          <>
            <p>These changes can no longer be saved:</p>
            <ul>
              {droppedEdits.map(({ field, value }) => (
                <li key={field}>
                  {field}: {value}
                </li>
              ))}
            </ul>
          </>
        ) : null}
        {adoptedFields.length > 0 ? (
          <p>
            Changed {newer.origin} and updated here: {adoptedFields.join(', ')}.
          </p>
        ) : null}
        {contestedFields.length > 0 ? (
          <p>
            {newer.both}; your version is shown here: {contestedFields.join(', ')}.
          </p>
        ) : null}
        {comparisons.length > 0 ? (
          <>
            <p>{newer.both}; your version is shown here:</p>
            <ul>
              {comparisons.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </>
        ) : null}
        {own.length > 0 ? (
          <>
            <p>Your changes that the newer version does not have; they can still be saved:</p>
            <ul>
              {own.map(({ field, value }) => (
                <li key={field}>
                  {field}: {value}
                </li>
              ))}
            </ul>
          </>
        ) : null}
        {props.hasOwnChanges ? (
          <p>
            {props.mustChoose ? messages.VERSION_CONFLICT_CHOICE : messages.VERSION_CONFLICT_SAVE}
          </p>
        ) : null}
        <Button size="small" onClick={handleDecision(props.onUseNewer)}>
          Use the newer version
        </Button>{' '}
        {props.hasOwnChanges ? (
          <Button size="small" variant="minimal" onClick={handleDecision(props.onKeepMine)}>
            Keep my changes
          </Button>
        ) : null}
      </Callout>
    </div>
  );
}
