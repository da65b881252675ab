import { useState } from 'react';

import { ApiError, describeError, useProfile, useSession } from '../../../../api';
import { FormDialog } from '../../../../components/dialogs/FormDialog';
import { SignaturePad } from '../../../../components/SignaturePad';
import { toasts } from '../../../../components/toasts';
import { useIdentityProof } from '../../../../components/useIdentityProof';
import { useWrite } from '../../../../components/useWrite';
import { limits, messages } from '../../../../contract';
import {
  requisitionSigning,
  type Signing,
  type SigningTarget,
  type SigningTargets,
} from '../../signing';

interface SignDialogProps {
  /** What is signed; by default, requisitions. */
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
  // A live change behind the dialog must not replace the versions that the signer has seen.
  const [seenTargets] = useState(targets);
  const [image, setImage] = useState(user.data.signImage);
  const [imageError, setImageError] = useState<string | null>(null);
  const proof = useIdentityProof();
  const signWrite = useWrite({
    send: async (picture: string, key) => {
      await proof.prove();
      if (picture !== user.data.signImage) {
        await session.updateProfile({ data: { signImage: picture } });
      }
      await signing.sign(seenTargets, picture, user.username, key);
    },
    onDone: () => {
      toasts.success(seenTargets.length > 1 ? signing.allSignedMessage : signing.signedMessage);
      onSigned();
    },
    explain: (error) => {
      if (proof.explain(error)) return true;
      if (!(error instanceof ApiError && [413, 415].includes(error.status))) return false;
      setImageError(describeError(error));
      return true;
    },
    onStale,
  });

  const submit = () => {
    const isProofComplete = proof.isComplete();
    // The message about an unusable file stays.
    setImageError(image === null ? (imageError ?? messages.NO_FILE) : null);
    if (isProofComplete && image !== null) signWrite.run(image);
  };

  return (
    <FormDialog
      isOpen
      title="Electronic Signature"
      width={limits.DIALOG_SIGNATURE_WIDTH_PX}
      onClose={onClose}
      onSubmit={submit}
      submitLabel="Sign"
      busy={signWrite.isRunning}
    >
      <Subject signing={signing} targets={seenTargets} />
      <SignaturePad
        value={image}
        onChange={setImage}
        storedImage={user.data.signImage}
        error={imageError}
        onError={setImageError}
      />
      {proof.fields}
    </FormDialog>
  );
}

/** Names the only record, or counts several. */
function Subject({ signing, targets }: { signing: Signing; targets: readonly SigningTarget[] }) {
  const [first, ...others] = targets;
  return <div>{others.length > 0 ? `${targets.length} ${signing.plural}` : first?.name}</div>;
}

interface UnsignDialogProps {
  /** What is unsigned; by default, requisitions. */
  signing?: Signing;
  targets: SigningTargets;
  onClose: () => void;
  onUnsigned: () => void;
  /** Called when the record has changed since it was loaded, after the user was notified. */
  onStale: () => void;
}

/** Removes the user's own signatures, all or none. It asks for the password like signing. */
export function UnsignDialog({
  signing = requisitionSigning,
  targets,
  onClose,
  onUnsigned,
  onStale,
}: UnsignDialogProps) {
  // A live change behind the dialog must not replace the versions that the signer has seen.
  const [seenTargets] = useState(targets);
  const proof = useIdentityProof();
  const unsignWrite = useWrite({
    send: async (signedTargets: SigningTargets, key) => {
      await proof.prove();
      await signing.unsign(signedTargets, key);
    },
    onDone: () => {
      toasts.success(signing.getUnsignedMessage(seenTargets.length));
      onUnsigned();
    },
    explain: proof.explain,
    onStale,
  });

  return (
    <FormDialog
      isOpen
      title="Unsign"
      width={limits.DIALOG_SIGNATURE_WIDTH_PX}
      onClose={onClose}
      onSubmit={() => {
        if (proof.isComplete()) unsignWrite.run(seenTargets);
      }}
      submitLabel="Unsign"
      intent="danger"
      busy={unsignWrite.isRunning}
    >
      <Subject signing={signing} targets={seenTargets} />
      <div>{messages.CONFIRM_UNSIGN}</div>
      {proof.fields}
    </FormDialog>
  );
}
