import { useState } from 'react';

import { ApiError, describeError, useProfile, useSession } from '../../../api';
import { FormDialog } from '../../../components/dialogs/FormDialog';
import { SignaturePad } from '../../../components/SignaturePad';
import { toasts } from '../../../components/toasts';
import { useWrite } from '../../../components/useWrite';
import { limits, messages } from '../../../contract';

/**
 * The stored signature, which the signing dialogs offer. Saving an empty pad removes the signature,
 * unless an unusable file has emptied the pad.
 */
export function SignatureDialog({ onClose }: { onClose: () => void }) {
  const session = useSession();
  const { data } = useProfile();
  const [image, setImage] = useState(data.signImage);
  const [error, setError] = useState<string | null>(null);
  const saveWrite = useWrite({
    send: (signImage: string | null) => session.updateProfile({ data: { signImage } }),
    onDone: (_, signImage) => {
      toasts.success(signImage === null ? messages.SIGNATURE_REMOVED : messages.SIGNATURE_SAVED);
      onClose();
    },
    explain: (failure) => {
      if (!(failure instanceof ApiError && [400, 413, 415].includes(failure.status))) return false;
      setError(describeError(failure));
      return true;
    },
  });
  return (
    <FormDialog
      isOpen
      title="Signature"
      width={limits.DIALOG_SIGNATURE_WIDTH_PX}
      onClose={onClose}
      onSubmit={() => {
        if (image === null && error !== null) return;
        if (image === data.signImage) onClose();
        else saveWrite.run(image);
      }}
      busy={saveWrite.isRunning}
    >
      <SignaturePad
        value={image}
        onChange={setImage}
        storedImage={data.signImage}
        error={error}
        onError={setError}
      />
    </FormDialog>
  );
}
