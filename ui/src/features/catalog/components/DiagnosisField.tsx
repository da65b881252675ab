import type { Ref } from 'react';

import { AsyncPicker } from '../../../components/fields/AsyncPicker';
import type { Rejection } from '../../../components/forms/useAddition';
import { messages, say } from '../../../contract';
import { diagnosesQuery, findDiagnosisByCode, isExactDiagnosis, type DiagnosisRow } from '../api';

interface DiagnosisFieldProps {
  label: string;
  error: string | undefined;
  /** The ISO date on which the codes must be valid. */
  day: string | null;
  onAdd: (diagnosis: DiagnosisRow) => void;
  inputRef?: Ref<HTMLInputElement> | undefined;
}

/** Whether the text is words. The list then begins with the most general diagnosis. */
const isWords = (text: string): boolean => /^\D{3,}$/.test(text);

/** The field to add diagnoses, by code or description. */
export function DiagnosisField({ day, onAdd, ...props }: DiagnosisFieldProps) {
  const addByCode = async (text: string): Promise<Rejection> => {
    const match = await findDiagnosisByCode(text);
    if (match === null) return say(messages.DIAGNOSIS_NOT_FOUND, { text });
    onAdd(match);
    return null;
  };
  return (
    <AsyncPicker
      {...props}
      hideLabel
      addsToList
      value={null}
      placeholder="Code or description"
      query={(search) => diagnosesQuery(search, day)}
      getItemKey={(diagnosis) => diagnosis.id}
      getItemText={(diagnosis) => diagnosis.code}
      renderItem={(diagnosis) => (
        <>
          <strong>{diagnosis.code}</strong> {diagnosis.description}
        </>
      )}
      onChange={(diagnosis) => {
        if (diagnosis) onAdd(diagnosis);
      }}
      isExact={isExactDiagnosis}
      highlightsFirst={isWords}
      onEnterText={addByCode}
    />
  );
}
