import { useState, type ReactNode } from 'react';

import { ApiError, useSession } from '../../../api';
import { CodeField } from '../../../components/fields/CodeField';
import { TextField } from '../../../components/fields/TextField';
import { useWrite } from '../../../components/useWrite';
import { messages } from '../../../contract';
import { beginSecondFactor, confirmSecondFactor, type SecondFactorSetup } from '../api';
import { RecoveryCodeList } from './RecoveryCodeList';
import styles from './settings.module.css';

interface SetupSteps {
  /** The fields and texts of the current step. */
  body: ReactNode;
  submitLabel: string;
  submit: () => void;
  isRunning: boolean;
  /** Whether the second factor is on, and the recovery codes are shown. */
  isOn: boolean;
}

/**
 * The steps that turn the second factor on: the password, the app's first code, and the recovery
 * codes. `onDone` is called when the user has seen the recovery codes.
 */
export function useSecondFactorSetup(onDone: () => void): SetupSteps {
  const session = useSession();
  const [password, setPassword] = useState('');
  const [setup, setSetup] = useState<SecondFactorSetup | null>(null);
  const [code, setCode] = useState('');
  const [error, setError] = useState<string>();
  const [codes, setCodes] = useState<readonly string[] | null>(null);

  const showFieldError = (failure: unknown) => {
    if (!(failure instanceof ApiError && [400, 429].includes(failure.status))) return false;
    setError(failure.errors[0]?.message ?? failure.detail);
    return true;
  };
  const beginWrite = useWrite({
    send: (typedText: string) => beginSecondFactor(typedText),
    onDone: (answer) => {
      setError(undefined);
      setSetup(answer);
    },
    explain: showFieldError,
  });
  const confirmWrite = useWrite({
    send: (typedText: string) => confirmSecondFactor(typedText),
    onDone: (answer) => setCodes(answer.codes),
    explain: (failure) => {
      setCode('');
      return showFieldError(failure);
    },
  });
  const finishWrite = useWrite({
    // The new profile says that there is a second factor.
    send: () => session.renew(),
    onDone,
  });
  const isRunning = beginWrite.isRunning || confirmWrite.isRunning || finishWrite.isRunning;

  if (codes !== null) {
    return {
      body: <RecoveryCodeList codes={codes} />,
      submitLabel: 'Done',
      submit: () => finishWrite.run(null),
      isRunning,
      isOn: true,
    };
  }
  if (setup !== null) {
    return {
      body: (
        <SetupBody setup={setup}>
          <CodeField value={code} error={error} onChange={setCode} />
        </SetupBody>
      ),
      submitLabel: 'Turn on',
      submit: () => {
        if (code.trim() === '') setError(messages.SECOND_FACTOR_CODE_REQUIRED);
        else confirmWrite.run(code.trim());
      },
      isRunning,
      isOn: false,
    };
  }
  return {
    body: (
      <>
        <p className={styles['text']}>{messages.SECOND_FACTOR_ABOUT}</p>
        <TextField
          label="Password"
          type="password"
          required
          autoComplete="current-password"
          value={password}
          error={error}
          onChange={setPassword}
        />
      </>
    ),
    submitLabel: 'Continue',
    submit: () => {
      if (password === '') setError(messages.PASSWORD_REQUIRED);
      else beginWrite.run(password);
    },
    isRunning,
    isOn: false,
  };
}

/** The key as a picture and as text, and the field of the app's first code. */
function SetupBody({ setup, children }: { setup: SecondFactorSetup; children: ReactNode }) {
  return (
    <>
      <p className={styles['text']}>{messages.SECOND_FACTOR_SCAN}</p>
      <div className={styles['setup']}>
        <img src={setup.picture} alt="QR code of the key" />
        <div>
          <p className="quiet">Key</p>
          <p className={styles['key']}>{setup.key.match(/.{1,4}/g)?.join(' ')}</p>
          {children}
        </div>
      </div>
    </>
  );
}
