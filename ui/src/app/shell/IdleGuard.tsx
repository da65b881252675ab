import { Callout } from '@blueprintjs/core';
import { useEffect, useRef, useState } from 'react';

import { useSession } from '../../api';
import { limits, messages, say } from '../../contract';
import { useDevice } from '../../device';
import styles from './shell.module.css';

const ACTIVITY = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;
const TICK_MS = 1_000;
/** How often activity is told to the other tabs at most. */
const TELL_MS = 2_000;

/** How often the desktop app is asked about its other windows. */
const ASK_MS = 5_000;

/**
 * Warns after 15 idle minutes and signs out a minute later (P 4). Idle time is shared: work in
 * one tab, or in one window of the desktop app, keeps all of them open.
 */
export function IdleGuard() {
  const session = useSession();
  const { presence } = useDevice();
  const lastActive = useRef(0);
  const [secondsLeft, setSecondsLeft] = useState<number | null>(null);

  useEffect(() => {
    const tabs = 'BroadcastChannel' in window ? new BroadcastChannel('portal-activity') : null;
    lastActive.current = Date.now();
    let told = 0;
    const active = () => {
      lastActive.current = Date.now();
      if (Date.now() - told > TELL_MS) {
        told = Date.now();
        tabs?.postMessage('active');
        presence?.mark();
      }
    };
    const elsewhere = () => {
      lastActive.current = Date.now();
    };
    for (const name of ACTIVITY) window.addEventListener(name, active, { passive: true });
    tabs?.addEventListener('message', elsewhere);

    let ended: number | null = null;
    let isOver = false;
    const ask = async () => {
      const now = await presence?.read().catch(() => undefined);
      if (now === undefined || isOver) return;
      ended ??= now.sessionsEnded;
      if (now.sessionsEnded !== ended) {
        isOver = true;
        session.endedElsewhere();
      }
      const there = Date.now() - now.idleSeconds * TICK_MS;
      lastActive.current = Math.max(lastActive.current, there);
    };
    const secondsUntilEnd = () => {
      const idle = (Date.now() - lastActive.current) / TICK_MS;
      return Math.ceil(limits.IDLE_SECONDS + limits.IDLE_WARNING_SECONDS - idle);
    };
    void ask();
    const asking = presence ? setInterval(() => void ask(), ASK_MS) : undefined;

    let isEnding = false;
    /** The clock of a hidden window may have slept: what went on in the others is heard first. */
    const end = async () => {
      if (isEnding) return;
      isEnding = true;
      await ask();
      isEnding = false;
      if (isOver || secondsUntilEnd() > 0) return;
      isOver = true;
      await session.signOut('idle');
    };

    const timer = setInterval(() => {
      const left = secondsUntilEnd();
      if (left <= 0) void end();
      else setSecondsLeft(left <= limits.IDLE_WARNING_SECONDS ? left : null);
    }, TICK_MS);

    return () => {
      isOver = true;
      clearInterval(timer);
      clearInterval(asking);
      for (const name of ACTIVITY) window.removeEventListener(name, active);
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
