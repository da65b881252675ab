import { toasts } from '../../components/toasts';
import { useWrite } from '../../components/useWrite';
import { sendTestAct, type EntryHeader, type Family, type TestAct } from './api';
import { describeTestAct } from './testActs';
import { explainLateAct } from './explainLateAct';

interface TestActing<Entry extends EntryHeader> {
  family: Family;
  /** The order as it is shown. */
  entry: Entry;
  onChanged: (entry: Entry) => void;
  reload: () => Promise<Entry>;
  isDirtyNow: () => boolean;
  /** Compares the typed values with those that somebody else has stored meanwhile. */
  showConflict: (latest: Entry, savedBy: null, state: string | null) => void;
}

/** Withholds results of a family, shows them again, and holds its tests. */
export function useTestActing<Entry extends EntryHeader>(options: TestActing<Entry>) {
  const actWrite = useWrite({
    send: (
      { orderId, version, act }: { orderId: number; version: number; act: TestAct },
      idempotencyKey,
    ) => sendTestAct<Entry>(orderId, options.family, act, { version, idempotencyKey }),
    identify: (body) => body,
    onDone: (newEntry, { act }) => {
      options.onChanged(newEntry);
      toasts.success(describeTestAct(act));
    },
    explain: (error) => {
      return explainLateAct(error, options);
    },
  });
  const { orderId, version } = options.entry;
  return {
    isActing: actWrite.isRunning,
    act: (act: TestAct) => actWrite.run({ orderId, version, act }),
  };
}
