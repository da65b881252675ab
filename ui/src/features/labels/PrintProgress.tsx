import { Button, Callout, ProgressBar } from '@blueprintjs/core';
import { useEffect, useRef } from 'react';

import { messages, say } from '../../contract';
import styles from './labels.module.css';
import { describeFailure, describeProblems, isOver } from './progress';
import type { usePrintJob } from './usePrintJob';

/** The progress of the running print, with Stop; or why the last one failed. */
export function PrintProgress({ printJob }: { printJob: ReturnType<typeof usePrintJob> }) {
  const { record, stop } = printJob;
  const place = useRef<HTMLDivElement>(null);
  const state = record?.state;
  // The progress is above the pictures of the labels, and may be out of sight.
  useEffect(() => {
    // In braces: newer browsers return a promise here, which an effect must not return.
    place.current?.scrollIntoView({ block: 'nearest' });
  }, [state]);
  if (record === null) return null;
  if (isOver(record)) {
    return record.state === 'failed' ? (
      <div ref={place}>
        <Callout intent="danger" icon={false} role="alert" className={styles['outcome']}>
          {describeFailure(record)}
        </Callout>
      </div>
    ) : null;
  }
  const { printed, labels, printer, waitsFor } = record;
  return (
    <div ref={place} className={styles['progress']}>
      <div role="status">
        {waitsFor.length > 0
          ? say(messages.PRINTER_WAITS, { printer, reasons: describeProblems(waitsFor) })
          : say(messages.LABELS_PROGRESS, { printed, labels })}
      </div>
      <Button size="small" text="Stop" onClick={stop} />
      <ProgressBar
        className={styles['bar']}
        animate={false}
        stripes={false}
        intent={waitsFor.length > 0 ? 'warning' : 'primary'}
        value={printed / labels}
      />
    </div>
  );
}
