import { toActionState } from '../../../../components/actionState';
import type { PageAction } from '../../../../components/PageToolbar';
import {
  BanCircleIcon,
  CleanIcon,
  DrawIcon,
  DuplicateIcon,
  EnvelopeIcon,
  FloppyDiskIcon,
  HistoryIcon,
  LabelIcon,
  PhoneForwardIcon,
  PrintIcon,
  UnlockIcon,
} from '../../../../components/icons';
import { messages, type Wire } from '../../../../contract';
import type { Requisition } from '../../api';
import { getLocks } from '../../form';

/** The dialog or question that is open over the form. */
export type OpenDialog =
  | 'sign'
  | 'unsign'
  | 'signature'
  | 'cancel'
  /** The question before Cancel Requisition discards edits. */
  | 'discard'
  | 'labels'
  | 'email'
  | 'fax'
  | 'done'
  | 'clear'
  /** The question before a new requisition discards edits; `newSame` keeps the patient. */
  | 'new'
  | 'newSame'
  /** The question before opening the patient's form, since returning loses added documents. */
  | 'visit'
  | 'previous'
  | null;

interface FormActionsOptions {
  requisition: Requisition | null;
  /** False for physicians, who change only some parts, and for patients, who read and sign. */
  canOrder: boolean;
  /** Whether the saved requisition may be sent. */
  sendPermission: Wire<'Permission'> | undefined;
  /** Whether the saved requisition has labels; a canceled one has none. */
  labelPermission: Wire<'Permission'> | undefined;
  isSaving: boolean;
  onSave: () => void;
  onPrint: () => void;
  onCancel: () => void;
  onClear: () => void;
  onCopy: () => void;
  /** On handhelds the split button is an action of the floating menu. */
  previous: { isInMenu: boolean; isEnabled: boolean; reason: string | undefined };
  open: (dialog: OpenDialog) => void;
  /**
   * Opens a dialog after saving unsaved edits, since signing, sending and printing use the saved
   * record.
   */
  saveAndOpen: (dialog: OpenDialog) => void;
}

/** Disables an action without permission, and says why; an unsaved requisition has none. */
const toSavedState = (permission?: Wire<'Permission'>) =>
  toActionState(permission ?? { allowed: false, reason: messages.REQUISITION_SAVE_FIRST });

/** Returns the actions on the requisition and whether they are enabled (O 2.3, O 4, O 6). */
export function buildFormActions({
  requisition,
  canOrder,
  sendPermission,
  labelPermission,
  open,
  ...options
}: FormActionsOptions) {
  const savedState =
    requisition === null ? { disabled: true, reason: messages.REQUISITION_SAVE_FIRST } : {};
  const { isRecordLocked, isSigned } = getLocks(requisition, canOrder);
  const actions: PageAction[] = [
    {
      label: 'Save',
      icon: <FloppyDiskIcon />,
      intent: 'primary',
      isAlwaysShown: true,
      hidden: !canOrder && isRecordLocked,
      disabled: isRecordLocked,
      loading: options.isSaving,
      onClick: options.onSave,
    },
    isSigned
      ? {
          label: 'Unsign',
          slot: 'signing',
          icon: <UnlockIcon />,
          ...toSavedState(requisition?.canUnsign),
          onClick: () => options.saveAndOpen('unsign'),
        }
      : {
          label: 'Sign',
          slot: 'signing',
          icon: <DrawIcon />,
          ...toSavedState(requisition?.canSign),
          onClick: () => options.saveAndOpen('sign'),
        },
    {
      label: 'Labels',
      icon: <LabelIcon />,
      ...toSavedState(labelPermission),
      onClick: () => options.saveAndOpen('labels'),
    },
    { label: 'Print', icon: <PrintIcon />, ...savedState, onClick: options.onPrint },
    {
      label: 'Email Forms',
      icon: <EnvelopeIcon />,
      // Desktops show these two next to the sent forms.
      hidden: !options.previous.isInMenu,
      ...toSavedState(sendPermission),
      onClick: () => options.saveAndOpen('email'),
    },
    {
      label: 'Fax Forms',
      icon: <PhoneForwardIcon />,
      hidden: !options.previous.isInMenu,
      ...toSavedState(sendPermission),
      onClick: () => options.saveAndOpen('fax'),
    },
    {
      label: 'Previous Requisition',
      icon: <HistoryIcon />,
      hidden: !options.previous.isInMenu,
      disabled: !options.previous.isEnabled,
      reason: options.previous.reason,
      onClick: () => open('previous'),
    },
    {
      label: 'Copy',
      icon: <DuplicateIcon />,
      hidden: !canOrder,
      ...savedState,
      onClick: options.onCopy,
    },
    {
      label: 'Cancel Requisition',
      icon: <BanCircleIcon />,
      hidden: !canOrder,
      ...toSavedState(requisition?.canCancel),
      onClick: options.onCancel,
    },
    { label: 'Clear', icon: <CleanIcon />, hidden: !canOrder, onClick: options.onClear },
  ];
  return actions;
}
