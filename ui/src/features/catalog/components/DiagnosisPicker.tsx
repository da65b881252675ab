import { AsyncPicker, ChosenList } from '../../../components';
import { searchDiagnoses, type DiagnosisRow } from '../api';

interface DiagnosisPickerProps {
  label: string;
  value: readonly DiagnosisRow[];
  onChange: (diagnoses: DiagnosisRow[]) => void;
  /** ISO day on which the codes must be valid. */
  date: string | null;
  disabled?: boolean;
  error?: string | undefined;
}

/** ICD-10-CM codes, added one by one. */
export function DiagnosisPicker({ label, value, onChange, ...props }: DiagnosisPickerProps) {
  return (
    <>
      {props.disabled ? null : (
        <AsyncPicker<DiagnosisRow>
          label={label}
          hideLabel
          adds
          error={props.error}
          value={null}
          placeholder="Code or description"
          queryKey={['diagnoses', props.date]}
          load={(search, signal) => searchDiagnoses(search, props.date, signal)}
          itemKey={(diagnosis) => diagnosis.id}
          itemText={(diagnosis) => diagnosis.code}
          renderItem={(diagnosis) => (
            <>
              <strong className="number">{diagnosis.code}</strong> {diagnosis.description}
            </>
          )}
          onChange={(diagnosis) => {
            if (diagnosis && !value.some((other) => other.id === diagnosis.id)) {
              onChange([...value, diagnosis]);
            }
          }}
        />
      )}
      <ChosenList
        label={label}
        items={value}
        itemKey={(diagnosis) => diagnosis.id}
        itemName={(diagnosis) => diagnosis.code}
        empty="None chosen"
        render={(diagnosis) => (
          <>
            <strong className="number">{diagnosis.code}</strong> {diagnosis.description}
          </>
        )}
        onRemove={
          props.disabled
            ? undefined
            : (removed) => onChange(value.filter((other) => other.id !== removed.id))
        }
      />
    </>
  );
}
