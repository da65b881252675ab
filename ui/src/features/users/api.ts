import { queryOptions, type QueryClient } from '@tanstack/react-query';

import { api, loadPage, type Page, type PageRequest, type Query } from '../../api';
import type { Wire } from '../../contract';

const SYSTEM_PATH = '/api/system';
export const LIST_PATH = '/api/system/users';
export const CLIENT_LIST_PATH = '/api/v2/clients/remote-operations';
export const PHYSICIAN_LIST_PATH = '/api/v2/physicians/remote-operations';
export const PATIENT_LIST_PATH = '/api/v2/patients/remote-operations';

export type UserRow = Wire<'UsersRow'>;

export type User = Wire<'UserRead'>;

export type UserWrite = Wire<'UserWrite'>;

export type UserImport = Wire<'UserImport'>;

/** The patient for whom a user is created. */
export interface PatientOfUser {
  id: number;
  code: string;
  lastName: string;
  firstName: string;
  birthDate: string | null;
  email: string | null;
}

interface WriteContext {
  idempotencyKey: string;
  version?: number | undefined;
}

/** Loads a page of users. The role has its own parameter instead of `column.role`. */
export function loadUsers(
  { columns: { role, ...columns }, ...request }: PageRequest,
  filters: Query,
  signal?: AbortSignal,
): Promise<Page<UserRow>> {
  return loadPage<UserRow>(
    LIST_PATH,
    { ...request, columns },
    role ? { ...filters, role } : filters,
    signal,
  );
}

/** The roles by which the user can filter, and those that the user can give. */
export const applicationQuery = queryOptions({
  queryKey: ['users', 'application'],
  queryFn: ({ signal }) => api.get<Wire<'Application'>>(`${SYSTEM_PATH}/application`, { signal }),
  meta: { quiet: true },
});

export const userQuery = (id: string) =>
  queryOptions({
    queryKey: ['users', id],
    queryFn: ({ signal }) => loadUser(id, signal),
    // The form must not start with outdated values.
    gcTime: 0,
    meta: { quiet: true },
  });

export const loadUser = (id: string, signal?: AbortSignal): Promise<User> =>
  api.get<User>(`${LIST_PATH}/${id}`, signal ? { signal } : {});

export const createUser = (body: UserWrite, context: WriteContext): Promise<User> =>
  api.post(LIST_PATH, { body, ...context });

export const createPatientUser = (
  patientId: number,
  body: UserWrite,
  context: WriteContext,
): Promise<User> => api.post(`${LIST_PATH}/patients/${patientId}`, { body, ...context });

export const changeUser = (id: string, body: UserWrite, context: WriteContext): Promise<User> =>
  api.put(`${LIST_PATH}/${id}`, { body, ...context });

export const deleteUser = ({ id, version }: UserRow, idempotencyKey: string): Promise<void> =>
  api.delete(`${LIST_PATH}/${id}`, { version, idempotencyKey });

export const inviteUser = ({ id, version }: UserRow, idempotencyKey: string): Promise<User> =>
  api.post(`${LIST_PATH}/${id}/notification`, { version, idempotencyKey });

/** The first row below the header of a file. */
export const FIRST_ROW = 2;

/** The people that a file would invite, and its errors; `content` is a data URL. */
export const previewImport = (content: string, idempotencyKey: string): Promise<UserImport> =>
  api.post(`${LIST_PATH}/import/preview`, {
    body: { content, firstRow: FIRST_ROW } satisfies Wire<'UserImportWrite'>,
    idempotencyKey,
  });

/** Invites the people of a part of a file that begins at `firstRow`, except those with errors. */
export const importUsers = (
  body: Wire<'UserImportWrite'>,
  idempotencyKey: string,
): Promise<UserImport> => api.post(`${LIST_PATH}/import`, { body, idempotencyKey });

/** Reloads the lists of users. */
export const refreshUsers = (queries: QueryClient): void =>
  void queries.invalidateQueries({ queryKey: [LIST_PATH] });
