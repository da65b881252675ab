import { useEffect, useRef, useState } from 'react';

import { loadCapabilities, type Capabilities, type PortalConnection } from '../../api';
import { ActButton } from '../../components/ActButton';
import { RefreshIcon } from '../../components/icons';
import { limits, messages, say } from '../../contract';
import styles from './connection.module.css';

const RETRY_MS = limits.PORTAL_RETRY_SECONDS * 1_000;

interface PortalAwayProps {
  connection: PortalConnection;
  /** Called once, when the portal answers. */
  onBack: (capabilities: Capabilities) => void;
}

/** Says why the portal cannot be reached and what to do, until it answers. */
export function PortalAway({ connection, onBack }: PortalAwayProps) {
  const [current, setCurrent] = useState(connection);
  const [isChecking, setIsChecking] = useState(false);
  const check = useRef<() => void>(() => undefined);
  useEffect(() => {
    document.title = 'Lab Portal';
    let timer: ReturnType<typeof setTimeout> | undefined;
    const over = new AbortController();
    const isOver = () => over.signal.aborted;
    let isRunning = false;
    const run = async () => {
      if (isRunning || isOver()) return;
      isRunning = true;
      clearTimeout(timer);
      setIsChecking(true);
      const capabilities = await loadCapabilities().catch(() => null);
      isRunning = false;
      if (isOver()) return;
      setIsChecking(false);
      if (capabilities?.portal?.cause === null) {
        over.abort();
        onBack(capabilities);
        return;
      }
      if (capabilities?.portal) setCurrent(capabilities.portal);
      timer = setTimeout(() => void run(), RETRY_MS);
    };
    check.current = () => void run();
    timer = setTimeout(() => void run(), RETRY_MS);
    return () => {
      over.abort();
      clearTimeout(timer);
    };
  }, [onBack]);

  return (
    <main className={styles['page']}>
      <div className={styles['card']}>
        <div className={styles['brand']}>
          <img src="/favicon.svg" alt="" height={32} />
          Lab Portal
        </div>
        <div role="alert">
          <h1>{current.problem}</h1>
        </div>
        <p className={styles['advice']}>{current.advice}</p>
        {current.address === null ? null : (
          <p className={styles['address']}>Portal: {current.address}</p>
        )}
        <div className={styles['actions']}>
          <ActButton
            icon={<RefreshIcon />}
            intent="primary"
            isRunning={isChecking}
            onClick={() => check.current()}
          >
            Retry
          </ActButton>
          <p className={styles['retries']}>
            {say(messages.PORTAL_RETRIES, { seconds: limits.PORTAL_RETRY_SECONDS })}
          </p>
        </div>
      </div>
    </main>
  );
}
