import { Tab, Tabs } from '@blueprintjs/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type JSX } from 'react';
import { flushSync } from 'react-dom';
import { useFormState, useWatch, type UseFormReturn } from 'react-hook-form';

import { FormDialog } from '../../../components/dialogs/FormDialog';
import { GuardedDialog } from '../../../components/dialogs/GuardedDialog';
import { SelectField } from '../../../components/fields/SelectField';
import { TextField } from '../../../components/fields/TextField';
import { Bound } from '../../../components/forms/Bound';
import { collectErrorMessages } from '../../../components/forms/errorMessages';
import { useRecordForm } from '../../../components/forms/useRecordForm';
import { Loaded, toLoadState } from '../../../components/records/Loaded';
import { toasts } from '../../../components/toasts';
import { limits, messages } from '../../../contract';
import {
  applicationQuery,
  changeUser,
  createPatientUser,
  createUser,
  loadUser,
  refreshUsers,
  userQuery,
  type PatientOfUser,
  type User,
} from '../api';
import {
  blankUser,
  buildPatientUser,
  fieldOptions,
  fields,
  getAssignedKind,
  schema,
  toValues,
  toWrite,
  type AssignedKind,
  type UserValues,
} from '../form';
import { AssignmentPicker } from './AssignmentPicker';
import { clientKind, patientKind, physicianKind } from './assignmentKinds';
import styles from './users.module.css';

const TITLE = 'User Form';
const PERSONAL = 'personal';
const PERSONAL_FIELDS = ['email', 'lastName', 'firstName', 'role'] as const;

interface UserDialogProps {
  /** The user to edit; null for a new one. */
  id: string | null;
  /** The patient for whom a user is created. */
  patient?: PatientOfUser;
  onClose: () => void;
  onSaved?: () => void;
}

/** The form of a user: personal data, and the assignments of the role (P 2). */
export function UserDialog({ id, ...props }: UserDialogProps) {
  return id === null ? <Form {...props} /> : <EditDialog id={id} {...props} />;
}

function EditDialog({ id, ...props }: UserDialogProps & { id: string }) {
  const query = useQuery(userQuery(id));
  if (query.data !== undefined) return <Form record={query.data} {...props} />;
  return (
    <FormDialog isOpen title={TITLE} width={limits.DIALOG_USER_WIDTH_PX} onClose={props.onClose}>
      <Loaded loadState={toLoadState(query)}>{() => null}</Loaded>
    </FormDialog>
  );
}

function Form({
  record,
  patient,
  onClose,
  onSaved,
}: Omit<UserDialogProps, 'id'> & { record?: User }) {
  const queries = useQueryClient();
  const [tab, setTab] = useState<string>(PERSONAL);
  const { form, submit, isSaving, isDirty, notices } = useRecordForm<UserValues, User>({
    schema,
    defaults: patient === undefined ? blankUser : buildPatientUser(patient),
    record,
    toValues,
    save: (values, context, current) => {
      if (current !== undefined) return changeUser(current.id, toWrite(values), context);
      return patient === undefined
        ? createUser(toWrite(values), context)
        : createPatientUser(patient.id, toWrite(values), context);
    },
    reload: (current) => loadUser(current.id),
    ...fieldOptions,
    onSaved: () => {
      toasts.success(record === undefined ? messages.USER_NOTIFIED : messages.USER_UPDATED);
      refreshUsers(queries);
      onSaved?.();
      onClose();
    },
  });
  const kind = getAssignedKind(useWatch({ control: form.control, name: 'role' }));
  const save = async () => {
    if ((await submit()) !== null) return;
    const personalField = PERSONAL_FIELDS.find((name) => form.getFieldState(name).invalid);
    const field = personalField ?? kind;
    if (field === null || !form.getFieldState(field).invalid) return;
    // A field can have the focus only while its tab is shown.
    flushSync(() => setTab(personalField === undefined ? field : PERSONAL));
    form.setFocus(field);
  };
  return (
    <GuardedDialog
      isOpen
      title={TITLE}
      width={limits.DIALOG_USER_WIDTH_PX}
      busy={isSaving}
      submitDisabled={record !== undefined && !record.canChange.allowed}
      isDirty={isDirty}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      {notices}
      {record?.canChange.reason ? <p className="quiet">{record.canChange.reason}</p> : null}
      <Tabs
        id="user-form"
        animate={false}
        selectedTabId={tab === kind ? tab : PERSONAL}
        onChange={(next) => setTab(String(next))}
      >
        <Tab
          id={PERSONAL}
          disabled={false}
          title="Personal Data"
          panelClassName={styles['panel'] ?? ''}
          panel={<PersonalData form={form} record={record} isOfPatient={patient !== undefined} />}
        />
        {kind === null ? null : (
          <Tab
            id={kind}
            disabled={false}
            title={fields[kind].label}
            panelClassName={styles['panel'] ?? ''}
            panel={
              <Assignments
                form={form}
                kind={kind}
                lockReason={patient === undefined ? findLock(record?.canChangeAccess) : ''}
              />
            }
          />
        )}
      </Tabs>
    </GuardedDialog>
  );
}

/** Why the user may not do something; null if it is allowed. */
const findLock = (permission: User['canChange'] | undefined): string | null =>
  permission === undefined || permission.allowed ? null : (permission.reason ?? '');

interface PersonalDataProps {
  form: UseFormReturn<UserValues>;
  record: User | undefined;
  isOfPatient: boolean;
}

function PersonalData({ form, record, isOfPatient }: PersonalDataProps) {
  const { control } = form;
  const givenRoles = useQuery(applicationQuery).data?.givenRoles ?? [];
  const current = useWatch({ control, name: 'role' });
  const roles = [...new Set([...givenRoles, ...(current === '' ? [] : [current])])];
  const emailLock = findLock(record?.canChangeEmail);
  const roleLock = findLock(record?.canChangeRole);
  const isLocked = findLock(record?.canChange) !== null;
  return (
    <div className={styles['fields']}>
      <Bound control={control} name="email">
        {(field) => (
          <TextField
            {...field}
            label={fields.email.label}
            className={styles['wide']}
            required
            disabled={emailLock !== null}
            helperText={emailLock ?? undefined}
            maxLength={limits.USER_EMAIL_MAX}
          />
        )}
      </Bound>
      {(['lastName', 'firstName'] as const).map((name) => (
        <Bound key={name} control={control} name={name}>
          {(field) => (
            <TextField
              {...field}
              label={fields[name].label}
              required
              upper
              disabled={isLocked}
              maxLength={limits.USER_NAME_MAX}
            />
          )}
        </Bound>
      ))}
      <Bound control={control} name="role">
        {(field) => (
          <SelectField
            {...field}
            label={fields.role.label}
            required
            placeholder="Select a role"
            disabled={roleLock !== null || isOfPatient}
            helperText={roleLock !== null && roleLock !== emailLock ? roleLock : undefined}
            options={roles.map((role) => ({ value: role, label: role }))}
          />
        )}
      </Bound>
    </div>
  );
}

interface AssignmentsProps {
  form: UseFormReturn<UserValues>;
  kind: AssignedKind;
  lockReason: string | null;
}

function Assignments({ form, kind, lockReason }: AssignmentsProps) {
  const { control } = form;
  const { errors } = useFormState({ control });
  const error = collectErrorMessages(errors[kind]).join('. ') || undefined;
  const pickers: Readonly<Record<AssignedKind, () => JSX.Element>> = {
    clients: () => (
      <Bound control={control} name="clients">
        {({ value, onChange, inputRef }) => (
          <AssignmentPicker
            kind={clientKind}
            addRef={inputRef}
            value={value}
            onChange={onChange}
            error={error}
            lockReason={lockReason}
          />
        )}
      </Bound>
    ),
    physicians: () => (
      <Bound control={control} name="physicians">
        {({ value, onChange, inputRef }) => (
          <AssignmentPicker
            kind={physicianKind}
            addRef={inputRef}
            value={value}
            onChange={onChange}
            error={error}
            lockReason={lockReason}
          />
        )}
      </Bound>
    ),
    patients: () => (
      <Bound control={control} name="patients">
        {({ value, onChange, inputRef }) => (
          <AssignmentPicker
            kind={patientKind}
            addRef={inputRef}
            value={value}
            onChange={onChange}
            error={error}
            lockReason={lockReason}
          />
        )}
      </Bound>
    ),
  };
  return pickers[kind]();
}
