import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { ApiError, useProfile, useSession } from '../../../api';
import { ActButton } from '../../../components/ActButton';
import { FormDialog } from '../../../components/dialogs/FormDialog';
import { CodeField } from '../../../components/fields/CodeField';
import { TextField } from '../../../components/fields/TextField';
import { toasts } from '../../../components/toasts';
import { useWrite } from '../../../components/useWrite';
import { limits, messages, say } from '../../../contract';
import {
  refreshAccount,
  replaceRecoveryCodes,
  secondFactorQuery,
  turnOffSecondFactor,
} from '../api';
import { RecoveryCodeList } from './RecoveryCodeList';
import { useSecondFactorSetup } from './useSecondFactorSetup';
import styles from './settings.module.css';

interface DialogProps {
  onClose: () => void;
}

const TITLE = 'Second factor';

/** Sets the second factor up, or changes it (ADR 62). */
export function SecondFactorDialog({ onClose }: DialogProps) {
  // The setup stays open after it has turned the second factor on, to show the recovery codes.
  const [isOn] = useState(useProfile().hasSecondFactor);
  return isOn ? <ChangeDialog onClose={onClose} /> : <SetupDialog onClose={onClose} />;
}

function SetupDialog({ onClose }: DialogProps) {
  const steps = useSecondFactorSetup(() => {
    toasts.success(messages.SECOND_FACTOR_TURNED_ON);
    onClose();
  });
  return (
    <FormDialog
      isOpen
      title={TITLE}
      width={limits.DIALOG_SETTINGS_WIDTH_PX}
      onClose={steps.isOn ? steps.submit : onClose}
      onSubmit={steps.submit}
      submitLabel={steps.submitLabel}
      busy={steps.isRunning}
    >
      {steps.body}
    </FormDialog>
  );
}

function ChangeDialog({ onClose }: DialogProps) {
  const session = useSession();
  const queries = useQueryClient();
  const state = useQuery(secondFactorQuery);
  const [values, setValues] = useState({ password: '', code: '' });
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const explain = (failure: unknown) => {
    if (!(failure instanceof ApiError && [400, 429].includes(failure.status))) return false;
    const { field, message } = failure.errors[0] ?? { field: 'code', message: failure.detail };
    // A code works only once, so empty the field for the next one.
    setValues((current) => ({ ...current, code: '' }));
    setErrors({ [field]: message });
    return true;
  };
  const turnOffWrite = useWrite({
    send: async ({ password, code }: typeof values) => {
      await turnOffSecondFactor(password, code);
      await session.renew();
    },
    onDone: () => {
      toasts.success(messages.SECOND_FACTOR_TURNED_OFF);
      onClose();
    },
    explain,
  });
  const replaceWrite = useWrite({
    send: ({ password, code }: typeof values) => replaceRecoveryCodes(password, code),
    onDone: (answer) => {
      setCodes(answer.codes);
      void refreshAccount(queries);
    },
    explain,
  });
  const submitTo = (write: { run: (body: typeof values) => void }) => {
    const missingFields = {
      ...(values.password === '' ? { password: messages.PASSWORD_REQUIRED } : {}),
      ...(values.code.trim() === '' ? { code: messages.SECOND_FACTOR_CODE_REQUIRED } : {}),
    };
    setErrors(missingFields);
    if (Object.keys(missingFields).length === 0) write.run({ ...values, code: values.code.trim() });
  };

  if (codes !== null) {
    return (
      <FormDialog isOpen title={TITLE} width={limits.DIALOG_SETTINGS_WIDTH_PX} onClose={onClose}>
        <RecoveryCodeList codes={codes} />
      </FormDialog>
    );
  }
  return (
    <FormDialog
      isOpen
      title={TITLE}
      width={limits.DIALOG_SETTINGS_WIDTH_PX}
      onClose={onClose}
      onSubmit={() => submitTo(turnOffWrite)}
      submitLabel="Turn off"
      intent="danger"
      busy={turnOffWrite.isRunning}
      extra={
        <ActButton isRunning={replaceWrite.isRunning} onClick={() => submitTo(replaceWrite)}>
          New recovery codes
        </ActButton>
      }
    >
      <p className={styles['text']}>{messages.SECOND_FACTOR_ABOUT}</p>
      {state.data === undefined ? null : (
        <p className={styles['text']}>
          {say(messages.SECOND_FACTOR_CODES_LEFT, {
            count: state.data.recoveryCodesLeft,
            total: limits.RECOVERY_CODES,
          })}
        </p>
      )}
      <TextField
        label="Password"
        type="password"
        required
        autoComplete="current-password"
        value={values.password}
        error={errors['password']}
        onChange={(password) => setValues({ ...values, password })}
      />
      <CodeField
        value={values.code}
        error={errors['code']}
        onChange={(code) => setValues({ ...values, code })}
      />
    </FormDialog>
  );
}
