import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { useLocation, useNavigate } from 'react-router';

import { usePermissions, useProfile, type ApiError } from '../../../api';
import { PageToolbar } from '../../../components/PageToolbar';
import { ConfirmDialog } from '../../../components/dialogs/ConfirmDialog';
import { hasPendingText } from '../../../components/forms/pendingText';
import { useFormKey } from '../../../components/forms/useFormKey';
import type { SaveContext } from '../../../components/forms/recordForm';
import { useRecordForm } from '../../../components/forms/useRecordForm';
import { blankLoadState, toLoadState } from '../../../components/records/Loaded';
import { RecordScreen } from '../../../components/records/RecordScreen';
import { NO_RECORD, useIdParameter, useRouteParameters } from '../../../components/routeParameters';
import { toasts } from '../../../components/toasts';
import { useIsFirstPage } from '../../../components/useBack';
import { useOpenPath } from '../../../components/useOpenPath';
import { buildMatrix, isPortalPath, parseMatrix } from '../../../lib/matrix';
import { paths } from '../../../lib/paths';
import { CrossIcon, FloppyDiskIcon, HistoryIcon, UserIcon } from '../../../components/icons';
import { messages, Role } from '../../../contract';
import { useFindZipCode } from '../../addresses/schema';
import { isMissingInformation } from '../../billing/rules';
import { useBilling } from '../../billing/useBilling';
import { UserDialog } from '../../users/components/UserDialog';
import {
  changePatient,
  editedPatientQuery,
  loadForEditing,
  onlyClientQuery,
  refreshPatients,
  registerPatient,
  ssnInUseQuery,
  type EditedPatient,
  type Place,
} from '../api';
import { AddressSection } from '../components/AddressSection';
import { ClientSection } from '../components/ClientSection';
import { ContactSection } from '../components/ContactSection';
import { LookAlikes } from '../components/LookAlikes';
import styles from '../components/patientForm.module.css';
import { PatientTimeline } from '../components/PatientTimeline';
import { PersonSection } from '../components/PersonSection';
import { focusError, findList, RecordTabs } from '../components/RecordTabs';
import { fieldOptions, fields, type PatientField, type PatientValues } from '../fields';
import {
  findFirstEmptyField,
  lists,
  buildPatientSchema,
  toInsuredPerson,
  prefillForm,
  toValues,
  toWrite,
  type PatientList,
} from '../form';

const NEW = 'New Patient';
const EDIT = 'Edit Patient';

/** The patient form (O 2.1): a new patient, or the patient with this id. */
export default function PatientForm() {
  const id = useIdParameter();
  return id === null ? <NewPatient /> : <EditPatient id={id} />;
}

/** A new patient; for users with a single client, that client is preselected. */
function NewPatient() {
  const { role, data } = useProfile();
  const hasSingleClient =
    (role === Role.CLIENT_ADMIN || role === Role.CLIENT_BASIC) && data.clients.length === 1;
  const place = useQuery({
    ...onlyClientQuery,
    enabled: hasSingleClient,
  });
  // If the request fails, the user chooses the client.
  const isWaiting = hasSingleClient && !place.isError;
  return (
    <RecordScreen<Place | null>
      title={NEW}
      loadState={isWaiting ? toLoadState(place) : blankLoadState}
    >
      {(loadedPlace) => <Form title={NEW} place={loadedPlace} />}
    </RecordScreen>
  );
}

function EditPatient({ id }: { id: number }) {
  const isRecord = id !== NO_RECORD;
  const patient = useQuery({ ...editedPatientQuery(id), enabled: isRecord });
  return (
    <RecordScreen title={EDIT} loadState={isRecord ? toLoadState(patient) : null}>
      {(record) => <Form title={EDIT} place={null} record={record} />}
    </RecordScreen>
  );
}

/** Returns where the form leads after saving or canceling. */
function useExit() {
  const navigate = useNavigate();
  const location = useLocation();
  const redirectToPath = useRouteParameters()['redirectToPath'];
  const redirect =
    redirectToPath !== undefined && isPortalPath(redirectToPath) ? redirectToPath : null;
  const hasPreviousPage = !useIsFirstPage();

  // The history entry that was left after saving; it stays on screen for a moment.
  const leftKey = useRef<string | null>(null);

  const leaveAfterSave = (patientId: number) => {
    leftKey.current = location.key;
    if (redirect !== null) {
      const [pathname = '', search = ''] = redirect.split('?');
      const { path, parameters } = parseMatrix(pathname, search);
      const hasNoParameters = Object.keys(parameters).length === 0;
      void navigate(hasNoParameters ? buildMatrix(path, { patientId }) : redirect, {
        replace: true,
      });
    } else if (hasPreviousPage) {
      void navigate(-1);
    } else {
      void navigate(buildMatrix(paths.patientForm, { id: patientId }), { replace: true });
    }
  };
  const leaveAfterCancel = () => {
    if (hasPreviousPage) void navigate(-1);
    else void navigate(redirect ?? '/');
  };
  const isLeaving = () => leftKey.current === location.key;
  return { leaveAfterSave, leaveAfterCancel, isLeaving };
}

/**
 * Whether the number belongs to another patient. Without an answer from the portal, it counts as
 * not in use.
 */
function useSsnInUse(patientRef: RefObject<number | null>): (ssn: string) => Promise<boolean> {
  const queries = useQueryClient();
  return useMemo(
    () => async (ssn: string) => {
      const id = patientRef.current;
      try {
        return await queries.query(ssnInUseQuery(ssn, id));
      } catch {
        return false;
      }
    },
    [queries, patientRef],
  );
}

const explainSave = (error: ApiError): string | null =>
  error.code === 'ssn_in_use' ? messages.SSN_IN_USE : null;

const UNFINISHED_MESSAGES = {
  new: messages.INSURANCE_NOT_ADDED,
  changed: messages.INSURANCE_NOT_SAVED,
} as const;

interface FormProps {
  title: string;
  /** The preselected client and unit of a new patient. */
  place: Place | null;
  record?: EditedPatient;
}

function Form({ title, place, record }: FormProps) {
  const parameters = useRouteParameters();
  const queryClient = useQueryClient();
  const exit = useExit();
  const [defaults] = useState(() => prefillForm(parameters, place));
  // A form that stays open after it has registered a patient changes that patient.
  const id = useRef(record?.id ?? null);
  const ssnInUse = useSsnInUse(id);
  const findZipCode = useFindZipCode();
  const schema = useMemo(() => buildPatientSchema(ssnInUse, findZipCode), [ssnInUse, findZipCode]);
  const billing = useBilling();
  const [tab, setTab] = useState<PatientList>('insuranceInformation');
  const [isConfirming, setIsConfirming] = useState(false);
  const [notice, setNotice] = useState<string | null>(null);
  const [isTimelineOpen, setIsTimelineOpen] = useState(false);
  const [isUserDialogOpen, setIsUserDialogOpen] = useState(false);
  const canCreateUser = usePermissions().may('administerUsers');
  // A new object for each error, so that the effect focuses the error after every attempt.
  const [errorToFocus, setErrorToFocus] = useState<{ list: PatientList } | null>(null);
  useEffect(() => {
    if (errorToFocus) focusError(errorToFocus.list);
  }, [errorToFocus]);
  const openPath = useOpenPath();

  const isLocked = record !== undefined && !record.canChange.allowed;

  const save = async (values: PatientValues, context: SaveContext): Promise<EditedPatient> => {
    const body = toWrite(values);
    const savedPatient =
      id.current === null
        ? await registerPatient(body, context)
        : await changePatient(id.current, body, context);
    id.current = savedPatient.id;
    return { ...savedPatient, clientRow: values.client };
  };

  const { form, submit, isSaving, isDirtyNow, allowNavigation, notices } = useRecordForm<
    PatientValues,
    EditedPatient
  >({
    schema,
    defaults,
    record,
    toValues,
    save,
    reload: (patient) => loadForEditing(patient.id),
    ...fieldOptions,
    explain: explainSave,
    onSaved: (savedPatient) => {
      toasts.success(messages.PATIENT_SAVED);
      billing.reset();
      refreshPatients(queryClient);
      exit.leaveAfterSave(savedPatient.id);
    },
  });

  useEffect(() => {
    form.setFocus(findFirstEmptyField(form.getValues()));
  }, [form]);

  /** Saves, and shows the tab that contains errors. */
  const saveForm = async () => {
    setIsConfirming(false);
    if (await hasPendingText((field) => setTab(findList(field) ?? tab))) return;
    if ((await submit()) !== null) return;
    const invalidList = lists.find((list) => form.getFieldState(list).invalid);
    if (invalidList === undefined) return;
    setTab(invalidList);
    // Errors above the tabs already have the focus.
    const otherFields = Object.keys(fields).filter((name) => !lists.some((list) => list === name));
    if (otherFields.some((name) => form.getFieldState(name as PatientField).invalid)) return;
    setErrorToFocus({ list: invalidList });
  };

  const handleSave = async () => {
    if (isLocked) return;
    if (exit.isLeaving() && !isDirtyNow()) return;
    const values = form.getValues();
    const unfinishedText = billing.findUnfinished(values.insuranceInformation);
    setNotice(unfinishedText === null ? null : UNFINISHED_MESSAGES[unfinishedText]);
    if (unfinishedText !== null) {
      setTab('insuranceInformation');
      toasts.error(UNFINISHED_MESSAGES[unfinishedText]);
      return;
    }
    const patient = toInsuredPerson(values);
    const isMissingInsurance = values.insuranceInformation.some((row) =>
      isMissingInformation(row, patient),
    );
    // Errors of the patient come first; the question concerns only the insurance.
    if (isMissingInsurance && (await form.trigger())) setIsConfirming(true);
    else await saveForm();
  };
  useFormKey('mod+s', 'Save', () => void (isSaving || handleSave()), 'Patient');

  return (
    <>
      <PageToolbar
        title={title}
        sticky
        badge={record ? <span className="quiet">{record.code}</span> : undefined}
        actions={[
          {
            label: 'Save Patient',
            icon: <FloppyDiskIcon />,
            intent: 'primary',
            loading: isSaving,
            disabled: isLocked,
            reason: record?.canChange.reason ?? undefined,
            isAlwaysShown: true,
            onClick: () => void handleSave(),
          },
          ...(record
            ? [
                {
                  label: 'Timeline',
                  icon: <HistoryIcon />,
                  onClick: () => setIsTimelineOpen(true),
                },
                {
                  label: 'Create User',
                  icon: <UserIcon />,
                  hidden: !canCreateUser,
                  onClick: () => setIsUserDialogOpen(true),
                },
              ]
            : []),
          {
            label: 'Cancel',
            icon: <CrossIcon />,
            isAlwaysShown: true,
            onClick: exit.leaveAfterCancel,
          },
        ]}
      />
      <form
        className={styles['form']}
        aria-label={title}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void handleSave();
        }}
      >
        {notices}
        <ClientSection form={form} />
        <PersonSection form={form} />
        <LookAlikes
          form={form}
          patientId={record?.id ?? null}
          onChoose={(patient) => {
            if (record) {
              void openPath(buildMatrix(paths.patientForm, { id: patient.id }));
            } else {
              allowNavigation();
              exit.leaveAfterSave(patient.id);
            }
          }}
        />
        <AddressSection form={form} />
        <ContactSection form={form} />
        <RecordTabs
          form={form}
          billing={billing}
          patientId={record?.id ?? null}
          notice={notice}
          tab={tab}
          onTab={setTab}
        />
      </form>
      {record && isTimelineOpen ? (
        <PatientTimeline
          patientId={record.id}
          name={`${record.lastName}, ${record.firstName}`}
          code={record.code}
          onClose={() => setIsTimelineOpen(false)}
        />
      ) : null}
      {record && isUserDialogOpen ? (
        <UserDialog id={null} patient={record} onClose={() => setIsUserDialogOpen(false)} />
      ) : null}
      <ConfirmDialog
        isOpen={isConfirming}
        title={messages.CONFIRM_MISSING_INSURANCE_TITLE}
        message={messages.CONFIRM_MISSING_INSURANCE}
        confirmLabel="Save"
        onClose={() => setIsConfirming(false)}
        onConfirm={() => void saveForm()}
      />
    </>
  );
}
