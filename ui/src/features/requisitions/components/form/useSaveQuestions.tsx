import { Button } from '@blueprintjs/core';
import { useRef, useState, type ReactElement } from 'react';

import { FormDialog } from '../../../../components/dialogs/FormDialog';
import { messages } from '../../../../contract';
import { loadRequisitionsOfDay, type Requisition, type RequisitionRow } from '../../api';
import type { RequisitionValues } from '../../fields';
import { toFormValues } from '../../form';
import { listSaveQuestions } from '../../saveQuestions';
import styles from './form.module.css';

interface SaveQuestions {
  /** Asks about these values if needed. Returns whether they should be saved. */
  confirmSave: (values: RequisitionValues) => Promise<boolean>;
  dialog: ReactElement | null;
}

interface OpenQuestions {
  questions: readonly string[];
  answer: (saves: boolean) => void;
}

const WIDTH_PX = 460;

/** The patient's other requisitions of the day. If they cannot be loaded, nothing is open. */
async function loadOthers(
  { patient, collectionDate }: RequisitionValues,
  openId: number | undefined,
): Promise<RequisitionRow[]> {
  if (patient === null) return [];
  const rows = await loadRequisitionsOfDay(patient.id, collectionDate).catch(() => []);
  return rows.filter(({ id }) => id !== openId);
}

/**
 * One dialog with everything that a user should check before a save. What the saved requisition
 * already contains, and what the user has confirmed, is not asked again.
 * @param isUnconfirmed whether the portal may have made an earlier save of this form
 */
export function useSaveQuestions(
  requisition: Requisition | null,
  isUnconfirmed: boolean,
): SaveQuestions {
  const [open, setOpen] = useState<OpenQuestions | null>(null);
  const confirmed = useRef<ReadonlySet<string>>(new Set());

  const confirmSave = async (values: RequisitionValues): Promise<boolean> => {
    // The requisition of an unconfirmed save would look like another one.
    const others = isUnconfirmed ? [] : await loadOthers(values, requisition?.id);
    const saved = requisition ? toFormValues(requisition) : null;
    const isSameDay =
      saved !== null &&
      saved.patient?.id === values.patient?.id &&
      saved.collectionDate === values.collectionDate;
    const known = new Set([
      ...confirmed.current,
      ...(saved ? listSaveQuestions(saved, isSameDay ? others : []) : []),
    ]);
    const questions = listSaveQuestions(values, others).filter((question) => !known.has(question));
    if (questions.length === 0) return true;
    return new Promise((resolve) => {
      const answer = (saves: boolean) => {
        if (saves) confirmed.current = new Set([...confirmed.current, ...questions]);
        setOpen(null);
        resolve(saves);
      };
      setOpen({ questions, answer });
    });
  };

  const dialog =
    open === null ? null : (
      <FormDialog
        isOpen
        title={messages.SAVE_QUESTIONS_TITLE}
        width={WIDTH_PX}
        onClose={() => open.answer(false)}
        footer={
          <>
            <Button onClick={() => open.answer(true)}>Save anyway</Button>
            <Button intent="primary" onClick={() => open.answer(false)}>
              Go back
            </Button>
          </>
        }
      >
        <ul className={styles['questions']}>
          {open.questions.map((question) => (
            <li key={question}>{question}</li>
          ))}
        </ul>
      </FormDialog>
    );
  return { confirmSave, dialog };
}
