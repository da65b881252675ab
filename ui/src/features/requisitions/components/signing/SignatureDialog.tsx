import { useQuery } from '@tanstack/react-query';

import { FormDialog } from '../../../../components/dialogs/FormDialog';
import { Loaded, readingOf } from '../../../../components/records/Loaded';
import { formatDateTime } from '../../../../lib/dates';
import { formatInstant } from '../../../../lib/instants';
import { signaturesQuery, type PastSignature, type Requisition } from '../../api';
import styles from './signature.module.css';
import { SignatureFigure } from './SignatureView';

interface SignatureDialogProps {
  requisition: Requisition;
  onClose: () => void;
}

const WIDTH_PX = 420;

/** The signature viewer (O 2.5), and every signature that was taken back (DECISIONS). */
export function SignatureDialog({ requisition, onClose }: SignatureDialogProps) {
  const history = useQuery(signaturesQuery(requisition));
  return (
    <FormDialog isOpen title="Signature" width={WIDTH_PX} onClose={onClose}>
      <Loaded reading={readingOf(history)}>{(all) => <Signatures all={all} />}</Loaded>
    </FormDialog>
  );
}

function Signatures({ all }: { all: readonly PastSignature[] }) {
  const inForce = all.find(({ removedAt }) => removedAt === null);
  const earlier = all.filter((one) => one !== inForce);
  return (
    <>
      {inForce ? <SignatureFigure signature={inForce} /> : <div>Not signed.</div>}
      {earlier.length > 0 ? (
        <section aria-label="Signature history" className={styles['history']}>
          <h3>Earlier signatures</h3>
          <ul>
            {earlier.map((one) => (
              <li key={one.id}>
                <strong>{one.userName}</strong>{' '}
                <span className="number">{formatDateTime(one.signedDateTime)}</span>
                {one.removedAt === null ? null : (
                  <div className="quiet">
                    Taken back <span className="number">{formatInstant(one.removedAt)}</span>
                  </div>
                )}
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </>
  );
}
