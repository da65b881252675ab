import { ChosenList } from '../../../components/ChosenList';
import { AsyncPicker } from '../../../components/fields/AsyncPicker';
import { notifyAlreadyListed, useLatestList } from '../../../components/forms/useLatestList';
import { medicationsQuery } from '../api';

interface MedicationsProps {
  value: readonly string[];
  onChange: (medications: string[]) => void;
  disabled?: boolean;
  error?: string | undefined;
}

const MAX_LENGTH = 200;

/** Medications by name: suggestions while typing, and any other text (DECISIONS). */
export function Medications({ value, onChange, disabled, error }: MedicationsProps) {
  const list = useLatestList(value, onChange, disabled);
  const add = (name: string) => {
    if (name === '') return;
    if (list.getLatest().includes(name)) notifyAlreadyListed(name);
    else list.change((names) => [...names, name]);
  };
  return (
    <>
      {disabled ? null : (
        <AsyncPicker
          label="Medication"
          hideLabel
          addsToList
          upper
          error={error}
          value={null}
          maxLength={MAX_LENGTH}
          placeholder="Name and dose"
          query={medicationsQuery}
          getItemKey={(medication) => medication.id}
          getItemText={(medication) => medication.name}
          onChange={(medication) => {
            if (medication) add(medication.name);
          }}
          enterTextLabel={(text) => `Add ${text}`}
          onEnterText={(text) => {
            add(text);
            return Promise.resolve(null);
          }}
        />
      )}
      <ChosenList
        label="Medications"
        items={value}
        getItemKey={(item) => item}
        getItemName={(item) => item}
        empty="None entered"
        render={(item) => item}
        onRemove={
          disabled
            ? undefined
            : (removedName) => list.change((names) => names.filter((name) => name !== removedName))
        }
      />
    </>
  );
}
