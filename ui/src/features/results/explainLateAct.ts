import { ApiError, describeError } from '../../api';
import { toasts } from '../../components/toasts';
import { messages } from '../../contract';

const SIGNED_OUT = 401;
const STALE = 412;

interface LateAct<Entry> {
  reload: () => Promise<Entry>;
  /** Whether the user has typed something that is not saved. */
  isDirtyNow: () => boolean;
  /** Shows the newer version with a banner, whose text is `state` unless that is null. */
  showConflict: (latest: Entry, savedBy: null, state: string | null) => void;
  /** Says what somebody else did first; null if it was only another change. */
  describe?: (latest: Entry) => string | null;
}

/**
 * Explains an act that the portal rejected because somebody else was first: loads the newer version
 * and shows it. Returns false if the caller must show the error.
 */
export function explainLateAct<Entry>(error: unknown, act: LateAct<Entry>): boolean {
  const status = error instanceof ApiError ? error.status : null;
  if (status === STALE) {
    const isDirty = act.isDirtyNow();
    act.reload().then(
      (latest) => {
        // Somebody who has typed nothing has nothing to compare.
        const state = isDirty ? null : (act.describe?.(latest) ?? messages.ORDER_CHANGED_FIRST);
        act.showConflict(latest, null, state);
      },
      (failure: unknown) => {
        toasts.error(`${describeError(error)} ${describeError(failure)}`);
      },
    );
  }
  return status === STALE || status === SIGNED_OUT;
}
