import type { ReactNode } from 'react';

import { ConfirmDialog } from '../../../components/dialogs/ConfirmDialog';
import { messages, say } from '../../../contract';

interface ReleaseDialogProps {
  isOpen: boolean;
  title: string;
  /** The results that are released. */
  children: ReactNode;
  /** The critical results among them, in words: 'POTASSIUM 6.9 HH'. */
  criticals: readonly string[];
  /** A sentence about entered results that are not released, or null. */
  remainingText?: string | null;
  /** The tests among them whose specimen must be collected again. */
  testsAwaitingCollection?: readonly string[];
  /** The tests among them whose result was entered before the specimen was received. */
  testsBeforeSpecimen?: readonly string[];
  /** The comments on them that were written for earlier results. */
  earlierComments?: readonly string[];
  /** What to know about results in another unit than their test or their limits. */
  unitNotices?: readonly string[];
  /** What readers will see after the release, beside the results themselves. */
  outcome?: ReactNode;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before a release, and names what needs attention: critical results, for example. */
export function ReleaseDialog({
  children,
  criticals,
  remainingText = null,
  testsAwaitingCollection = [],
  testsBeforeSpecimen = [],
  earlierComments = [],
  unitNotices = [],
  outcome = null,
  ...props
}: ReleaseDialogProps) {
  return (
    <ConfirmDialog
      isOpen={props.isOpen}
      title={props.title}
      message={
        <>
          {children}
          {remainingText === null ? null : <p>{remainingText}</p>}
          {testsAwaitingCollection.length === 0 ? null : (
            <p>
              <strong>
                {say(messages.CONFIRM_RELEASE_REJECTED, {
                  tests: testsAwaitingCollection.join(', '),
                })}
              </strong>
            </p>
          )}
          {testsBeforeSpecimen.length === 0 ? null : (
            <p>
              <strong>
                {say(messages.CONFIRM_RELEASE_BEFORE_SPECIMEN, {
                  tests: testsBeforeSpecimen.join(', '),
                })}
              </strong>
            </p>
          )}
          {earlierComments.length === 0 ? null : (
            <p>
              <strong>
                {say(messages.CONFIRM_RELEASE_COMMENTS, { comments: earlierComments.join('; ') })}
              </strong>
            </p>
          )}
          {unitNotices.length === 0 ? null : (
            <p>
              <strong>
                {say(messages.CONFIRM_RELEASE_UNITS, { results: unitNotices.join(' ') })}
              </strong>
            </p>
          )}
          {outcome}
          {criticals.length === 0 ? null : (
            <p>
              <strong>
                {say(messages.CONFIRM_RELEASE_CRITICAL, { results: criticals.join(', ') })}
              </strong>
            </p>
          )}
        </>
      }
      confirmLabel="Release"
      onConfirm={props.onConfirm}
      onClose={props.onClose}
    />
  );
}
