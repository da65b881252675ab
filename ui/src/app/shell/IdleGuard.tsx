import { Callout } from '@blueprintjs/core';
import { useEffect, useRef, useState } from 'react';

import { useSession } from '../../api';
import { limits, messages, say } from '../../contract';
import { useDevice } from '../../device';
import styles from './shell.module.css';

const ACTIVITY = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;
const TICK_MS = 1_000;
/** How often activity is reported to the other tabs, at most. */
const REPORT_MS = 2_000;

/** How often the desktop app is asked about its other windows. */
const POLL_MS = 5_000;

/**
 * Warns after 15 idle minutes and signs out a minute later (P 4). Idle time is shared: activity in
 * one tab, or in one window of the desktop app, keeps all of them signed in.
 */
export function IdleGuard() {
  const session = useSession();
  const { presence } = useDevice();
  const lastActive = useRef(0);
  const [secondsLeft, setSecondsLeft] = useState<number | null>(null);

  useEffect(() => {
    const tabs = 'BroadcastChannel' in window ? new BroadcastChannel('portal-activity') : null;
    lastActive.current = Date.now();
    let reportedAt = 0;
    const handleActivity = () => {
      lastActive.current = Date.now();
      if (Date.now() - reportedAt > REPORT_MS) {
        reportedAt = Date.now();
        tabs?.postMessage('active');
        presence?.mark();
      }
    };
    const handleRemoteActivity = () => {
      lastActive.current = Date.now();
    };
    for (const name of ACTIVITY) window.addEventListener(name, handleActivity, { passive: true });
    tabs?.addEventListener('message', handleRemoteActivity);

    let initialSessionsEnded: number | null = null;
    let isOver = false;
    const checkPresence = async () => {
      const state = await presence?.read().catch(() => undefined);
      if (state === undefined || isOver) return;
      initialSessionsEnded ??= state.sessionsEnded;
      if (state.sessionsEnded !== initialSessionsEnded) {
        isOver = true;
        session.handleRemoteSignOut();
      }
      const remoteActiveAt = Date.now() - state.idleSeconds * TICK_MS;
      lastActive.current = Math.max(lastActive.current, remoteActiveAt);
    };
    const getSecondsUntilEnd = () => {
      const idle = (Date.now() - lastActive.current) / TICK_MS;
      return Math.ceil(limits.IDLE_SECONDS + limits.IDLE_WARNING_SECONDS - idle);
    };
    void checkPresence();
    const presenceTimer = presence ? setInterval(() => void checkPresence(), POLL_MS) : undefined;

    let isEnding = false;
    /** A hidden window's clock may have been suspended, so check the other windows first. */
    const endSession = async () => {
      if (isEnding) return;
      isEnding = true;
      await checkPresence();
      isEnding = false;
      if (isOver || getSecondsUntilEnd() > 0) return;
      isOver = true;
      await session.signOut('idle');
    };

    const timer = setInterval(() => {
      const seconds = getSecondsUntilEnd();
      if (seconds <= 0) void endSession();
      else setSecondsLeft(seconds <= limits.IDLE_WARNING_SECONDS ? seconds : null);
    }, TICK_MS);

    return () => {
      isOver = true;
      clearInterval(timer);
      clearInterval(presenceTimer);
      for (const name of ACTIVITY) window.removeEventListener(name, handleActivity);
      tabs?.close();
    };
  }, [presence, session]);

  if (secondsLeft === null) return null;
  return (
    <div className={styles['idle']}>
      <span className="visually-hidden" role="alert">
        {say(messages.IDLE_WARNING, { seconds: limits.IDLE_WARNING_SECONDS })}
      </span>
      <Callout intent="warning" icon={false} aria-hidden="true">
        {say(messages.IDLE_WARNING, { seconds: secondsLeft })}
      </Callout>
    </div>
  );
}
