import { Button, Spinner, Switch } from '@blueprintjs/core';
import { useState } from 'react';
import { useWatch, type UseFormReturn } from 'react-hook-form';

import { useHasRole } from '../../../../api';
import { Panel } from '../../../../components/Panel';
import { DateField } from '../../../../components/fields/DateField';
import { SelectField } from '../../../../components/fields/SelectField';
import { TextField } from '../../../../components/fields/TextField';
import { TimeField } from '../../../../components/fields/TimeField';
import { PersonIcon, SearchIcon } from '../../../../components/icons';
import { messages, Role } from '../../../../contract';
import type { PatientSearch } from '../../../patients/api';
import { SearchPatientDialog } from '../../../patients/components/SearchPatientDialog';
import { PhysicianPicker } from '../../../physicians/components/PhysicianPicker';
import { SearchPhysicianDialog } from '../../../physicians/components/SearchPhysicianDialog';
import type { PhysicianRow } from '../../../physicians/api';
import { headerInputs, type RequisitionValues } from '../../fields';
import { isLocked, labels, type Locks } from '../../form';
import styles from './form.module.css';
import { FormField } from './FormField';
import { useFormKey } from '../../../../components/forms/useFormKey';

interface PatientHeaderProps {
  form: UseFormReturn<RequisitionValues>;
  locks: Locks;
  isNew: boolean;
  /** Whether a chosen patient is being loaded. */
  isChoosing: boolean;
  onSelectPatient: (id: number) => void;
  /** Whether there are edits that registering a new patient would discard. */
  isDirty: boolean;
  onNewPatient: (prefill: PatientSearch) => void;
  /** Opens the form of the selected patient. */
  onEditPatient: (patientId: number) => void;
  /** Whether a shortcut asked to start with the patient search. */
  startsWithSearch: boolean;
}

/** The choice of patient and ordering physician, collection, fasting and priority (O 2.4). */
export function PatientHeader({ form, ...props }: PatientHeaderProps) {
  const { locks, isNew, isDirty, isChoosing, onNewPatient } = props;
  // Patients can never change any of this.
  const isReader = useHasRole(Role.PATIENT);
  const { control, setValue, getValues, formState } = form;
  const patient = useWatch({ control, name: 'patient' });
  const sameAsPrimary = useWatch({ control, name: 'sameAsPrimary' });
  const [openSearch, setOpenSearch] = useState<'patient' | 'physician' | null>(
    props.startsWithSearch && isNew && getValues('patient') === null ? 'patient' : null,
  );
  const physician = useWatch({ control, name: 'physician' });
  // Undefined until the switch is turned on here: a requisition may have been saved with it.
  const [previousPhysician, setPreviousPhysician] = useState<PhysicianRow | null | undefined>();
  const primary = patient?.primaryPhysician ?? null;

  const toggleSame = (isSame: boolean) => {
    // An error on screen must not outlive its cause.
    const change = {
      shouldDirty: true,
      shouldValidate: formState.errors.physician !== undefined,
    };
    if (isSame) setPreviousPhysician(getValues('physician'));
    const physicianBefore = previousPhysician === undefined ? physician : previousPhysician;
    setValue('physician', isSame ? primary : physicianBefore, change);
    setValue('sameAsPrimary', isSame, change);
  };

  const canToggleSame = !isLocked('sameAsPrimary', locks) && (primary !== null || sameAsPrimary);
  const sameReason =
    locks.contentReason ??
    (patient === null ? 'No patient selected' : messages.REQUISITION_NO_PRIMARY_PHYSICIAN);
  useFormKey('alt+shift+p', 'Same as primary physician', () => {
    if (canToggleSame) toggleSame(!sameAsPrimary);
  });

  return (
    <Panel
      title="Patient and Ordering Physician"
      aside={
        isReader ? null : (
          <FormField form={form} locks={locks} name="patient">
            {({ inputRef, disabled }) => (
              <Button
                // Gets the focus when saving finds no patient.
                ref={inputRef}
                size="small"
                icon={isChoosing ? <Spinner size={16} aria-label="Loading" /> : <PersonIcon />}
                disabled={disabled}
                title={disabled ? locks.contentReason : undefined}
                intent={patient ? 'none' : 'primary'}
                onClick={() => setOpenSearch('patient')}
              >
                {patient ? 'Edit Patient' : 'Select Patient'}
              </Button>
            )}
          </FormField>
        )
      }
    >
      {patient ? null : (
        <div className={styles['noPatient']} data-error={formState.errors.patient !== undefined}>
          No patient selected
        </div>
      )}
      {formState.errors.patient?.message === undefined ? null : (
        <div role="alert" className={styles['problem']}>
          {formState.errors.patient.message}
        </div>
      )}
      <div className={styles['headerFields']}>
        <div className={styles['physician']}>
          <FormField form={form} locks={locks} name="physician">
            {({ disabled, ...field }) => (
              <PhysicianPicker
                {...field}
                required={patient?.client?.requiresPhysician}
                clientId={patient?.client?.id ?? null}
                disabled={disabled || sameAsPrimary}
              />
            )}
          </FormField>
          {isReader ? null : (
            <>
              <Button
                icon={<SearchIcon />}
                disabled={isLocked('physician', locks) || sameAsPrimary}
                title={
                  locks.contentReason ??
                  (sameAsPrimary ? messages.REQUISITION_PHYSICIAN_FROM_SWITCH : undefined)
                }
                onClick={() => setOpenSearch('physician')}
              >
                {physician ? 'Edit Physician' : 'Search Physician'}
              </Button>
              <Switch
                className={styles['switch'] ?? ''}
                checked={sameAsPrimary}
                disabled={!canToggleSame}
                title={canToggleSame ? 'Alt+Shift+P' : sameReason}
                label={labels.sameAsPrimary}
                onChange={(event) => toggleSame(event.currentTarget.checked)}
              />
            </>
          )}
        </div>
        <FormField form={form} locks={locks} name="collectionDate">
          {(field) => <DateField {...field} required isPlain={isReader} />}
        </FormField>
        <FormField form={form} locks={locks} name="collectionTime">
          {(field) => <TimeField {...field} />}
        </FormField>
        {headerInputs.map(({ name, input }) => (
          <FormField key={name} form={form} locks={locks} name={name}>
            {(field) =>
              'options' in input ? (
                <SelectField {...field} required options={input.options} />
              ) : (
                <TextField {...field} maxLength={input.maxLength} />
              )
            }
          </FormField>
        ))}
      </div>
      {openSearch === 'patient' ? (
        <SearchPatientDialog
          isOpen
          isDirty={isDirty}
          onNewPatient={onNewPatient}
          current={
            patient === null
              ? undefined
              : { patient, onEdit: () => props.onEditPatient(patient.id) }
          }
          onClose={() => setOpenSearch(null)}
          onSelect={(row) => props.onSelectPatient(row.id)}
        />
      ) : null}
      {openSearch === 'physician' ? (
        <SearchPhysicianDialog
          isOpen
          clientId={patient?.client?.id ?? null}
          onClose={() => setOpenSearch(null)}
          onSelect={(row) =>
            setValue('physician', row, { shouldDirty: true, shouldValidate: true })
          }
        />
      ) : null}
    </Panel>
  );
}
