import { Button } from '@blueprintjs/core';
import { useState } from 'react';

import { CrossIcon } from '../../components/icons';
import { NoticeBar } from '../../components/NoticeBar';
import { messages, say } from '../../contract';
import { formatLabTime } from '../../lib/instants';
import { useClockDifference } from './useLabClock';

/** Tells users whose workstation has a wrong clock that all times are the lab's. */
export function ClockNotice() {
  const difference = useClockDifference();
  const [isDismissed, setIsDismissed] = useState(false);
  if (!difference?.isWrong || isDismissed) return null;
  const { lab, local } = difference;
  return (
    <NoticeBar
      end={
        <Button
          variant="minimal"
          size="small"
          icon={<CrossIcon />}
          aria-label="Dismiss"
          onClick={() => setIsDismissed(true)}
        />
      }
    >
      {say(messages.CLOCK_WRONG, { lab: formatLabTime(lab), local: formatLabTime(local) })}
    </NoticeBar>
  );
}
