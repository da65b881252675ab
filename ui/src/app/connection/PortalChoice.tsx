import { Button, Callout } from '@blueprintjs/core';
import { useEffect, useRef, useState } from 'react';

import { ApiError, describeError, type PortalConnection } from '../../api';
import { ActButton } from '../../components/ActButton';
import { TextField } from '../../components/fields/TextField';
import { CrossIcon, WarningSignIcon } from '../../components/icons';
import { messages } from '../../contract';
import { choosePortal, removePortal, type PortalChoices } from './api';
import styles from './connection.module.css';

interface PortalChoiceProps {
  choices: PortalChoices;
  onChosen: () => void;
  /** Absent at the first start, when there is nothing to return to. */
  onCancel?: (() => void) | undefined;
}

/** Connects to a portal whose address is entered or chosen, or says why that fails. */
export function PortalChoice({ choices, onChosen, onCancel }: PortalChoiceProps) {
  const [url, setUrl] = useState('');
  const [portals, setPortals] = useState(choices.portals);
  /** The address that is being checked. */
  const [checkedUrl, setCheckedUrl] = useState<string | null>(null);
  const [failure, setFailure] = useState<PortalConnection | null>(null);
  const [error, setError] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    document.title = 'Which portal? · Lab Portal';
    field.current?.focus();
  }, []);

  const connect = async (address: string) => {
    if (checkedUrl !== null) return;
    setError(address.trim() === '' ? messages.VALUE_REQUIRED : undefined);
    setFailure(null);
    if (address.trim() === '') return;
    setCheckedUrl(address);
    try {
      const connection = await choosePortal(address);
      if (connection.cause === null) onChosen();
      else setFailure(connection);
    } catch (problem) {
      const isField = problem instanceof ApiError && problem.errors[0] !== undefined;
      setError(isField ? problem.errors[0]?.message : describeError(problem));
      field.current?.focus();
    } finally {
      setCheckedUrl(null);
    }
  };

  const remove = async (address: string) => {
    setError(undefined);
    try {
      await removePortal(address);
      setPortals((before) => before.filter((portal) => portal.url !== address));
      field.current?.focus();
    } catch (problem) {
      setError(describeError(problem));
    }
  };

  return (
    <form
      className={styles['choice']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void connect(url);
      }}
    >
      <h1>Which portal?</h1>
      <p className={styles['advice']}>
        {portals.length === 0 ? messages.PORTAL_NOT_CHOSEN_ADVICE : messages.PORTAL_CHOICE_PROMPT}
      </p>
      {portals.length === 0 ? null : (
        <ul className={styles['portals']}>
          {portals.map((portal) => (
            <li key={portal.url}>
              <ActButton
                fill
                alignText="start"
                isRunning={checkedUrl === portal.url}
                onClick={() => void connect(portal.url)}
              >
                <span className={styles['name']}>{portal.name || portal.url}</span>
                <span className={styles['url']}>
                  {portal.name ? portal.url : null}
                  {portal.url === choices.current ? ' (in use)' : null}
                </span>
              </ActButton>
              {portal.canRemove ? (
                <Button
                  variant="minimal"
                  icon={<CrossIcon />}
                  aria-label={`Remove ${portal.name || portal.url}`}
                  onClick={() => void remove(portal.url)}
                />
              ) : null}
            </li>
          ))}
        </ul>
      )}
      <TextField
        label="Address"
        name="portal"
        placeholder="https://portal.example"
        inputRef={field}
        value={url}
        error={error}
        onChange={setUrl}
      />
      <div role="alert" className={styles['failure']}>
        {failure === null ? null : (
          <Callout intent="danger" icon={<WarningSignIcon />}>
            <strong>{failure.problem}</strong> {failure.advice}
          </Callout>
        )}
      </div>
      <div className={styles['actions']}>
        <ActButton
          type="submit"
          intent="primary"
          isRunning={checkedUrl !== null && checkedUrl === url}
        >
          Connect
        </ActButton>
        {onCancel === undefined ? null : <Button onClick={onCancel}>Cancel</Button>}
      </div>
    </form>
  );
}
