import { Button } from '@blueprintjs/core';
import { useRef, useState, type ReactElement } from 'react';

import { FormDialog } from '../../../../components/dialogs/FormDialog';
import { messages } from '../../../../contract';
import { loadTestTrees } from '../../../catalog/api';
import { toChosenTest } from '../../../catalog/chosen';
import { loadRequisitionsOfDay, type Requisition } from '../../api';
import type { RequisitionValues } from '../../fields';
import { isLocked, toFormValues, type Locks } from '../../form';
import { listSaveQuestions, listSignQuestions, type OtherRequisition } from '../../saveQuestions';
import styles from './form.module.css';

interface SaveQuestions {
  /** Asks about these values if needed. Returns whether they should be saved. */
  confirmSave: (values: RequisitionValues) => Promise<boolean>;
  /** Asks before these values are signed. Returns whether they should be. */
  confirmSign: (values: RequisitionValues, locks: Locks) => Promise<boolean>;
  dialog: ReactElement | null;
}

interface OpenQuestions {
  title: string;
  /** The label of the button that continues. */
  confirmLabel: string;
  questions: readonly string[];
  answer: (isConfirmed: boolean) => void;
}

const WIDTH_PX = 460;

/** Loads the patient's other requisitions of the day, with the members of their panels. */
async function loadOtherRequisitions(
  { patient, collectionDate }: RequisitionValues,
  openId: number | undefined,
): Promise<OtherRequisition[]> {
  if (patient === null) return [];
  const rows = await loadRequisitionsOfDay(patient.id, collectionDate);
  const others = rows.filter(({ id }) => id !== openId);
  const ids = new Set(others.flatMap(({ testIds }) => testIds));
  const trees = ids.size === 0 ? [] : await loadTestTrees([...ids]);
  return others.map(({ code, testIds }) => ({
    code,
    tests: trees.filter(({ id }) => testIds.includes(id)).map(toChosenTest),
  }));
}

/**
 * One dialog with everything that a user should check before a save or a signature. What the saved
 * requisition already contains, and what the user has confirmed, is not asked again.
 * @param isUnconfirmed whether an earlier save of this form got no answer, but may have succeeded
 */
export function useSaveQuestions(
  requisition: Requisition | null,
  isUnconfirmed: boolean,
): SaveQuestions {
  const [open, setOpen] = useState<OpenQuestions | null>(null);
  const confirmedQuestions = useRef<ReadonlySet<string>>(new Set());

  const askQuestions = async (
    questions: readonly string[],
    title: string,
    confirmLabel: string,
  ): Promise<boolean> => {
    if (questions.length === 0) return true;
    return new Promise((resolve) => {
      const answer = (isConfirmed: boolean) => {
        if (isConfirmed)
          confirmedQuestions.current = new Set([...confirmedQuestions.current, ...questions]);
        setOpen(null);
        resolve(isConfirmed);
      };
      setOpen({ title, confirmLabel, questions, answer });
    });
  };

  const confirmSave = async (values: RequisitionValues): Promise<boolean> => {
    // After an unconfirmed save, the form's own requisition would be among the others.
    const others = isUnconfirmed
      ? []
      : // A save does not depend on them.
        await loadOtherRequisitions(values, requisition?.id).catch(() => []);
    const savedValues = requisition ? toFormValues(requisition) : null;
    const isSameDay =
      savedValues !== null &&
      savedValues.patient?.id === values.patient?.id &&
      savedValues.collectionDate === values.collectionDate;
    const knownQuestions = new Set([
      ...confirmedQuestions.current,
      ...(savedValues ? listSaveQuestions(savedValues, isSameDay ? others : []) : []),
    ]);
    const questions = listSaveQuestions(values, others).filter(
      (question) => !knownQuestions.has(question),
    );
    return askQuestions(questions, messages.SAVE_QUESTIONS_TITLE, 'Save anyway');
  };

  const confirmSign = (values: RequisitionValues, locks: Locks): Promise<boolean> => {
    const questions = listSignQuestions(values, {
      physician: !isLocked('physician', locks),
      diagnoses: !isLocked('diagnoses', locks),
    }).filter((question) => !confirmedQuestions.current.has(question));
    return askQuestions(questions, messages.SIGN_QUESTIONS_TITLE, 'Sign anyway');
  };

  const dialog =
    open === null ? null : (
      <FormDialog
        isOpen
        title={open.title}
        width={WIDTH_PX}
        onClose={() => open.answer(false)}
        footer={
          <>
            <Button onClick={() => open.answer(true)}>{open.confirmLabel}</Button>
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
  return { confirmSave, confirmSign, dialog };
}
