import { useRef, useState } from 'react';

import { ApiError, describeError, useProfile, useSession } from '../../../../api';
import { FormDialog } from '../../../../components/dialogs/FormDialog';
import { TextField } from '../../../../components/fields/TextField';
import { toasts } from '../../../../components/toasts';
import { useWrite } from '../../../../components/useWrite';
import { limits, messages } from '../../../../contract';
import { requisitionSigning, type Signing, type SigningTarget } from '../../signing';
import { SignaturePad } from './SignaturePad';
import { confirmPassword, PasswordRejected } from './confirmPassword';

interface SignDialogProps {
  /** What is signed; requisitions unless it says otherwise. */
  signing?: Signing;
  targets: readonly SigningTarget[];
  onClose: () => void;
  onSigned: () => void;
  /** Called when a record has changed since it was loaded, after the user was notified. */
  onStale: () => void;
}

/**
 * The electronic signature (O 2.5, O 6). The password proves who signs, the image is saved to the
 * profile, then all chosen records are signed or none.
 */
export function SignDialog({
  signing = requisitionSigning,
  targets,
  onClose,
  onSigned,
  onStale,
}: SignDialogProps) {
  const session = useSession();
  const user = useProfile();
  const [image, setImage] = useState(user.data.signImage);
  const [imageError, setImageError] = useState<string | null>(null);
  const [password, setPassword] = useState('');
  const [passwordError, setPasswordError] = useState<string | null>(null);
  const passwordInput = useRef<HTMLInputElement>(null);
  const write = useWrite({
    send: async (picture: string, key) => {
      await confirmPassword(session, password);
      if (picture !== user.data.signImage) {
        await session.updateProfile({ data: { signImage: picture } });
      }
      await signing.sign(targets, picture, user.username, key);
    },
    onDone: () => {
      toasts.success(targets.length > 1 ? signing.allSignedMessage : signing.signedMessage);
      onSigned();
    },
    explain: (error) => {
      if (error instanceof PasswordRejected) {
        setPasswordError(error.message);
        // The next attempt is typed over it.
        passwordInput.current?.select();
        return true;
      }
      if (!(error instanceof ApiError && [413, 415].includes(error.status))) return false;
      setImageError(describeError(error));
      return true;
    },
    onStale,
  });

  const submit = () => {
    setPasswordError(password === '' ? messages.PASSWORD_REQUIRED : null);
    setImageError(image === null ? messages.NO_FILE : null);
    if (password !== '' && image !== null) write.run(image);
  };

  return (
    <FormDialog
      isOpen
      title="Electronic Signature"
      width={limits.DIALOG_SIGNATURE_WIDTH_PX}
      onClose={onClose}
      onSubmit={submit}
      submitLabel="Sign"
      busy={write.isRunning}
    >
      {targets.length > 1 ? <div>{`${targets.length} ${signing.plural}`}</div> : null}
      <SignaturePad value={image} onChange={setImage} error={imageError} onError={setImageError} />
      <TextField
        label="Password"
        type="password"
        required
        autoComplete="current-password"
        inputRef={passwordInput}
        value={password}
        error={passwordError ?? undefined}
        onChange={(value) => {
          setPassword(value);
          setPasswordError(null);
        }}
      />
    </FormDialog>
  );
}

interface UnsignDialogProps {
  /** What is unsigned; a requisition unless it says otherwise. */
  signing?: Signing;
  target: SigningTarget;
  onClose: () => void;
  onUnsigned: () => void;
  /** Called when the record has changed since it was loaded, after the user was notified. */
  onStale: () => void;
}

/** Removes the user's own signature. It asks for the password like signing. */
export function UnsignDialog({
  signing = requisitionSigning,
  target,
  onClose,
  onUnsigned,
  onStale,
}: UnsignDialogProps) {
  const session = useSession();
  const [password, setPassword] = useState('');
  const [passwordError, setPasswordError] = useState<string | null>(null);
  const passwordInput = useRef<HTMLInputElement>(null);
  const unsigning = useWrite({
    send: async (signed: SigningTarget, key) => {
      await confirmPassword(session, password);
      await signing.unsign(signed, key);
    },
    onDone: () => {
      toasts.success(signing.unsignedMessage);
      onUnsigned();
    },
    explain: (error) => {
      if (!(error instanceof PasswordRejected)) return false;
      setPasswordError(error.message);
      // The next attempt is typed over it.
      passwordInput.current?.select();
      return true;
    },
    onStale,
  });

  return (
    <FormDialog
      isOpen
      title="Unsign"
      width={limits.DIALOG_SIGNATURE_WIDTH_PX}
      onClose={onClose}
      onSubmit={() => {
        if (password === '') setPasswordError(messages.PASSWORD_REQUIRED);
        else unsigning.run(target);
      }}
      submitLabel="Unsign"
      intent="danger"
      busy={unsigning.isRunning}
    >
      <div>{messages.CONFIRM_UNSIGN}</div>
      <TextField
        label="Password"
        type="password"
        required
        autoComplete="current-password"
        inputRef={passwordInput}
        value={password}
        error={passwordError ?? undefined}
        onChange={(value) => {
          setPassword(value);
          setPasswordError(null);
        }}
      />
    </FormDialog>
  );
}
