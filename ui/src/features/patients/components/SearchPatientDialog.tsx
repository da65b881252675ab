import { Button } from '@blueprintjs/core';
import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';

import { usePermissions } from '../../../api';
import { ConfirmDialog } from '../../../components/dialogs/ConfirmDialog';
import { FormDialog, isUserActive } from '../../../components/dialogs/FormDialog';
import { DateField } from '../../../components/fields/DateField';
import { MaskedField, TextField } from '../../../components/fields/TextField';
import { Bound } from '../../../components/forms/Bound';
import { cancelAfterClick } from '../../../components/forms/runAfterClick';
import { formatDate, getToday } from '../../../lib/dates';
import { masks } from '../../../lib/mask';
import { DataGrid } from '../../../components/grid/DataGrid';
import type { GridColumn } from '../../../components/grid/types';
import { useGrid } from '../../../components/grid/useGrid';
import { NewPersonIcon } from '../../../components/icons';
import { limits, messages } from '../../../contract';
import { PATIENT_LIST_PATH, buildSearchQuery, type PatientRow, type PatientSearch } from '../api';
import { validateBirthDate } from '../birthDate';
import { useNewPatient } from '../newPatient';
import { CurrentPatient, type CurrentPatientRecord } from './CurrentPatient';
import { RecentPatients } from './RecentPatients';
import styles from './SearchPatientDialog.module.css';
import { UpdatePatientDialog } from './UpdatePatientDialog';
import { usePatientChoice } from './usePatientChoice';

const HEIGHT = '90vh';
const SSN_DIGITS = 9;
const EMPTY_SEARCH: PatientSearch = { lastName: '', firstName: '', birthDate: '', ssn: '' };

/** Requires both names, unless the dialog serves a search screen (O 5). */
function buildSchema(fromSearch: boolean) {
  const name = (message: string) => (fromSearch ? z.string() : z.string().trim().min(1, message));
  return z.object({
    lastName: name(messages.SEARCH_LAST_NAME_REQUIRED),
    firstName: name(messages.SEARCH_FIRST_NAME_REQUIRED),
    birthDate: z.string().superRefine((value, context) => {
      const message = value === '' ? null : validateBirthDate(value);
      if (message !== null) context.addIssue({ code: 'custom', message });
    }),
    ssn: z.string().refine((digits) => digits === '' || digits.length === SSN_DIGITS, {
      message: messages.SSN_INVALID,
    }),
  });
}

const columns: readonly GridColumn<PatientRow>[] = [
  {
    id: 'code',
    title: 'Patient Id',
    width: 100,
    cell: (row) => <span className={styles['code']}>{row.code}</span>,
    sort: 'code',
    rigid: true,
    card: 'aside',
  },
  {
    id: 'lastName',
    title: 'Last Name',
    width: 140,
    cell: (row) => row.lastName,
    sort: 'lastName',
    card: 'title',
  },
  { id: 'firstName', title: 'First Name', width: 140, cell: (row) => row.firstName, card: 'title' },
  {
    id: 'birthDate',
    title: 'Birth Date',
    width: 100,
    cell: (row) => formatDate(row.birthDate),
    rigid: true,
  },
  { id: 'ssn', title: 'SSN', width: 116, cell: (row) => row.ssn ?? '', rigid: true },
];

export interface SearchPatientDialogProps {
  isOpen: boolean;
  onClose: () => void;
  /** Called with the chosen row, right after `onClose`. */
  onSelect: (row: PatientRow) => void;
  /** Whether the dialog serves a search screen, where no field is required. */
  fromSearch?: boolean;
  /** The page's current patient, and a function that opens their form. */
  current?: { patient: CurrentPatientRecord; onEdit: () => void } | undefined;
  /** Whether the page behind has unsaved edits; New Patient then asks before leaving it. */
  isDirty?: boolean;
  /**
   * Replaces navigation to the patient form, after the user has agreed to lose changes. A page that
   * guards its edits allows the navigation here and then calls the function of `useNewPatient()`.
   */
  onNewPatient?: (prefill: PatientSearch) => void;
}

/** Finds a patient, or leads to the form for a new one (O 2.5, O 4). */
export function SearchPatientDialog({ isOpen, ...props }: SearchPatientDialogProps) {
  // Mounted again each time it opens, to start blank.
  return isOpen ? <OpenDialog {...props} /> : null;
}

function OpenDialog(props: Omit<SearchPatientDialogProps, 'isOpen'>) {
  const { onClose, onSelect, fromSearch = false, isDirty = false, current } = props;
  const canRegister = usePermissions().may('changePatient');
  const openNewPatient = useNewPatient();
  const schema = useMemo(() => buildSchema(fromSearch), [fromSearch]);
  const form = useForm({
    resolver: zodResolver(schema),
    defaultValues: EMPTY_SEARCH,
    mode: 'onTouched',
  });
  const { isValid } = form.formState;
  const [lastSearch, setLastSearch] = useState<PatientSearch | null>(null);
  const [isConfirming, setIsConfirming] = useState(false);
  const results = useRef<HTMLDivElement>(null);
  const choice = usePatientChoice(fromSearch, (row) => {
    // `onClose` comes first, so that the page can open its next dialog on the choice.
    onClose();
    onSelect(row);
  });

  const filters = useMemo(
    () => lastSearch && buildSearchQuery(lastSearch, fromSearch),
    [lastSearch, fromSearch],
  );
  const grid = useGrid<PatientRow>({
    name: 'patient-search',
    path: PATIENT_LIST_PATH,
    filters,
    defaultSort: [{ column: 'lastName', descending: false }],
    getRowId: (row) => row.id,
  });

  const { setFocus } = form;
  useEffect(() => {
    const timer = setTimeout(() => {
      if (!isUserActive()) setFocus('lastName');
    }, limits.PATIENT_SEARCH_FOCUS_MS);
    return () => clearTimeout(timer);
  }, [setFocus]);

  const search = form.handleSubmit((values) => {
    // Searching again with the same values reloads the results.
    if (JSON.stringify(values) === JSON.stringify(lastSearch)) grid.refresh();
    else setLastSearch(values);
  });

  const onKeyDown = (event: React.KeyboardEvent) => {
    // A disabled Search button prevents submitting by Enter, but the messages should appear.
    if (event.key === 'Enter' && !isValid) void form.trigger(undefined, { shouldFocus: true });
    if (event.key === 'ArrowDown') {
      event.preventDefault();
      results.current?.querySelector<HTMLElement>('[role="gridcell"]')?.focus();
    }
  };

  const startNewPatient = () => {
    const values = form.getValues();
    const prefill = {
      ...values,
      birthDate: validateBirthDate(values.birthDate) === null ? values.birthDate : '',
    };
    onClose();
    if (props.onNewPatient) props.onNewPatient(prefill);
    else openNewPatient(prefill);
  };

  const extra = (
    <div className={styles['extra']}>
      <Button
        onClick={() => {
          // Move the focus before the reset: after it, the form knows no input until it renders.
          setFocus('lastName');
          cancelAfterClick();
          form.reset(EMPTY_SEARCH);
          setLastSearch(null);
          grid.clearFilterRow('now');
        }}
      >
        Clear
      </Button>
      <RecentPatients patients={choice.recents} onChoose={choice.choose} />
      {canRegister ? (
        <>
          <Button
            icon={<NewPersonIcon />}
            disabled={grid.status !== 'ready'}
            onClick={() => (isDirty ? setIsConfirming(true) : startNewPatient())}
          >
            New Patient
          </Button>
          <span className={styles['hint']}>{messages.SEARCH_BEFORE_NEW_PATIENT}</span>
        </>
      ) : null}
    </div>
  );

  if (choice.patientToPlace !== null) {
    return (
      <UpdatePatientDialog
        patientId={choice.patientToPlace.row.id}
        reason={choice.patientToPlace.reason}
        onClose={choice.onPlaceCanceled}
        onSaved={choice.onPlaced}
      />
    );
  }

  return (
    <FormDialog
      isOpen
      title="Search Patient"
      width={limits.DIALOG_SEARCH_PATIENT_WIDTH_PX}
      height={HEIGHT}
      onClose={onClose}
      onSubmit={() => void search()}
      submitLabel="Search"
      submitDisabled={!isValid && !fromSearch}
      busy={grid.isFetching || choice.isChecking}
      extra={extra}
    >
      {current ? (
        <CurrentPatient
          patient={current.patient}
          onEdit={
            canRegister
              ? () => {
                  onClose();
                  current.onEdit();
                }
              : undefined
          }
        />
      ) : null}
      <div className={styles['fields']}>
        <Bound control={form.control} name="lastName">
          {(field) => (
            <TextField
              {...field}
              label="Last Name"
              upper
              required={!fromSearch}
              onKeyDown={onKeyDown}
            />
          )}
        </Bound>
        <Bound control={form.control} name="firstName">
          {(field) => (
            <TextField
              {...field}
              label="First Name"
              upper
              required={!fromSearch}
              onKeyDown={onKeyDown}
            />
          )}
        </Bound>
        <Bound control={form.control} name="birthDate">
          {(field) => (
            <DateField
              {...field}
              label="DOB"
              min={limits.EARLIEST_BIRTH_DATE}
              max={getToday()}
              onKeyDown={onKeyDown}
            />
          )}
        </Bound>
        <Bound control={form.control} name="ssn">
          {(field) => <MaskedField {...field} label="SSN" mask={masks.ssn} onKeyDown={onKeyDown} />}
        </Bound>
      </div>
      <div className={styles['results']} ref={results}>
        <DataGrid
          label="Patients"
          grid={grid}
          columns={columns}
          onOpen={choice.choose}
          idleText="Search to see patients"
          emptyText="No patients match this search"
        />
      </div>
      <ConfirmDialog
        isOpen={isConfirming}
        title={messages.LOSE_CHANGES_TITLE}
        message={messages.LOSE_CHANGES}
        intent="danger"
        onClose={() => setIsConfirming(false)}
        onConfirm={startNewPatient}
      />
    </FormDialog>
  );
}
