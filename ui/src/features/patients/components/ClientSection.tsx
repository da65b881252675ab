import { useWatch, type UseFormReturn } from 'react-hook-form';

import { describeError } from '../../../api';
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

/** The patient's client, unit, room and bed, primary physician and medical record id (O 2.1). */
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

/** Client, unit, room and bed, which depend on each other (O 4), and the physician. */
export function PlaceFields({ form }: SectionProps) {
  const { control, setValue, getValues, formState } = form;
  const client = useWatch({ control, name: 'client' });
  const unit = useWatch({ control, name: 'unit' });
  const change = { shouldDirty: true, shouldValidate: formState.isSubmitted };
  const clientId = client?.id ?? null;
  const hasUnits = (client?.unitsCount ?? 0) > 0;

  const handleClientChange = (newClient: ClientRow | null) => {
    if (newClient?.id === client?.id) return;
    setValue('unit', null, change);
    setValue('room', null, change);
    if (getValues('sameAsClientAddress')) fillFromClient(form, newClient);
    if (newClient?.unitsCount === 1) void chooseOnlyUnit(newClient.id);
  };

  /** Chooses the unit of a client that has only one. */
  const chooseOnlyUnit = async (id: number) => {
    try {
      const onlyUnit = await loadOnlyUnit(id);
      if (getValues('client')?.id === id && getValues('unit') === null) {
        setValue('unit', onlyUnit, change);
      }
    } catch {
      // The user then chooses the unit, as for any other client.
    }
  };

  const handleUnitChange = (newUnit: UnitRow | null) => {
    const room = getValues('room');
    if (room !== null && room.unitId !== null && room.unitId !== newUnit?.id) {
      setValue('room', null, change);
    }
  };

  const handleRoomChange = async (newRoom: RoomRow | null) => {
    if (clientId === null || newRoom?.unitId == null) return;
    if (newRoom.unitId === getValues('unit')?.id) return;
    try {
      const roomUnit = await loadUnit(clientId, newRoom.unitId);
      // The user may have chosen another room by now.
      if (getValues('room')?.id === newRoom.id) setValue('unit', roomUnit, change);
    } catch (error) {
      toasts.error(describeError(error));
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
            onChange={(choice) => {
              field.onChange(choice);
              handleClientChange(choice);
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
            onChange={(choice) => {
              field.onChange(choice);
              handleUnitChange(choice);
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
            onChange={(choice) => {
              field.onChange(choice);
              void handleRoomChange(choice);
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
