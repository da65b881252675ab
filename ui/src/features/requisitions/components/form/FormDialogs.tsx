import { paths } from '../../../../lib/paths';
import { useState } from 'react';
import { useNavigate } from 'react-router';

import { ConfirmDialog } from '../../../../components/dialogs/ConfirmDialog';
import { messages } from '../../../../contract';
import { PrinterAndLabelDialog } from '../../../labels/PrinterAndLabelDialog';
import { SendFormsDialog } from '../../../transmissions/components/SendFormsDialog';
import type { Requisition } from '../../api';
import { CancelDialog } from './CancelDialog';
import { DoneDialog } from './DoneDialog';
import type { Open } from './formActions';
import { PreviousDialog, type Previous } from './PreviousRequisition';
import { SignatureDialog } from '../signing/SignatureDialog';
import { SignDialog, UnsignDialog } from '../signing/SignDialog';

interface FormDialogsProps {
  open: Open;
  setOpen: (open: Open) => void;
  /** The same, once unsaved edits are saved. */
  openOnSaved: (open: Open) => void;
  requisition: Requisition | null;
  /** Signed or unsigned: the requisition has to be read again. */
  onSignature: () => void;
  onCanceled: (requisition: Requisition) => void;
  /** It changed since it was read: the newer version has to be seen before the act. */
  onStale: () => void;
  onPrint: () => void;
  previous: Previous;
  /** A blank form, for the same patient or none. */
  onStartOver: (samePatient: boolean) => void;
  /** The same, asked for where words may be unsaved. */
  onNew: (samePatient: boolean) => void;
}

/** What is asked about before unsaved edits go. */
const QUESTIONS: Partial<Record<NonNullable<Open>, string>> = {
  clear: 'Clear',
  discard: 'Cancel Requisition',
  new: 'New, different patient',
  newSame: 'New, same patient',
};

/** The one dialog that is open over the form, if any. */
export function FormDialogs({ open, setOpen, requisition, ...props }: FormDialogsProps) {
  const navigate = useNavigate();
  // It is there again where the dialog had to close for a look at the newer version.
  const [cancelComment, setCancelComment] = useState('');
  const close = () => setOpen(null);
  const lookAgain = () => {
    close();
    props.onStale();
  };
  const question = open === null ? undefined : QUESTIONS[open];
  if (question !== undefined) {
    return (
      <ConfirmDialog
        isOpen
        title={question}
        message={messages.UNSAVED_CHANGES}
        confirmLabel="Continue"
        intent="danger"
        onConfirm={() =>
          open === 'discard' ? setOpen('cancel') : props.onStartOver(open === 'newSame')
        }
        onClose={close}
      />
    );
  }
  if (open === 'previous') return <PreviousDialog previous={props.previous} onClose={close} />;
  if (requisition === null) return null;
  switch (open) {
    case 'sign':
      return (
        <SignDialog
          targets={[requisition]}
          onClose={close}
          onSigned={props.onSignature}
          onStale={lookAgain}
        />
      );
    case 'unsign':
      return (
        <UnsignDialog
          target={requisition}
          onClose={close}
          onUnsigned={props.onSignature}
          onStale={lookAgain}
        />
      );
    case 'signature':
      return <SignatureDialog requisition={requisition} onClose={close} />;
    case 'cancel':
      return (
        <CancelDialog
          requisition={requisition}
          comment={cancelComment}
          onComment={setCancelComment}
          onClose={close}
          onCanceled={(canceled) => {
            close();
            props.onCanceled(canceled);
          }}
          onStale={lookAgain}
        />
      );
    case 'labels':
      return <PrinterAndLabelDialog requisitionId={requisition.id} onClose={close} />;
    case 'email':
    case 'fax':
      return (
        <SendFormsDialog
          kind={open === 'fax' ? 'FAX' : 'EMAIL'}
          ids={[requisition.id]}
          onClose={close}
        />
      );
    case 'done':
      return (
        <DoneDialog
          requisition={requisition}
          onClose={close}
          onSign={() => props.openOnSaved('sign')}
          onLabels={() => props.openOnSaved('labels')}
          onPrint={props.onPrint}
          onSearch={() => void navigate(paths.requisitionSearch)}
          onNew={props.onNew}
        />
      );
    default:
      return null;
  }
}
