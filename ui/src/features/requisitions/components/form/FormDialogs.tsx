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
import type { OpenDialog } from './formActions';
import { PreviousDialog, type PreviousRequisitions } from './PreviousRequisition';
import { SignatureDialog } from '../signing/SignatureDialog';
import { nameTarget } from '../../signing';
import { SignDialog, UnsignDialog } from '../signing/SignDialog';

interface FormDialogsProps {
  open: OpenDialog;
  setOpen: (open: OpenDialog) => void;
  /** Opens a dialog after saving unsaved edits. */
  saveAndOpen: (open: OpenDialog) => void;
  requisition: Requisition | null;
  /** Called after signing or unsigning: the requisition must be reloaded. */
  onSignature: () => void;
  onCanceled: (requisition: Requisition) => void;
  /** Called when the requisition has changed, so that the user sees the newer version first. */
  onStale: () => void;
  onPrint: () => void;
  previous: PreviousRequisitions;
  /** Opens the patient's form and gives up documents that are not uploaded. */
  onVisit: () => void;
  /** Starts a blank form, for the same patient or none. */
  onStartOver: (samePatient: boolean) => void;
  /** Like `onStartOver`, but asks first if edits are unsaved. */
  onNew: (samePatient: boolean) => void;
}

/** Titles of the questions asked before unsaved edits are discarded. */
const QUESTIONS: Partial<Record<NonNullable<OpenDialog>, string>> = {
  clear: 'Clear',
  discard: 'Cancel Requisition',
  new: 'New, different patient',
  newSame: 'New, same patient',
  visit: 'Edit Patient',
};

/** The dialog that is open over the form, if any. */
export function FormDialogs({ open, setOpen, requisition, ...props }: FormDialogsProps) {
  const navigate = useNavigate();
  // Kept here, so that the text survives closing the dialog to look at a newer version.
  const [cancelComment, setCancelComment] = useState('');
  const close = () => setOpen(null);
  const showNewerVersion = () => {
    close();
    props.onStale();
  };
  const question = open === null ? undefined : QUESTIONS[open];
  if (question !== undefined) {
    return (
      <ConfirmDialog
        isOpen
        title={question}
        message={open === 'visit' ? messages.DOCUMENTS_WOULD_BE_LOST : messages.UNSAVED_CHANGES}
        confirmLabel="Continue"
        intent="danger"
        onConfirm={() => {
          if (open === 'discard') setOpen('cancel');
          else if (open === 'visit') props.onVisit();
          else props.onStartOver(open === 'newSame');
        }}
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
          targets={[nameTarget(requisition, requisition.code, requisition.patient)]}
          onClose={close}
          onSigned={props.onSignature}
          onStale={showNewerVersion}
        />
      );
    case 'unsign':
      return (
        <UnsignDialog
          targets={[nameTarget(requisition, requisition.code, requisition.patient)]}
          onClose={close}
          onUnsigned={props.onSignature}
          onStale={showNewerVersion}
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
          onCanceled={(canceledRequisition) => {
            close();
            props.onCanceled(canceledRequisition);
          }}
          onStale={showNewerVersion}
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
          onSign={() => props.saveAndOpen('sign')}
          onLabels={() => props.saveAndOpen('labels')}
          onPrint={props.onPrint}
          onSearch={() => void navigate(paths.requisitionSearch)}
          onNew={props.onNew}
        />
      );
    default:
      return null;
  }
}
