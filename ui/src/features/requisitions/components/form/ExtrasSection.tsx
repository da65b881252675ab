import { Button } from '@blueprintjs/core';
import type { UseFormReturn } from 'react-hook-form';

import { Panel } from '../../../../components/Panel';
import type { Wire } from '../../../../contract';
import { RichTextField } from '../../../../components/richText/RichTextField';
import { SendButtons } from '../../../transmissions/components/SendButtons';
import { SentList } from '../../../transmissions/components/SentList';
import type { Requisition } from '../../api';
import type { RequisitionValues } from '../../fields';
import { labels, type Locks } from '../../form';
import { AdditionalCopies } from './AdditionalCopies';
import { Documents } from './Documents';
import styles from './form.module.css';
import { FormField } from './FormField';
import { SignatureView } from '../signing/SignatureView';
import type { WaitingDocuments } from '../../../../components/documents/useWaitingDocuments';

interface ExtrasSectionProps {
  form: UseFormReturn<RequisitionValues>;
  requisition: Requisition | null;
  locks: Locks;
  documents: WaitingDocuments;
  sendPermission: Wire<'Permission'> | undefined;
  /** Opens the signature viewer. */
  onSignature: () => void;
  onSend: (by: 'email' | 'fax') => void;
}

/**
 * Comments, copies, documents, and the signature: the parts that stay editable after signing
 * (O 2.3).
 */
export function ExtrasSection({
  form,
  requisition,
  locks,
  documents,
  sendPermission,
  ...callbacks
}: ExtrasSectionProps) {
  const { onSignature, onSend } = callbacks;
  return (
    <>
      <div className={styles['column']}>
        <Panel title="Requisition Comments">
          <FormField form={form} locks={locks} name="comments">
            {(field) => <RichTextField {...field} hideLabel />}
          </FormField>
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
        <Panel title={labels.additionalCopies}>
          <FormField form={form} locks={locks} name="additionalCopies">
            {(field) => <AdditionalCopies {...field} />}
          </FormField>
        </Panel>
        <Panel title="Documents">
          <Documents
            requisitionId={requisition?.id ?? null}
            waiting={documents}
            readOnly={locks.isRecordLocked}
          />
        </Panel>
        {requisition ? (
          <Panel title="Sent" aside={<SendButtons permission={sendPermission} onSend={onSend} />}>
            <SentList id={requisition.id} />
          </Panel>
        ) : null}
      </div>
    </>
  );
}
