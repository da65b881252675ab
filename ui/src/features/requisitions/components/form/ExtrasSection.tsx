import { Button } from '@blueprintjs/core';
import type { UseFormReturn } from 'react-hook-form';

import { Panel } from '../../../../components/Panel';
import { Bound } from '../../../../components/forms/Bound';
import { RichTextField } from '../../../../components/richText/RichTextField';
import { SendButtons } from '../../../transmissions/components/SendButtons';
import { SentList } from '../../../transmissions/components/SentList';
import type { Requisition } from '../../api';
import type { RequisitionValues } from '../../form';
import { AdditionalCopies } from './AdditionalCopies';
import { Documents } from './Documents';
import styles from './form.module.css';
import { SignatureView } from '../signing/SignatureView';

interface ExtrasSectionProps {
  form: UseFormReturn<RequisitionValues>;
  requisition: Requisition | null;
  disabled: boolean;
  maySend: boolean;
  /** Opens the signature viewer. */
  onSignature: () => void;
  onSend: (by: 'email' | 'fax') => void;
}

/** Comments, copies, documents and the signature: what stays open under a signature (O 2.3). */
export function ExtrasSection({
  form,
  requisition,
  disabled,
  maySend,
  ...act
}: ExtrasSectionProps) {
  const { control } = form;
  const { onSignature, onSend } = act;
  return (
    <>
      <div className={styles['column']}>
        <Panel title="Requisition Comments">
          <Bound control={control} name="comments">
            {(field) => <RichTextField {...field} label="Comments" hideLabel disabled={disabled} />}
          </Bound>
        </Panel>
        {requisition ? (
          <Panel
            title="Signature"
            aside={
              <Button size="small" variant="minimal" intent="primary" onClick={onSignature}>
                {requisition.hasSignature ? 'View Signature' : 'Signature History'}
              </Button>
            }
          >
            {requisition.hasSignature ? (
              <SignatureView key={requisition.version} requisitionId={requisition.id} />
            ) : (
              <span className="quiet">Not signed</span>
            )}
          </Panel>
        ) : null}
      </div>
      <div className={styles['column']}>
        <Panel title="Additional Copies">
          <Bound control={control} name="additionalCopies">
            {(field) => (
              <AdditionalCopies
                value={field.value}
                onChange={field.onChange}
                error={field.error}
                disabled={disabled}
              />
            )}
          </Bound>
        </Panel>
        {requisition ? (
          <>
            <Panel title="Documents">
              <Documents requisitionId={requisition.id} readOnly={disabled} />
            </Panel>
            <Panel title="Sent" aside={<SendButtons disabled={!maySend} onSend={onSend} />}>
              <SentList requisitionId={requisition.id} />
            </Panel>
          </>
        ) : null}
      </div>
    </>
  );
}
