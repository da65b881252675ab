import { useMemo } from 'react';

import { useProfile, type Profile } from '../../api';
import type { GridColumn } from '../../components/grid/types';
import { Role } from '../../contract';

const PLACE_COLUMNS = ['unit', 'room'];

/** Columns that say little to this user: the patient's place, or the only client. */
function listOptional({ role, data }: Profile): readonly string[] {
  if (role === Role.LABORATORY || role === Role.SUPERUSER) return PLACE_COLUMNS;
  if (role === Role.PATIENT) return [...PLACE_COLUMNS, 'client'];
  return role !== Role.PHYSICIAN && data.clients.length === 1 ? ['client'] : [];
}

/** Returns the columns of a grid of records, with the defaults for this user. */
export function useRoleColumns<Row>(
  columns: readonly GridColumn<Row>[],
): readonly GridColumn<Row>[] {
  const user = useProfile();
  return useMemo(() => {
    const optional = listOptional(user);
    return columns.map((column) => ({ ...column, optional: optional.includes(column.id) }));
  }, [columns, user]);
}
