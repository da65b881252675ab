import { ChosenList } from '../../../components/ChosenList';
import { notifyAlreadyListed, useLatestList } from '../../../components/forms/useLatestList';
import type { DiagnosisRow } from '../api';
import { DiagnosisField } from './DiagnosisField';

interface DiagnosisPickerProps {
  label: string;
  value: readonly DiagnosisRow[];
  onChange: (diagnoses: DiagnosisRow[]) => void;
  /** The ISO date on which the codes must be valid. */
  date: string | null;
  disabled?: boolean;
  error?: string | undefined;
}

/** ICD-10-CM codes, added one by one. */
export function DiagnosisPicker({ label, value, onChange, ...props }: DiagnosisPickerProps) {
  const list = useLatestList(value, onChange, props.disabled);
  return (
    <>
      {props.disabled ? null : (
        <DiagnosisField
          label={label}
          error={props.error}
          day={props.date}
          onAdd={(newDiagnosis) => {
            if (list.getLatest().some(({ id }) => id === newDiagnosis.id))
              notifyAlreadyListed(newDiagnosis.code);
            else list.change((diagnoses) => [...diagnoses, newDiagnosis]);
          }}
        />
      )}
      <ChosenList
        label={label}
        items={value}
        getItemKey={(diagnosis) => diagnosis.id}
        getItemName={(diagnosis) => diagnosis.code}
        empty="None chosen"
        render={(diagnosis) => (
          <>
            <strong>{diagnosis.code}</strong> {diagnosis.description}
          </>
        )}
        onRemove={
          props.disabled
            ? undefined
            : (removedDiagnosis) =>
                list.change((diagnoses) => diagnoses.filter(({ id }) => id !== removedDiagnosis.id))
        }
      />
    </>
  );
}
