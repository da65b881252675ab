import { Checkbox } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';

import { DateTimeField } from '../../../components/fields/DateTimeField';
import { SelectField } from '../../../components/fields/SelectField';
import { TextField } from '../../../components/fields/TextField';
import { ReasonKind, SpecimenState, SpecimenStateLabels } from '../../../contract';
import { reasonsQuery } from '../../settings/api';
import { findTubeErrors, type TubeErrors, type TubeValues } from '../tubeForm';
import styles from './specimens.module.css';

const states = Object.values(SpecimenState).map((state) => ({
  value: state,
  label: SpecimenStateLabels[state] ?? state,
}));

interface TubeListProps {
  tubes: readonly TubeValues[];
  onChange: (tubes: readonly TubeValues[]) => void;
  /** Whether to show what is missing or invalid. */
  isChecked: boolean;
}

/** The tubes of one requisition or order, each with its history. */
export function TubeList({ tubes, onChange, isChecked }: TubeListProps) {
  return (
    <ol className={styles['tubes']} aria-label="Tubes">
      {tubes.map((tube) => (
        <li key={tube.number} className={styles['tube']}>
          <TubeFields
            tube={tube}
            errors={isChecked ? findTubeErrors(tube) : {}}
            onChange={(newTube) =>
              onChange(tubes.map((other) => (other.number === newTube.number ? newTube : other)))
            }
          />
        </li>
      ))}
    </ol>
  );
}

interface TubeFieldsProps {
  tube: TubeValues;
  errors: TubeErrors;
  onChange: (tube: TubeValues) => void;
}

function TubeFields({ tube, errors, onChange }: TubeFieldsProps) {
  const rejections = useQuery(reasonsQuery(ReasonKind.REJECTION));
  const name = `tube ${tube.number}`;
  return (
    <>
      <SelectField
        label={`${tube.number} · ${[tube.container, tube.specimen].filter(Boolean).join(', ')}`}
        value={tube.state}
        options={states}
        onChange={(state) => onChange({ ...tube, state: state as SpecimenState })}
        helperText={tube.isReplacement && tube.isNeeded ? 'Requested again' : undefined}
      />
      {tube.state === SpecimenState.REJECTED ? (
        <>
          <SelectField
            label={`Reason for ${name}`}
            required
            value={tube.reason}
            placeholder="Choose ..."
            options={(rejections.data ?? []).map(({ code, words }) => ({
              value: code,
              label: words,
            }))}
            onChange={(reason) => onChange({ ...tube, reason })}
            error={errors.reason}
          />
          <TextField
            label={`Explanation for ${name}`}
            value={tube.reasonWords}
            onChange={(reasonWords) => onChange({ ...tube, reasonWords })}
            error={errors.reasonWords}
          />
        </>
      ) : null}
      {tube.state === SpecimenState.RECEIVED ? (
        <Conditions tube={tube} errors={errors} onChange={onChange} />
      ) : null}
    </>
  );
}

function Conditions({ tube, errors, onChange }: TubeFieldsProps) {
  const conditions = useQuery(reasonsQuery(ReasonKind.CONDITION));
  const toggle = (code: string) =>
    onChange({
      ...tube,
      conditions: tube.conditions.includes(code)
        ? tube.conditions.filter((other) => other !== code)
        : [...tube.conditions, code],
    });
  return (
    <>
      <fieldset className={styles['conditions']}>
        <legend className="visually-hidden">Condition of tube {tube.number}</legend>
        {(conditions.data ?? []).map(({ code, words }) => (
          <Checkbox
            key={code}
            inline
            label={words}
            checked={tube.conditions.includes(code)}
            onChange={() => toggle(code)}
          />
        ))}
      </fieldset>
      {tube.conditions.length > 0 ? (
        <TextField
          label={`Explanation for tube ${tube.number}`}
          value={tube.conditionWords}
          onChange={(conditionWords) => onChange({ ...tube, conditionWords })}
          error={errors.conditionWords}
        />
      ) : null}
      {tube.isReplacement ? (
        <DateTimeField
          label={`Tube ${tube.number} was collected`}
          timeLabel={`Collection time of tube ${tube.number}`}
          value={tube.collectedAt}
          onChange={(collectedAt) => onChange({ ...tube, collectedAt })}
          error={errors.collectedAt}
        />
      ) : null}
    </>
  );
}
