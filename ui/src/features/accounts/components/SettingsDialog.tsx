import { Button, Switch } from '@blueprintjs/core';
import { useState, type ReactNode } from 'react';
import { useNavigate } from 'react-router';

import { findFieldError, useProfile, useSession } from '../../../api';
import { ConfirmDialog } from '../../../components/dialogs/ConfirmDialog';
import { GuardedDialog } from '../../../components/dialogs/GuardedDialog';
import { PasswordField } from '../../../components/fields/PasswordField';
import { TextField } from '../../../components/fields/TextField';
import { hasUnsavedChanges } from '../../../components/unsavedChanges';
import { toasts } from '../../../components/toasts';
import { useIdentityProof } from '../../../components/useIdentityProof';
import { useWrite } from '../../../components/useWrite';
import { limits, messages } from '../../../contract';
import { newPasswordTips, validateNewPassword } from '../../../lib/password';
import { paths } from '../../../lib/paths';
import { changePassword } from '../api';
import { SecondFactorDialog } from './SecondFactorDialog';
import { SessionsDialog } from './SessionsDialog';
import { SignatureDialog } from './SignatureDialog';
import styles from './settings.module.css';

/** Saving the names or the password failed, although the old password was right. */
class SaveFailed extends Error {
  /** What the portal says about the new password, if that is the reason. */
  readonly passwordError: string | undefined;

  constructor(cause: unknown) {
    super();
    this.passwordError = findFieldError(cause, 'password');
  }
}

interface SettingsDialogProps {
  isDark: boolean;
  setDark: (isDark: boolean) => void;
  onClose: () => void;
}

type Part = 'signature' | 'sessions' | 'secondFactor';

/**
 * The profile popup (P 2, P 4): names and password, which are saved together and end the session;
 * dark mode, signature, sessions, and second factor, each of which is saved separately.
 */
export default function SettingsDialog({ isDark, setDark, onClose }: SettingsDialogProps) {
  const session = useSession();
  const user = useProfile();
  const navigate = useNavigate();
  const proof = useIdentityProof('Old Password', messages.OLD_PASSWORD_REQUIRED);
  const [lastName, setLastName] = useState(user.lastName);
  const [firstName, setFirstName] = useState(user.firstName);
  const [newPassword, setNewPassword] = useState('');
  const [rejection, setRejection] = useState<string>();
  const [showsErrors, setShowsErrors] = useState(false);
  const [isConfirming, setIsConfirming] = useState(false);
  const [part, setPart] = useState<Part | null>(null);
  const closePart = () => setPart(null);

  const errors = {
    lastName: lastName.trim() === '' ? messages.LAST_NAME_REQUIRED : undefined,
    firstName: firstName.trim() === '' ? messages.FIRST_NAME_REQUIRED : undefined,
    newPassword: validateNewPassword(newPassword),
  };
  const shownErrors: Partial<typeof errors> = showsErrors ? errors : {};

  const saveWrite = useWrite({
    send: async (names: { lastName: string; firstName: string }) => {
      await proof.prove();
      try {
        await session.updateProfile(names);
        await changePassword(user.email, proof.password, newPassword);
      } catch (error) {
        throw new SaveFailed(error);
      }
    },
    onDone: () => {
      onClose();
      void navigate(paths.login);
      void session.signOut('left');
      toasts.success(messages.USER_INFORMATION_UPDATED);
    },
    explain: (error) => {
      if (proof.explain(error)) return true;
      if (!(error instanceof SaveFailed)) return false;
      setRejection(error.passwordError);
      if (error.passwordError === undefined) toasts.error(messages.USER_UPDATE_FAILED);
      return true;
    },
  });
  const save = () => saveWrite.run({ lastName: lastName.trim(), firstName: firstName.trim() });
  const submit = () => {
    setShowsErrors(true);
    const isComplete = proof.isComplete();
    if (!isComplete || Object.values(errors).some((error) => error !== undefined)) return;
    // Saving signs out, which loses what is open behind the popup.
    if (hasUnsavedChanges()) setIsConfirming(true);
    else save();
  };

  return (
    <>
      <GuardedDialog
        isOpen
        isDirty={
          lastName !== user.lastName ||
          firstName !== user.firstName ||
          proof.password !== '' ||
          newPassword !== ''
        }
        title="Settings"
        width={limits.DIALOG_SETTINGS_WIDTH_PX}
        onClose={onClose}
        onSubmit={submit}
        submitLabel="Save"
        busy={saveWrite.isRunning}
      >
        <div className={styles['identity']}>
          {user.imageUrl ? <img src={user.imageUrl} alt="" width={40} height={40} /> : null}
          <TextField label="Email" readOnly tabIndex={-1} value={user.email} onChange={ignore} />
        </div>
        <div className={styles['pair']}>
          <TextField
            label="Last Name"
            upper
            required
            value={lastName}
            error={shownErrors.lastName}
            onChange={setLastName}
          />
          <TextField
            label="First Name"
            upper
            required
            value={firstName}
            error={shownErrors.firstName}
            onChange={setFirstName}
          />
        </div>
        <div className={styles['pair']}>
          <div>{proof.fields}</div>
          <PasswordField
            label="New Password"
            required
            autoComplete="new-password"
            value={newPassword}
            error={rejection ?? shownErrors.newPassword}
            onChange={(value) => {
              setNewPassword(value);
              setRejection(undefined);
            }}
          />
        </div>
        <p className={`quiet ${styles['text'] ?? ''}`}>{newPasswordTips}</p>
        <div className={styles['parts']}>
          <PartRow label="Signature" state={user.data.signImage ? 'Stored' : 'None'}>
            <Button size="small" onClick={() => setPart('signature')}>
              Change signature
            </Button>
          </PartRow>
          <PartRow label="Second factor" state={user.hasSecondFactor ? 'On' : 'Off'}>
            <Button size="small" onClick={() => setPart('secondFactor')}>
              {user.hasSecondFactor ? 'Change second factor' : 'Set up second factor'}
            </Button>
          </PartRow>
          <PartRow label="Open sessions">
            <Button size="small" onClick={() => setPart('sessions')}>
              Show sessions
            </Button>
          </PartRow>
          <PartRow label="Dark mode">
            <Switch
              aria-label="Dark mode"
              checked={isDark}
              onChange={({ currentTarget }) => setDark(currentTarget.checked)}
            />
          </PartRow>
        </div>
      </GuardedDialog>
      {part === 'signature' ? <SignatureDialog onClose={closePart} /> : null}
      {part === 'sessions' ? <SessionsDialog onClose={closePart} /> : null}
      {part === 'secondFactor' ? <SecondFactorDialog onClose={closePart} /> : null}
      <ConfirmDialog
        isOpen={isConfirming}
        title="Unsaved changes"
        message={messages.UNSAVED_CHANGES}
        confirmLabel="Continue"
        intent="danger"
        onConfirm={() => {
          setIsConfirming(false);
          save();
        }}
        onClose={() => setIsConfirming(false)}
      />
    </>
  );
}

const ignore = () => undefined;

interface PartRowProps {
  label: string;
  state?: string;
  children: ReactNode;
}

/** A setting with its state and the control that changes it. */
function PartRow({ label, state, children }: PartRowProps) {
  return (
    <div className={styles['part']}>
      <span>{label}</span>
      <span className="quiet">{state}</span>
      {children}
    </div>
  );
}
