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
import type { Wire } from '../../../../contract';
import type { Requisition } from '../../api';
import { gatesOf } from '../../form';

/** The dialog or question that is open over the form. */
export type Open =
  | 'sign'
  | 'unsign'
  | 'signature'
  | 'cancel'
  /** May the edits go that Cancel Requisition does not keep? */
  | 'discard'
  | 'labels'
  | 'email'
  | 'fax'
  | 'done'
  | 'clear'
  /** The same question before another requisition, for this patient or none. */
  | 'new'
  | 'newSame'
  | 'previous'
  | null;

interface FormActionsOptions {
  requisition: Requisition | null;
  /** Physicians and patients read and sign; they change nothing. */
  mayOrder: boolean;
  maySend: boolean;
  saving: boolean;
  onSave: () => void;
  onPrint: () => void;
  onCancel: () => void;
  onClear: () => void;
  onCopy: () => void;
  /** On handhelds the split button is an action of the floating menu. */
  previous: { offered: boolean; some: boolean };
  open: (what: Open) => void;
  /** What is signed, sent or printed is what was saved: unsaved edits are saved before. */
  openOnSaved: (what: Open) => void;
}

/** An action as the portal allows it; nothing is done with a requisition that is not saved. */
const gate = (permission?: Wire<'Permission'>) => ({
  disabled: permission?.allowed !== true,
  reason: permission?.reason ?? undefined,
});

/** What can be done with the requisition, and when (O 2.3, O 4, O 6). */
export function formActions({ requisition, mayOrder, maySend, open, ...act }: FormActionsOptions) {
  const exists = requisition !== null;
  const { locked, signed } = gatesOf(requisition, mayOrder);
  const actions: PageAction[] = [
    {
      label: 'Save',
      icon: <FloppyDiskIcon />,
      intent: 'primary',
      always: true,
      hidden: !mayOrder,
      disabled: locked,
      loading: act.saving,
      onClick: act.onSave,
    },
    signed
      ? {
          label: 'Unsign',
          icon: <UnlockIcon />,
          ...gate(requisition?.canUnsign),
          onClick: () => act.openOnSaved('unsign'),
        }
      : {
          label: 'Sign',
          icon: <DrawIcon />,
          ...gate(requisition?.canSign),
          onClick: () => act.openOnSaved('sign'),
        },
    {
      label: 'Labels',
      icon: <LabelIcon />,
      disabled: !exists,
      onClick: () => act.openOnSaved('labels'),
    },
    { label: 'Print', icon: <PrintIcon />, disabled: !exists, onClick: act.onPrint },
    {
      label: 'Email Forms',
      icon: <EnvelopeIcon />,
      // Desktops have the two beside what was sent.
      hidden: !act.previous.offered,
      disabled: !maySend,
      onClick: () => act.openOnSaved('email'),
    },
    {
      label: 'Fax Forms',
      icon: <PhoneForwardIcon />,
      hidden: !act.previous.offered,
      disabled: !maySend,
      onClick: () => act.openOnSaved('fax'),
    },
    {
      label: 'Previous Requisition',
      icon: <HistoryIcon />,
      hidden: !act.previous.offered,
      disabled: !act.previous.some,
      onClick: () => open('previous'),
    },
    {
      label: 'Copy',
      icon: <DuplicateIcon />,
      hidden: !mayOrder,
      disabled: !exists,
      onClick: act.onCopy,
    },
    {
      label: 'Cancel Requisition',
      icon: <BanCircleIcon />,
      hidden: !mayOrder,
      ...gate(requisition?.canCancel),
      onClick: act.onCancel,
    },
    { label: 'Clear', icon: <CleanIcon />, hidden: !mayOrder, onClick: act.onClear },
  ];
  return actions;
}
