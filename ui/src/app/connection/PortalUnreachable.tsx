import { Button } from '@blueprintjs/core';
import { useEffect, useRef, useState } from 'react';

import {
  describeError,
  loadCapabilities,
  type Capabilities,
  type PortalConnection,
} from '../../api';
import { ActButton } from '../../components/ActButton';
import { RefreshIcon } from '../../components/icons';
import { limits, messages, say } from '../../contract';
import { copyDiagnostics } from '../../device';
import { loadPortals, type PortalChoices } from './api';
import styles from './connection.module.css';
import { ConnectionPage } from './ConnectionPage';
import { PortalChoice } from './PortalChoice';

const RETRY_MS = limits.PORTAL_RETRY_SECONDS * 1_000;

interface PortalUnreachableProps {
  connection: PortalConnection;
  /** Called once, when the portal answers. */
  onBack: (capabilities: Capabilities) => void;
}

/** Checks the connection at intervals, until the portal answers. */
function useConnection({ connection, onBack }: PortalUnreachableProps) {
  const [current, setCurrent] = useState(connection);
  const [isChecking, setIsChecking] = useState(false);
  const check = useRef<() => void>(() => undefined);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const controller = new AbortController();
    const hasEnded = () => controller.signal.aborted;
    let isRunning = false;
    const run = async () => {
      if (isRunning || hasEnded()) return;
      isRunning = true;
      clearTimeout(timer);
      setIsChecking(true);
      const capabilities = await loadCapabilities().catch(() => null);
      isRunning = false;
      if (hasEnded()) return;
      setIsChecking(false);
      if (capabilities?.portal?.cause === null) {
        controller.abort();
        onBack(capabilities);
        return;
      }
      if (capabilities?.portal) setCurrent(capabilities.portal);
      timer = setTimeout(() => void run(), RETRY_MS);
    };
    check.current = () => void run();
    timer = setTimeout(() => void run(), RETRY_MS);
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [onBack]);
  return { current, isChecking, check: () => check.current() };
}

/** Says why the portal cannot be reached and what to do, until it answers. */
export function PortalUnreachable(props: PortalUnreachableProps) {
  const { current, isChecking, check } = useConnection(props);
  const [choices, setChoices] = useState<PortalChoices | null>(null);
  const [isChoosing, setIsChoosing] = useState(false);
  const [copiedText, setCopiedText] = useState('');
  const copy = () =>
    void copyDiagnostics().then(setCopiedText, (error: unknown) =>
      setCopiedText(describeError(error)),
    );
  useEffect(() => {
    document.title = 'Lab Portal';
    loadPortals().then(setChoices, () => undefined);
  }, []);

  const hasNoPortal = current.cause === 'not_chosen';
  if (choices !== null && (isChoosing || hasNoPortal)) {
    return (
      <ConnectionPage>
        <PortalChoice
          choices={choices}
          onChosen={check}
          onCancel={hasNoPortal ? undefined : () => setIsChoosing(false)}
        />
      </ConnectionPage>
    );
  }
  const canChoose = choices?.fixedBy === null && current.cause !== 'settings';
  return (
    <ConnectionPage>
      <div role="alert">
        <h1>{current.problem}</h1>
      </div>
      <p className={styles['advice']}>{current.advice}</p>
      {current.address === null ? null : (
        <p className={styles['address']}>
          Portal: {current.address}
          {choices?.fixedBy ? ` (set by ${choices.fixedBy})` : null}
        </p>
      )}
      <div className={styles['actions']}>
        <ActButton icon={<RefreshIcon />} intent="primary" isRunning={isChecking} onClick={check}>
          Retry
        </ActButton>
        <Button onClick={copy}>Copy diagnostics</Button>
        {canChoose ? <Button onClick={() => setIsChoosing(true)}>Use another portal</Button> : null}
      </div>
      <p role="status" className={styles['retries']}>
        {copiedText}
      </p>
      <p className={styles['retries']}>
        {say(messages.PORTAL_RETRIES, { seconds: limits.PORTAL_RETRY_SECONDS })}
      </p>
    </ConnectionPage>
  );
}
