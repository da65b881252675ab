import { Button } from '@blueprintjs/core';

import { FormDialog } from '../../../../components/dialogs/FormDialog';
import { messages, say } from '../../../../contract';
import type { RequisitionPatient } from '../../api';
import { formatName } from '../../patientChange';
import type { DescribedEntry } from '../../patientEntries';
import styles from './form.module.css';

export interface PatientChangeQuestion {
  previous: RequisitionPatient;
  chosenPatient: RequisitionPatient;
  /** The entries for the previous patient. */
  entries: readonly DescribedEntry[];
  /** The names of documents that the portal already has. */
  storedDocuments: readonly string[];
  answer: (answer: PatientChangeAnswer) => void;
}

/** What happens to the entries; with 'cancel', the patient does not change. */
export type PatientChangeAnswer = 'clear' | 'keep' | 'cancel';

const WIDTH_PX = 480;

/** Asks whether what was entered for one patient should stay in the form for another one. */
export function PatientChangeDialog({ answer, entries, ...question }: PatientChangeQuestion) {
  const { storedDocuments } = question;
  const names = { before: formatName(question.previous), now: formatName(question.chosenPatient) };
  const hasEntries = entries.length > 0;
  return (
    <FormDialog
      isOpen
      title={messages.PATIENT_CHANGE_TITLE}
      width={WIDTH_PX}
      onClose={() => answer('cancel')}
      footer={
        <>
          <Button onClick={() => answer('cancel')}>Cancel</Button>
          <Button intent={hasEntries ? 'none' : 'primary'} onClick={() => answer('keep')}>
            {hasEntries ? 'Keep' : 'Continue'}
          </Button>
          {hasEntries ? (
            <Button intent="primary" onClick={() => answer('clear')}>
              Clear
            </Button>
          ) : null}
        </>
      }
    >
      {hasEntries ? (
        <>
          <p>{say(messages.PATIENT_CHANGE_ENTRIES, names)}</p>
          <ul className={styles['questions']}>
            {entries.map(({ label, summary }) => (
              <li key={label}>
                {label}: {summary}
              </li>
            ))}
          </ul>
        </>
      ) : null}
      {storedDocuments.length > 0 ? (
        <p>
          {say(messages.PATIENT_CHANGE_DOCUMENTS, {
            ...names,
            documents: storedDocuments.join(', '),
          })}
        </p>
      ) : null}
    </FormDialog>
  );
}
