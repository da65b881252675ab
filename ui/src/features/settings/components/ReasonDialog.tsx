import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';

import { FormDialog } from '../../../components/dialogs/FormDialog';
import { SelectField } from '../../../components/fields/SelectField';
import { TextAreaField } from '../../../components/fields/TextField';
import { messages, type ReasonKind } from '../../../contract';
import { reasonsQuery } from '../api';

export interface ChosenReason {
  reason: string;
  words: string | null;
}

interface ReasonDialogProps {
  title: string;
  /** The list that the reason is chosen from. */
  kind: ReasonKind;
  submitLabel: string;
  closeLabel?: string;
  intent?: 'primary' | 'danger';
  width?: number;
  isBusy?: boolean;
  /** Whether the act is impossible, because nothing is chosen. */
  isDisabled?: boolean;
  onSubmit: (reason: ChosenReason) => void;
  onClose: () => void;
  /** What the act does, above the fields. */
  children?: ReactNode;
}

const WIDTH_PX = 420;
const OTHER = 'OTHER';

/** Asks for a reason from the lab's list, and an explanation, before an act. */
export function ReasonDialog({ kind, onSubmit, children, ...props }: ReasonDialogProps) {
  const reasons = useQuery(reasonsQuery(kind));
  const [reason, setReason] = useState('');
  const [explanation, setExplanation] = useState('');
  const [isChecked, setIsChecked] = useState(false);
  const missingReason = reason === '' ? messages.REASON_UNKNOWN : undefined;
  const missingExplanation =
    reason === OTHER && explanation.trim() === '' ? messages.REASON_NEEDS_WORDS : undefined;
  const submit = () => {
    setIsChecked(true);
    if (missingReason !== undefined || missingExplanation !== undefined) return;
    onSubmit({ reason, words: explanation.trim() === '' ? null : explanation.trim() });
  };
  return (
    <FormDialog
      isOpen
      title={props.title}
      width={props.width ?? WIDTH_PX}
      submitLabel={props.submitLabel}
      closeLabel={props.closeLabel ?? 'Cancel'}
      intent={props.intent ?? 'primary'}
      busy={props.isBusy ?? false}
      submitDisabled={props.isDisabled ?? false}
      onSubmit={submit}
      onClose={props.onClose}
    >
      {children}
      <SelectField
        label="Reason"
        required
        value={reason}
        onChange={setReason}
        placeholder="Choose ..."
        options={(reasons.data ?? []).map((reason) => ({
          value: reason.code,
          label: reason.words,
        }))}
        error={isChecked ? missingReason : undefined}
      />
      <TextAreaField
        label="Explanation"
        required={reason === OTHER}
        value={explanation}
        onChange={setExplanation}
        error={isChecked ? missingExplanation : undefined}
      />
    </FormDialog>
  );
}
