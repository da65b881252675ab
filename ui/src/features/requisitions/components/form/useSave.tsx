import { useRef, type ReactElement } from 'react';
import type { z } from 'zod';

import { hasPendingText } from '../../../../components/forms/pendingText';
import type { RecordForm } from '../../../../components/forms/recordForm';
import { toasts } from '../../../../components/toasts';
import { messages } from '../../../../contract';
import type { Requisition } from '../../api';
import type { RequisitionValues } from '../../fields';
import { useSaveQuestions } from './useSaveQuestions';

interface SaveOptions {
  record: RecordForm<RequisitionValues, Requisition>;
  schema: z.ZodType<RequisitionValues, RequisitionValues>;
}

interface Save extends Pick<ReturnType<typeof useSaveQuestions>, 'confirmSign'> {
  /** Returns the saved requisition, or null if nothing was saved. */
  save: () => Promise<Requisition | null>;
  /** The dialog of questions; render it once in the form. */
  questions: ReactElement | null;
}

/**
 * Saves the form, after asking about what looks like a mistake. The messages about a missing
 * patient or test appear as toasts (O 5). Calling `save` again meanwhile asks and saves only once.
 */
export function useSave({ record, schema }: SaveOptions): Save {
  const { form, isUnconfirmed, submit } = record;
  const { confirmSave, confirmSign, dialog } = useSaveQuestions(
    record.record ?? null,
    isUnconfirmed,
  );
  const pendingQuestions = useRef<Promise<boolean> | null>(null);

  const shouldSubmit = async (): Promise<boolean> => {
    if (await hasPendingText()) return false;
    const values = form.getValues();
    if (values.patient === null) toasts.error(messages.REQUISITION_PATIENT_REQUIRED);
    if (values.tests.length === 0) toasts.error(messages.REQUISITION_TEST_REQUIRED);
    // If something is invalid, `submit` says so; questions come later.
    return !schema.safeParse(values).success || confirmSave(values);
  };
  const save = async (): Promise<Requisition | null> => {
    pendingQuestions.current ??= shouldSubmit().finally(() => {
      pendingQuestions.current = null;
    });
    return (await pendingQuestions.current) ? submit() : null;
  };
  return { save, confirmSign, questions: dialog };
}
