import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { useLocation, useNavigate } from 'react-router';

import { useProfile, type ApiError } from '../../../api';
import { PageToolbar } from '../../../components/PageToolbar';
import { ConfirmDialog } from '../../../components/dialogs/ConfirmDialog';
import { refusesUnentered } from '../../../components/forms/unentered';
import { useRecordForm, type SaveContext } from '../../../components/forms/useRecordForm';
import { nothingToRead, readingOf } from '../../../components/records/Loaded';
import { RecordScreen } from '../../../components/records/RecordScreen';
import { useIdParameter, useRouteParameters } from '../../../components/routeParameters';
import { toasts } from '../../../components/toasts';
import { useIsFirstPage } from '../../../components/useBack';
import { useOpenPath } from '../../../components/useOpenPath';
import { buildMatrix, isPortalPath, parseMatrix } from '../../../lib/matrix';
import { paths } from '../../../lib/paths';
import { CrossIcon, FloppyDiskIcon, HistoryIcon } from '../../../components/icons';
import { messages, Role } from '../../../contract';
import { useFindPlace } from '../../addresses/schema';
import { isMissingInformation } from '../../billing/rules';
import { useBilling } from '../../billing/useBilling';
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
import { focusRefused, listAround, RecordTabs } from '../components/RecordTabs';
import { fieldOptions, fields, type PatientField, type PatientValues } from '../fields';
import {
  firstToFill,
  lists,
  patientSchema,
  personOf,
  prefilled,
  toValues,
  toWrite,
  type PatientList,
} from '../form';

const NEW = 'New Patient';
const EDIT = 'Edit Patient';

/** The patient form (O 2.1): a new patient, or with an id an existing one. */
export default function PatientForm() {
  const id = useIdParameter();
  return id === null ? <NewPatient /> : <EditPatient id={id} />;
}

/** People of a single client find it chosen already. */
function NewPatient() {
  const { role, data } = useProfile();
  const ofOneClient =
    (role === Role.CLIENT_ADMIN || role === Role.CLIENT_BASIC) && data.clients.length === 1;
  const place = useQuery({
    ...onlyClientQuery,
    enabled: ofOneClient,
  });
  // Without an answer the person chooses.
  const waits = ofOneClient && !place.isError;
  return (
    <RecordScreen<Place | null> title={NEW} reading={waits ? readingOf(place) : nothingToRead}>
      {(found) => <Form title={NEW} place={found} />}
    </RecordScreen>
  );
}

function EditPatient({ id }: { id: number }) {
  const patient = useQuery(editedPatientQuery(id));
  return (
    <RecordScreen title={EDIT} reading={readingOf(patient)}>
      {(record) => <Form title={EDIT} place={null} record={record} />}
    </RecordScreen>
  );
}

/** Where the form leads to when it is done or given up. */
function useExit() {
  const navigate = useNavigate();
  const location = useLocation();
  const wanted = useRouteParameters()['redirectToPath'];
  const redirect = wanted !== undefined && isPortalPath(wanted) ? wanted : null;
  const cameFromHere = !useIsFirstPage();

  // The address that was left after saving; it is on the screen for a moment longer.
  const left = useRef<string | null>(null);

  const saved = (patientId: number) => {
    left.current = location.key;
    if (redirect !== null) {
      const [pathname = '', search = ''] = redirect.split('?');
      const { path, parameters } = parseMatrix(pathname, search);
      const bare = Object.keys(parameters).length === 0;
      void navigate(bare ? buildMatrix(path, { patientId }) : redirect, { replace: true });
    } else if (cameFromHere) {
      void navigate(-1);
    } else {
      void navigate(buildMatrix(paths.patientForm, { id: patientId }), { replace: true });
    }
  };
  const canceled = () => {
    if (cameFromHere) void navigate(-1);
    else void navigate(redirect ?? '/');
  };
  const isLeaving = () => left.current === location.key;
  return { saved, canceled, isLeaving };
}

/** Whether a number is another patient's; what the portal does not say is no reason to refuse. */
function useSsnCheck(patientRef: RefObject<number | null>): (ssn: string) => Promise<boolean> {
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

const UNFINISHED = {
  new: messages.INSURANCE_NOT_ADDED,
  changed: messages.INSURANCE_NOT_SAVED,
} as const;

interface FormProps {
  title: string;
  /** Chosen from the start in a new patient's form. */
  place: Place | null;
  record?: EditedPatient;
}

function Form({ title, place, record }: FormProps) {
  const parameters = useRouteParameters();
  const queryClient = useQueryClient();
  const exit = useExit();
  const [defaults] = useState(() => prefilled(parameters, place));
  // A form that stays open after registering changes that patient from then on.
  const id = useRef(record?.id ?? null);
  const ssnInUse = useSsnCheck(id);
  const findPlace = useFindPlace();
  const schema = useMemo(() => patientSchema(ssnInUse, findPlace), [ssnInUse, findPlace]);
  const billing = useBilling();
  const [tab, setTab] = useState<PatientList>('insuranceInformation');
  const [asking, setAsking] = useState(false);
  const [notice, setNotice] = useState<string | null>(null);
  const [timeline, setTimeline] = useState(false);
  // A refusal is gone to once it is drawn, each time anew.
  const [refusal, setRefusal] = useState<{ list: PatientList } | null>(null);
  useEffect(() => {
    if (refusal) focusRefused(refusal.list);
  }, [refusal]);
  const openPath = useOpenPath();

  const locked = record !== undefined && !record.canChange.allowed;

  const save = async (values: PatientValues, context: SaveContext): Promise<EditedPatient> => {
    const body = toWrite(values);
    const saved =
      id.current === null
        ? await registerPatient(body, context)
        : await changePatient(id.current, body, context);
    id.current = saved.id;
    return { ...saved, clientRow: values.client };
  };

  const { form, submit, saving, isDirtyNow, allowNavigation, notices } = useRecordForm<
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
    onSaved: (saved) => {
      toasts.success(messages.PATIENT_SAVED);
      billing.reset();
      refreshPatients(queryClient);
      exit.saved(saved.id);
    },
  });

  useEffect(() => {
    form.setFocus(firstToFill(form.getValues()));
  }, [form]);

  /** Saves, and shows the tab that holds what was refused. */
  const send = async () => {
    setAsking(false);
    if (await refusesUnentered((field) => setTab(listAround(field) ?? tab))) return;
    if ((await submit()) !== null) return;
    const refused = lists.find((list) => form.getFieldState(list).invalid);
    if (refused === undefined) return;
    setTab(refused);
    // What is wrong above the tabs has the focus already.
    const others = Object.keys(fields).filter((name) => !lists.some((list) => list === name));
    if (others.some((name) => form.getFieldState(name as PatientField).invalid)) return;
    setRefusal({ list: refused });
  };

  const press = async () => {
    if (locked) return;
    if (exit.isLeaving() && !isDirtyNow()) return;
    const values = form.getValues();
    const open = billing.unfinished(values.insuranceInformation);
    setNotice(open === null ? null : UNFINISHED[open]);
    if (open !== null) {
      setTab('insuranceInformation');
      toasts.error(UNFINISHED[open]);
      return;
    }
    const patient = personOf(values);
    const missing = values.insuranceInformation.some((row) => isMissingInformation(row, patient));
    // What is wrong with the patient is said first; the question is about the rest.
    if (missing && (await form.trigger())) setAsking(true);
    else await send();
  };

  return (
    <>
      <PageToolbar
        title={title}
        sticky
        badge={record ? <span className="quiet number">{record.code}</span> : undefined}
        actions={[
          {
            label: 'Save Patient',
            icon: <FloppyDiskIcon />,
            intent: 'primary',
            loading: saving,
            disabled: locked,
            reason: record?.canChange.reason ?? undefined,
            always: true,
            onClick: () => void press(),
          },
          ...(record
            ? [{ label: 'Timeline', icon: <HistoryIcon />, onClick: () => setTimeline(true) }]
            : []),
          { label: 'Cancel', icon: <CrossIcon />, always: true, onClick: exit.canceled },
        ]}
      />
      <form
        className={styles['form']}
        aria-label={title}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void press();
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
              exit.saved(patient.id);
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
      {record && timeline ? (
        <PatientTimeline
          patientId={record.id}
          name={`${record.lastName}, ${record.firstName}`}
          onClose={() => setTimeline(false)}
        />
      ) : null}
      <ConfirmDialog
        isOpen={asking}
        title={messages.CONFIRM_MISSING_INSURANCE_TITLE}
        message={messages.CONFIRM_MISSING_INSURANCE}
        confirmLabel="Save"
        onClose={() => setAsking(false)}
        onConfirm={() => void send()}
      />
    </>
  );
}
