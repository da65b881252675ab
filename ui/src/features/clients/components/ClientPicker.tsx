import { AsyncPicker } from '../../../components/fields/AsyncPicker';
import type { FieldProps } from '../../../components/fields/FormField';
import {
  clientsQuery,
  roomsQuery,
  unitsQuery,
  type ClientRow,
  type RoomRow,
  type UnitRow,
} from '../api';

interface PickerProps<Item> extends Omit<FieldProps, 'label'> {
  label?: string;
  value: Item | null;
  onChange: (item: Item | null) => void;
  onBlur?: () => void;
}

/** Chooses among the clients that the user can access. */
export function ClientPicker({ label = 'Client', ...props }: PickerProps<ClientRow>) {
  return (
    <AsyncPicker
      {...props}
      label={label}
      query={clientsQuery}
      getItemKey={(client) => client.id}
      getItemText={(client) => client.name}
    />
  );
}

interface UnitPickerProps extends PickerProps<UnitRow> {
  /** Without a client there are no units to choose from. */
  clientId: number | null;
}

export function UnitPicker({ label = 'Unit', clientId, ...props }: UnitPickerProps) {
  return (
    <AsyncPicker
      {...props}
      label={label}
      disabled={(props.disabled ?? false) || clientId === null}
      query={(search) => unitsQuery(search, clientId)}
      getItemKey={(unit) => unit.id}
      getItemText={(unit) => unit.name}
    />
  );
}

interface RoomPickerProps extends PickerProps<RoomRow> {
  clientId: number | null;
  unitId: number | null;
}

export function RoomPicker({ label = 'Room', clientId, unitId, ...props }: RoomPickerProps) {
  return (
    <AsyncPicker
      {...props}
      label={label}
      disabled={(props.disabled ?? false) || clientId === null}
      query={(search) => roomsQuery(search, clientId, unitId)}
      getItemKey={(room) => room.id}
      getItemText={(room) => room.name}
    />
  );
}
