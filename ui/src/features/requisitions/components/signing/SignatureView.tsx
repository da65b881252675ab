import { PopoverNext, Spinner } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';

import { describeError } from '../../../../api';
import { formatTimestamp } from '../../../../lib/dates';
import { TickIcon } from '../../../../components/icons';
import { signatureQuery, type Signature } from '../../api';
import styles from './signature.module.css';

/** The signature viewer (O 2.5): the image, the signer and the time. */
export function SignatureView({ requisitionId }: { requisitionId: number }) {
  const signature = useQuery(signatureQuery(requisitionId));
  if (signature.isPending) return <Spinner size={20} />;
  if (signature.isError) return <span>{describeError(signature.error)}</span>;
  return <SignatureFigure signature={signature.data} />;
}

/** A signature's image and its caption, in the words of O 2.5. */
export function SignatureFigure({ signature }: { signature: Signature }) {
  const { imageSignature, userName, signedDateTime } = signature;
  return (
    <figure className={styles['view']}>
      <img src={imageSignature} alt="Signature" />
      <figcaption>
        Electronically signed by: {userName}
        <br />
        {formatTimestamp(signedDateTime)}
      </figcaption>
    </figure>
  );
}

/** The grid's mark of a signed row; hovering shows the signature (O 2.2). */
export function SignedMark({ requisitionId }: { requisitionId: number }) {
  return (
    <PopoverNext
      interactionKind="hover"
      hoverOpenDelay={250}
      placement="left"
      openOnTargetFocus={false}
      content={
        <div className={styles['popover']}>
          <SignatureView requisitionId={requisitionId} />
        </div>
      }
    >
      <span className={styles['mark']}>
        <TickIcon title="Signed" />
      </span>
    </PopoverNext>
  );
}
