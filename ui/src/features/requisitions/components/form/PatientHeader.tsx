import { Button, Spinner, Switch } from '@blueprintjs/core';
import { useRef, useState } from 'react';
import { useWatch, type UseFormReturn } from 'react-hook-form';

import { ApiError, describe } from '../../../../api';
import { Panel } from '../../../../components/Panel';
import { DateField } from '../../../../components/fields/DateField';
import { SelectField } from '../../../../components/fields/SelectField';
import { useRouteParameters } from '../../../../components/routeParameters';
import { toasts } from '../../../../components/toasts';
import { formatDate } from '../../../../lib/dates';
import { PersonIcon, SearchIcon } from '../../../../components/icons';
import { Fasting, FastingLabels, limits, Priority } from '../../../../contract';
import { loadPatient, type PatientSearch } from '../../../patients/api';
import { SearchPatientDialog } from '../../../patients/components/SearchPatientDialog';
import { PhysicianPicker } from '../../../physicians/components/PhysicianPicker';
import { SearchPhysicianDialog } from '../../../physicians/components/SearchPhysicianDialog';
import type { PhysicianRow } from '../../../physicians/api';
import type { RequisitionPatient } from '../../api';
import type { Copied } from '../../copying';
import type { RequisitionValues } from '../../fields';
import { isLocked, labels, type Gates } from '../../form';
import { removedNotice, withPatient } from '../../patientChange';
import styles from './form.module.css';
import { FormField } from './FormField';
import { TimeField } from './TimeField';
import { useFormKey } from './useFormKey';

interface PatientHeaderProps {
  form: UseFormReturn<RequisitionValues>;
  gates: Gates;
  isNew: boolean;
  /** What a new form began with as a copy: it was its patient's. */
  copied: Copied | null;
  /** A patient was chosen and is being read. */
  choosing: boolean;
  onChoosing: (choosing: boolean) => void;
  /** There are edits that registering a new patient would leave behind. */
  isDirty: boolean;
  onNewPatient: (prefill: PatientSearch) => void;
}

const fastingOptions = Object.values(Fasting).map((value) => ({
  value: String(value),
  label: FastingLabels[value] ?? '',
}));
const priorityOptions = Object.values(Priority).map((value) => ({ value, label: value }));

/**
 * The patient before, with the lists that a requisition of theirs begins with; as they are where
 * nothing is to be taken away with them. Of a patient who is out of sight by now nobody can say
 * what came with them: all that is entered counts as theirs, and goes.
 */
async function withLists(
  { patient, diagnoses, medications }: RequisitionValues,
  chosenId: number,
): Promise<RequisitionPatient | null> {
  if (patient === null || patient.id === chosenId || patient.diagnoses) return patient;
  try {
    return await loadPatient(patient.id);
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
    return { ...patient, diagnoses, medications: medications.map((name) => ({ name })) };
  }
}

/** Patient, ordering physician, collection, fasting and priority (O 2.4). */
export function PatientHeader({ form, ...props }: PatientHeaderProps) {
  const { gates, isNew, isDirty, choosing, onChoosing, onNewPatient } = props;
  const { control, setValue, getValues, formState } = form;
  const patient = useWatch({ control, name: 'patient' });
  const sameAsPrimary = useWatch({ control, name: 'sameAsPrimary' });
  const asked = useRouteParameters()['search'] === 'patient';
  const [searching, setSearching] = useState<'patient' | 'physician' | null>(
    // Whoever comes by the shortcut begins with the patient.
    asked && isNew && getValues('patient') === null ? 'patient' : null,
  );
  const physician = useWatch({ control, name: 'physician' });
  const [previous, setPrevious] = useState<PhysicianRow | null>(null);
  const primary = patient?.primaryPhysician ?? null;
  /** The patient that was chosen last. */
  const wanted = useRef<number | null>(null);

  const select = async (id: number) => {
    wanted.current = id;
    onChoosing(true);
    try {
      const [chosen, left] = await Promise.all([loadPatient(id), withLists(getValues(), id)]);
      // An answer that comes late does not take the place of a later choice.
      if (wanted.current !== id) return;
      const { values, removed } = withPatient(getValues(), chosen, left, props.copied?.values);
      for (const [name, value] of Object.entries(values)) {
        setValue(name as keyof RequisitionValues, value, {
          shouldDirty: true,
          shouldValidate: true,
        });
      }
      const notice = removedNotice(left, removed);
      if (notice !== null) toasts.info(notice, limits.UNDO_MS);
      // The next thing to enter, where nothing is ordered yet.
      if (isNew && getValues('tests').length === 0) form.setFocus('tests');
    } catch (error) {
      if (wanted.current === id) toasts.error(describe(error));
    } finally {
      if (wanted.current === id) onChoosing(false);
    }
  };

  const toggleSame = (same: boolean) => {
    const change = { shouldDirty: true };
    if (same) setPrevious(getValues('physician'));
    setValue('physician', same ? primary : previous, change);
    setValue('sameAsPrimary', same, change);
  };

  const maySame = !isLocked('sameAsPrimary', gates) && (primary !== null || sameAsPrimary);
  useFormKey('alt+shift+p', 'Same as primary physician', () => {
    if (maySame) toggleSame(!sameAsPrimary);
  });

  const facts: [string, string][] = patient
    ? [
        ['Client', patient.client?.name ?? ''],
        ['DOB', formatDate(patient.birthDate)],
        ['Gender', patient.gender],
        ['Room', [patient.room?.name, patient.bed].filter(Boolean).join(' - ')],
        ['Unit', patient.unit?.name ?? ''],
      ]
    : [];

  return (
    <Panel title="Patient and Ordering Physician">
      <div className={styles['patient']}>
        <div className={styles['who']}>
          {patient ? (
            <div className={styles['name']}>
              {patient.lastName}, {patient.firstName} {patient.middleName}
              <span className="quiet number"> {patient.code}</span>
            </div>
          ) : (
            <div className={styles['name']} data-error={formState.errors.patient !== undefined}>
              No patient selected
            </div>
          )}
          {formState.errors.patient?.message === undefined ? null : (
            <div role="alert" className={styles['problem']}>
              {formState.errors.patient.message}
            </div>
          )}
          <dl className={styles['facts']}>
            {facts.map(([label, value]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd className="number">{value || '–'}</dd>
              </div>
            ))}
          </dl>
        </div>
        <FormField form={form} gates={gates} name="patient">
          {({ inputRef, disabled }) => (
            <Button
              // Takes the focus when a save finds no patient.
              ref={inputRef}
              icon={choosing ? <Spinner size={16} aria-label="Loading" /> : <PersonIcon />}
              disabled={disabled}
              intent={patient ? 'none' : 'primary'}
              onClick={() => setSearching('patient')}
            >
              {patient ? 'Edit Patient' : 'Select Patient'}
            </Button>
          )}
        </FormField>
      </div>
      <div className={styles['headerFields']}>
        <div className={styles['physician']}>
          <FormField form={form} gates={gates} name="physician">
            {({ inputRef, disabled, ...field }) => (
              <PhysicianPicker
                {...field}
                clientId={patient?.client?.id ?? null}
                disabled={disabled || sameAsPrimary}
              />
            )}
          </FormField>
          <Button
            icon={<SearchIcon />}
            disabled={isLocked('physician', gates) || sameAsPrimary}
            onClick={() => setSearching('physician')}
          >
            {physician ? 'Edit Physician' : 'Search Physician'}
          </Button>
          <Switch
            className={styles['switch'] ?? ''}
            checked={sameAsPrimary}
            disabled={!maySame}
            title="Alt+Shift+P"
            label={labels.sameAsPrimary}
            onChange={(event) => toggleSame(event.currentTarget.checked)}
          />
        </div>
        <FormField form={form} gates={gates} name="collectionDate">
          {(field) => <DateField {...field} required />}
        </FormField>
        <FormField form={form} gates={gates} name="collectionTime">
          {(field) => <TimeField {...field} />}
        </FormField>
        <FormField form={form} gates={gates} name="fasting">
          {(field) => <SelectField {...field} required options={fastingOptions} />}
        </FormField>
        <FormField form={form} gates={gates} name="priority">
          {(field) => <SelectField {...field} required options={priorityOptions} />}
        </FormField>
      </div>
      {searching === 'patient' ? (
        <SearchPatientDialog
          isOpen
          isDirty={isDirty}
          onNewPatient={onNewPatient}
          onClose={() => setSearching(null)}
          onSelect={(row) => void select(row.id)}
        />
      ) : null}
      {searching === 'physician' ? (
        <SearchPhysicianDialog
          isOpen
          clientId={patient?.client?.id ?? null}
          onClose={() => setSearching(null)}
          onSelect={(row) =>
            setValue('physician', row, { shouldDirty: true, shouldValidate: true })
          }
        />
      ) : null}
    </Panel>
  );
}
