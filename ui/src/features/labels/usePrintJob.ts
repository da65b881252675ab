import { useCallback, useEffect, useRef, useState } from 'react';

import { trackPrint } from '../../components/runningPrints';
import { useDevice, type PrintRecord } from '../../device';
import { isOver } from './progress';

const POLL_MS = 200;

/**
 * Follows a print job to its end, even after its dialog has closed, so that a failure reaches the
 * person. `record` is the running or the last one.
 */
export function usePrintJob() {
  const device = useDevice();
  const [record, setRecord] = useState<PrintRecord | null>(null);
  const isMounted = useRef(true);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);

  const run = useCallback(
    (id: string, start: () => Promise<PrintRecord>): Promise<PrintRecord> =>
      trackPrint(async () => {
        setRecord(null);
        let latest = await start();
        while (!isOver(latest)) {
          if (isMounted.current) setRecord(latest);
          await new Promise((resolve) => setTimeout(resolve, POLL_MS));
          latest = await device.readPrint(id);
        }
        if (isMounted.current) setRecord(latest);
        return latest;
      }),
    [device],
  );

  return {
    record,
    run,
    /** Whether the dialog is still open. */
    isShown: () => isMounted.current,
    stop: () => (record ? void device.stopPrint(record.id).then(setRecord) : undefined),
  };
}
