import { useQuery } from '@tanstack/react-query';

import { FormDialog } from '../../../../components/dialogs/FormDialog';
import { Loaded, toLoadState } from '../../../../components/records/Loaded';
import { formatTimestamp } from '../../../../lib/dates';
import { formatInstant } from '../../../../lib/instants';
import { signaturesQuery, type PastSignature, type Requisition } from '../../api';
import styles from './signature.module.css';
import { SignatureFigure } from './SignatureView';

interface SignatureDialogProps {
  requisition: Requisition;
  onClose: () => void;
}

const WIDTH_PX = 420;

/** The signature viewer (O 2.5), with all removed signatures (DECISIONS). */
export function SignatureDialog({ requisition, onClose }: SignatureDialogProps) {
  const history = useQuery(signaturesQuery(requisition));
  return (
    <FormDialog isOpen title="Signature" width={WIDTH_PX} onClose={onClose}>
      <Loaded loadState={toLoadState(history)}>
        {(signatures) => <Signatures signatures={signatures} />}
      </Loaded>
    </FormDialog>
  );
}

function Signatures({ signatures }: { signatures: readonly PastSignature[] }) {
  const current = signatures.find(({ removedAt }) => removedAt === null);
  const earlier = signatures.filter((signature) => signature !== current);
  return (
    <>
      {current ? <SignatureFigure signature={current} /> : <div>Not signed.</div>}
      {earlier.length > 0 ? (
        <section aria-label="Signature history" className={styles['history']}>
          <h3>Earlier signatures</h3>
          <ul>
            {earlier.map((signature) => (
              <li key={signature.id}>
                <strong>{signature.userName}</strong> {formatTimestamp(signature.signedDateTime)}
                {signature.removedAt === null ? null : (
                  <div className="quiet">Removed {formatInstant(signature.removedAt)}</div>
                )}
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </>
  );
}
