import { ProgressBar } from '@blueprintjs/core';
import { useEffect, useState } from 'react';

interface WaitingBarProps {
  /** What the person waits for: 'Checking 50,000 rows'. */
  label: string;
  /** How much is done, from 0 to 1; undefined where nobody can tell. */
  value?: number | undefined;
}

const SECOND_MS = 1_000;

/** A bar with what runs and for how many seconds; it appears when the act has taken a second. */
export function WaitingBar({ label, value }: WaitingBarProps) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const startedAt = Date.now();
    const timer = setInterval(
      () => setSeconds(Math.round((Date.now() - startedAt) / SECOND_MS)),
      SECOND_MS,
    );
    return () => clearInterval(timer);
  }, []);
  if (seconds === 0) return null;
  return (
    <div>
      <p className="quiet">{`${label}: ${seconds} s`}</p>
      <div
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={value === undefined ? undefined : Math.round(100 * value)}
      >
        <ProgressBar aria-hidden intent="primary" value={value} />
      </div>
    </div>
  );
}
