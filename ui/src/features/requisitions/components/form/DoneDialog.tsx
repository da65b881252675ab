import { Button } from '@blueprintjs/core';

import { FormDialog } from '../../../../components/dialogs/FormDialog';
import {
  DrawIcon,
  LabelIcon,
  PersonIcon,
  PrintIcon,
  SearchIcon,
  UserIcon,
} from '../../../../components/icons';
import { limits } from '../../../../contract';
import type { Requisition } from '../../api';
import styles from './form.module.css';

interface DoneDialogProps {
  requisition: Requisition;
  onClose: () => void;
  onSign: () => void;
  onLabels: () => void;
  onPrint: () => void;
  onSearch: () => void;
  /** Starts another requisition, for this patient or without one. */
  onNew: (samePatient: boolean) => void;
}

/** The usual next steps after saving a new requisition (O 2.3). */
export function DoneDialog({ requisition, ...props }: DoneDialogProps) {
  const [width, height] = limits.DIALOG_REQUISITION_DONE_PX;
  return (
    <FormDialog
      isOpen
      title="Requisition Saved"
      width={width}
      height={height}
      phoneWidth={limits.DIALOG_REQUISITION_DONE_PHONE_WIDTH_PX}
      onClose={props.onClose}
    >
      <div className={`number ${styles['savedCode']}`}>{requisition.code}</div>
      <div className={styles['nextSteps']}>
        <Button icon={<DrawIcon />} intent="primary" onClick={props.onSign}>
          Sign
        </Button>
        <Button icon={<LabelIcon />} onClick={props.onLabels}>
          Labels
        </Button>
        <Button icon={<PrintIcon />} onClick={props.onPrint}>
          Print
        </Button>
        <Button icon={<SearchIcon />} onClick={props.onSearch}>
          Requisition Search
        </Button>
        <Button icon={<UserIcon />} onClick={() => props.onNew(true)}>
          New, same patient
        </Button>
        <Button icon={<PersonIcon />} onClick={() => props.onNew(false)}>
          New, different patient
        </Button>
      </div>
    </FormDialog>
  );
}
