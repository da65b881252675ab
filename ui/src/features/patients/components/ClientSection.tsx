import { useWatch, type UseFormReturn } from 'react-hook-form';

import { describe } from '../../../api';
import { Panel } from '../../../components/Panel';
import { TextField } from '../../../components/fields/TextField';
import { Bound } from '../../../components/forms/Bound';
import { toasts } from '../../../components/toasts';
import type { ClientRow, RoomRow, UnitRow } from '../../clients/api';
import { ClientPicker, RoomPicker, UnitPicker } from '../../clients/components/ClientPicker';
import { PhysicianPicker } from '../../physicians/components/PhysicianPicker';
import { loadOnlyUnit, loadUnit } from '../api';
import { labels, type PatientValues } from '../fields';
import { lengths } from '../form';
import { fillFromClient } from './AddressSection';
import styles from './patientForm.module.css';

interface SectionProps {
  form: UseFormReturn<PatientValues>;
}

/** The patient's client, place, primary physician and medical record id (O 2.1). */
export function ClientSection({ form }: SectionProps) {
  return (
    <Panel title="Client Information">
      <div className={styles['row']}>
        <PlaceFields form={form} />
        <Bound control={form.control} name="medicalRecordId">
          {(field) => (
            <TextField
              {...field}
              label={labels.medicalRecordId}
              className={styles['w3']}
              upper
              maxLength={lengths.medicalRecordId}
            />
          )}
        </Bound>
      </div>
    </Panel>
  );
}

/** Client, unit, room and bed, how they depend on each other (O 4), and the physician. */
export function PlaceFields({ form }: SectionProps) {
  const { control, setValue, getValues, formState } = form;
  const client = useWatch({ control, name: 'client' });
  const unit = useWatch({ control, name: 'unit' });
  const change = { shouldDirty: true, shouldValidate: formState.isSubmitted };
  const clientId = client?.id ?? null;
  const hasUnits = (client?.unitsCount ?? 0) > 0;

  const clientChosen = (chosen: ClientRow | null) => {
    if (chosen?.id === client?.id) return;
    setValue('unit', null, change);
    setValue('room', null, change);
    if (getValues('sameAsClientAddress')) fillFromClient(form, chosen);
    if (chosen?.unitsCount === 1) void chooseOnlyUnit(chosen.id);
  };

  /** Where there is nothing to choose from, the unit is chosen already. */
  const chooseOnlyUnit = async (id: number) => {
    try {
      const only = await loadOnlyUnit(id);
      if (getValues('client')?.id === id && getValues('unit') === null) {
        setValue('unit', only, change);
      }
    } catch {
      // The person chooses it then, as with any other client.
    }
  };

  const unitChosen = (chosen: UnitRow | null) => {
    const room = getValues('room');
    if (room !== null && room.unitId !== null && room.unitId !== chosen?.id) {
      setValue('room', null, change);
    }
  };

  const roomChosen = async (chosen: RoomRow | null) => {
    if (clientId === null || chosen?.unitId == null) return;
    if (chosen.unitId === getValues('unit')?.id) return;
    try {
      const found = await loadUnit(clientId, chosen.unitId);
      // Meanwhile the person may have chosen another room.
      if (getValues('room')?.id === chosen.id) setValue('unit', found, change);
    } catch (error) {
      toasts.error(describe(error));
    }
  };

  return (
    <>
      <Bound control={control} name="client">
        {(field) => (
          <ClientPicker
            {...field}
            label={labels.client}
            className={`${styles['w4']} ${styles['wide']}`}
            required
            onChange={(chosen) => {
              field.onChange(chosen);
              clientChosen(chosen);
            }}
          />
        )}
      </Bound>
      <Bound control={control} name="unit">
        {(field) => (
          <UnitPicker
            {...field}
            label={labels.unit}
            className={styles['w3']}
            clientId={clientId}
            required={hasUnits}
            disabled={!hasUnits}
            onChange={(chosen) => {
              field.onChange(chosen);
              unitChosen(chosen);
            }}
          />
        )}
      </Bound>
      <Bound control={control} name="room">
        {(field) => (
          <RoomPicker
            {...field}
            label={labels.room}
            className={styles['w3']}
            clientId={clientId}
            unitId={unit?.id ?? null}
            onChange={(chosen) => {
              field.onChange(chosen);
              void roomChosen(chosen);
            }}
          />
        )}
      </Bound>
      <Bound control={control} name="bed">
        {(field) => (
          <TextField
            {...field}
            label={labels.bed}
            className={styles['w2']}
            upper
            maxLength={lengths.bed}
          />
        )}
      </Bound>
      <Bound control={control} name="physician">
        {(field) => (
          <PhysicianPicker
            {...field}
            label={labels.physician}
            className={`${styles['w4']} ${styles['wide']}`}
          />
        )}
      </Bound>
    </>
  );
}
