import { Callout } from '@blueprintjs/core';
import { useEffect, useRef, useState } from 'react';

import { useSession } from '../../api';
import { limits, messages, say } from '../../contract';
import { useDevice } from '../../device';
import { IDLE_SECONDS } from '../../lib/idleTime';
import styles from './shell.module.css';

const ACTIVITY = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;
const SECOND_MS = 1_000;
/** The shortest time between two reports of activity to the other tabs. */
const REPORT_MS = 2_000;

/** The events of a page that is shown again; `visibilitychange` also reaches the window. */
const RETURNS = ['visibilitychange', 'pageshow', 'focus', 'resume'] as const;

/** How often the desktop app is asked about its other windows. */
const POLL_MS = 5_000;

// Dialogs and toasts are outside of the page's tree, so the whole body is covered.
const coverPage = (): void => {
  document.body.style.visibility = 'hidden';
};

const uncoverPage = (): void => {
  document.body.style.visibility = '';
};

/**
 * Warns after the idle time and signs out a minute later (P 4). Idle time is shared: activity in
 * one tab, or in one window of the desktop app, keeps all of them signed in. The wall clock
 * measures it, so that a computer that wakes up after the idle time shows no patient.
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
      const remoteActiveAt = Date.now() - state.idleSeconds * SECOND_MS;
      lastActive.current = Math.max(lastActive.current, remoteActiveAt);
    };
    const getSecondsUntilEnd = () => {
      const idle = (Date.now() - lastActive.current) / SECOND_MS;
      return Math.ceil(IDLE_SECONDS + limits.IDLE_WARNING_SECONDS - idle);
    };
    void checkPresence();
    const presenceTimer = presence ? setInterval(() => void checkPresence(), POLL_MS) : undefined;

    let isEnding = false;
    const isIdle = () => getSecondsUntilEnd() <= 0;
    /** A hidden window's clock may have been suspended, so check the other windows first. */
    const endSession = async () => {
      if (isEnding) return;
      isEnding = true;
      coverPage();
      await checkPresence();
      isEnding = false;
      if (isOver || !isIdle()) {
        uncoverPage();
        return;
      }
      isOver = true;
      await session.signOut('idle');
    };
    /** Handles a page that is shown again, after a sleep or from the browser's page cache. */
    const handleReturn = (event: Event) => {
      if (isIdle()) void endSession();
      else if (event.type === 'pageshow') void session.keepAlive().finally(uncoverPage);
    };
    for (const name of RETURNS) window.addEventListener(name, handleReturn, true);
    // The browser may store the page as it is, and show it again after somebody has signed out.
    window.addEventListener('pagehide', coverPage);

    const timer = setInterval(() => {
      const seconds = getSecondsUntilEnd();
      if (seconds <= 0) void endSession();
      else setSecondsLeft(seconds <= limits.IDLE_WARNING_SECONDS ? seconds : null);
    }, SECOND_MS);

    const keepAliveTimer = setInterval(
      () => void session.keepAlive(),
      limits.KEEPALIVE_SECONDS * SECOND_MS,
    );

    return () => {
      isOver = true;
      uncoverPage();
      window.removeEventListener('pagehide', coverPage);
      for (const name of RETURNS) window.removeEventListener(name, handleReturn, true);
      clearInterval(keepAliveTimer);
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
