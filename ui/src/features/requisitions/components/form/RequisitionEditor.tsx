import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useWatch } from 'react-hook-form';

import { usePermissions } from '../../../../api';
import { PatientBanner } from '../../../../components/records/PatientBanner';
import { focusTitle } from '../../../../components/lostFocus';
import { PageToolbar } from '../../../../components/PageToolbar';
import { RequisitionStatusTag } from '../../../../components/StatusTag';
import { hasPendingText } from '../../../../components/forms/pendingText';
import { useRecordForm } from '../../../../components/forms/useRecordForm';
import { toasts } from '../../../../components/toasts';
import { useRouteParameters } from '../../../../components/routeParameters';
import { useScreen } from '../../../../components/useMedia';
import { useOpenPath } from '../../../../components/useOpenPath';
import { buildMatrix } from '../../../../lib/matrix';
import { formatRoomAndBed } from '../../../../lib/place';
import { paths } from '../../../../lib/paths';
import { limits, messages } from '../../../../contract';
import { useNewPatient } from '../../../patients/newPatient';
import { REQUISITION_FORMS, useReports } from '../../../reports/useReports';
import {
  loadRequisition,
  refreshPreviousRequisitions,
  refreshRequisition,
  saveRequisition,
  storeRequisition,
  type Requisition,
  type RequisitionPatient,
} from '../../api';
import {
  isEditable,
  describeStateChange,
  buildBlankValues,
  getItemKey,
  fieldOptions,
  getLocks,
  isLocked,
  buildRequisitionSchema,
  toFormValues,
  buildWrite,
} from '../../form';
import type { RequisitionCopy } from '../../copying';
import { refreshDocuments, storeDocument, uploadDocument } from '../../documents';
import { restoreDraft } from '../../patientChange';
import type { PatientReturn } from '../../patientVisit';
import { useAddToRecents } from '../../recents';
import { BillingSection } from '../billing/BillingSection';
import { ClinicalSection } from './ClinicalSection';
import { DraftOffer } from './DraftOffer';
import { ExtrasSection } from './ExtrasSection';
import styles from './form.module.css';
import { buildFormActions, type OpenDialog } from './formActions';
import { FormDialogs } from './FormDialogs';
import { CopyNotice, FormNotice } from './FormNotice';
import { PatientHeader } from './PatientHeader';
import { PreviousRequisition, usePreviousRequisitions } from './PreviousRequisition';
import { RecentRequisitions } from '../search/RecentRequisitions';
import { useDraft } from './useDraft';
import { useFormKey } from '../../../../components/forms/useFormKey';
import { usePatientChange } from './usePatientChange';
import { usePatientVisit } from './usePatientVisit';
import { useSave } from './useSave';
import { useWaitingDocuments } from '../../../../components/documents/useWaitingDocuments';

interface RequisitionEditorProps {
  /** The saved requisition; null for a new one. */
  requisition: Requisition | null;
  /** Preselected in a new form. */
  patient: RequisitionPatient | null;
  /** The earlier requisition that a new form copies. */
  copy?: RequisitionCopy | null;
  /** The patient and the draft on return from the patient's form; otherwise null. */
  patientReturn: PatientReturn | null;
  /** Called when a new requisition was saved; the form continues at its address. */
  onCreated: (requisition: Requisition) => void;
  /** Starts a blank form, for the patient with this id or none. */
  onStartOver: (patientId: number | null) => void;
}

/** The form to create and edit a requisition (O 2.3). */
export function RequisitionEditor(props: RequisitionEditorProps) {
  const { requisition, patientReturn } = props;
  const startsWithSearch = useRouteParameters()['search'] === 'patient' && patientReturn === null;
  const openReport = useReports();
  const queries = useQueryClient();
  // A new form accepts a newly registered patient, even if its address names another one.
  const openNewPatient = useNewPatient(requisition ? undefined : paths.requisitionForm);
  const openPath = useOpenPath();
  const isHandheld = useScreen() !== 'desktop';
  const [defaults] = useState(() => buildBlankValues(props.patient));
  const [open, setOpen] = useState<OpenDialog>(null);
  const { may, judge } = usePermissions();
  const canOrder = may('createRequisition');
  const sendPermission = requisition
    ? judge('sendRequisition', requisition, { number: requisition.code.slice(1) })
    : undefined;
  const labelPermission = requisition
    ? judge('labelRequisition', requisition, { number: requisition.code.slice(1) })
    : undefined;
  const locks = getLocks(requisition, canOrder);
  const { status, isReadOnly, isSigned: signed, isRecordLocked } = locks;

  const store = (savedRequisition: Requisition) => storeRequisition(queries, savedRequisition);
  const draft = useDraft(requisition, !isRecordLocked, patientReturn?.draft?.id ?? null);
  const documents = useWaitingDocuments({
    recordId: requisition?.id ?? null,
    upload: uploadDocument,
    onAdded: (id, document) => storeDocument(queries, id, document),
    onUploaded: (id) => refreshDocuments(queries, id),
  });
  const schema = useMemo(() => buildRequisitionSchema(requisition), [requisition]);
  const record = useRecordForm({
    schema,
    defaults,
    record: requisition ?? undefined,
    toValues: toFormValues,
    save: async (values, context, before) => {
      const body = buildWrite(values, before ?? null);
      const savedRequisition = await saveRequisition(before?.id ?? null, body, draft.id, context);
      store(savedRequisition);
      return savedRequisition;
    },
    reload: async ({ id }) => {
      const latest = await loadRequisition(id);
      store(latest);
      return latest;
    },
    ...fieldOptions,
    isEditable,
    getItemKey,
    describeState: describeStateChange,
    onDraft: draft.save,
    onDraftObsolete: draft.remove,
    onSaved: () => {
      toasts.success(messages.REQUISITION_SAVED);
      // This person has chosen to continue without the offered draft.
      draft.ignoreOffers();
      refreshPreviousRequisitions(queries);
    },
    onCreated: (newRequisition) => {
      props.onCreated(newRequisition);
      documents.uploadTo(newRequisition.id);
    },
    hasUnsent: documents.hasRows,
  });
  const { form, restore } = record;
  const patientChange = usePatientChange({
    form,
    requisition,
    copy: props.copy ?? null,
    documents,
  });
  const { isChoosing } = patientChange;
  const isBusy = record.isSaving || isChoosing;
  const isUnsaved = record.isDirty || documents.rows.length > 0;
  const patient = useWatch({ control: form.control, name: 'patient' });
  const previous = usePreviousRequisitions(patient?.id ?? null, requisition?.id ?? null);
  useAddToRecents(requisition);
  const { copy } = props;
  useEffect(() => {
    // A copy counts as unsaved at once, and becomes a draft with its first change.
    if (copy) restore(copy.values);
  }, [copy, restore]);

  const openPatient = usePatientVisit({
    record,
    locks,
    draftId: draft.id,
    addressedPatient: props.patient,
    patientReturn,
  });
  const editPatient = (patientId: number) => {
    if (!isBusy) void openPatient(patientId);
  };

  /** Continues the offered draft in this form. */
  const continueDraft = async (): Promise<void> => {
    if (draft.offered === null) return;
    const { values, version, base } = draft.offered.draft;
    const restoredDraft = restoreDraft(values, form.getValues(), props.patient);
    const patientSwitch = {
      previous: values.patient,
      chosenPatient: restoredDraft.values.patient,
      entries: restoredDraft.entries,
    };
    const answer = await patientChange.askAboutEntries(patientSwitch);
    if (answer === 'cancel') return;
    draft.restore();
    if (restoredDraft.notice !== null) toasts.info(restoredDraft.notice, limits.UNDO_MS);
    if (requisition === null) restore(restoredDraft.values);
    else record.restoreEdits(restoredDraft.values, { version, base });
    if (answer === 'clear') patientChange.clear(patientSwitch);
    focusTitle(); // the focused offer disappears
  };

  const { save, confirmSign, questions } = useSave({ record, schema });

  /** Runs an action on the saved requisition, after saving unsaved edits. */
  const saveAndRun = async (action: () => void): Promise<void> => {
    if (isChoosing || (await hasPendingText()) || !(await record.finishSave())) return;
    if (record.isDirtyNow()) {
      // Edits that cannot be saved must not appear in a signed or printed form.
      if (isRecordLocked && requisition !== null) record.adopt(requisition);
      else if ((await save()) === null) return;
    }
    action();
  };
  const saveAndOpen = (dialog: OpenDialog) =>
    void saveAndRun(() => {
      setOpen(dialog === 'sign' ? null : dialog);
      if (dialog !== 'sign') return;
      void confirmSign(form.getValues(), locks).then(
        (isConfirmed) => isConfirmed && setOpen(dialog),
      );
    });

  const print = () =>
    void saveAndRun(() => {
      if (requisition) void openReport(REQUISITION_FORMS, [requisition.id]);
    });

  const startOver = (patientId: number | null) => {
    draft.remove();
    documents.clear();
    record.clear();
    props.onStartOver(patientId);
  };

  const startOverFor = (samePatient: boolean) =>
    startOver(samePatient && requisition ? requisition.patientId : null);

  const onSave = () => {
    void save().then((savedRequisition) => {
      if (savedRequisition !== null && requisition === null) setOpen('done');
    });
  };
  const handleSaveKey = () => {
    if (isRecordLocked || isChoosing) return;
    if (!record.isSaving) onSave();
    // Edits typed during a save are saved after it. A new requisition first gets its own address.
    else if (requisition !== null) void saveAndRun(() => undefined);
  };
  useFormKey('mod+s', 'Save', handleSaveKey);
  useFormKey('mod+enter', 'Save', handleSaveKey);

  const reload = () => {
    if (requisition !== null) refreshRequisition(queries, requisition.id);
  };

  const actions = buildFormActions({
    requisition,
    canOrder,
    sendPermission,
    labelPermission,
    isSaving: isBusy,
    open: setOpen,
    onSave,
    saveAndOpen,
    onPrint: print,
    onCancel: () => setOpen(isUnsaved ? 'discard' : 'cancel'),
    onCopy: () => {
      if (requisition)
        void openPath(buildMatrix(paths.requisitionForm, { copyOf: requisition.id }));
    },
    previous: {
      isInMenu: isHandheld,
      // The dialog shows why the list could not be loaded.
      isEnabled: previous.rows.length > 0 || previous.loadState.error !== null,
      reason: previous.reason,
    },
    onClear: () => (isUnsaved ? setOpen('clear') : startOver(null)),
  });

  return (
    <>
      <PageToolbar
        sticky
        title={requisition ? `Edit Requisition: ${requisition.code}` : 'New Requisition'}
        badge={requisition ? <RequisitionStatusTag status={status} /> : null}
        actions={actions}
        note={draft.isNotStored ? messages.DRAFT_NOT_KEPT : null}
        patient={
          patient === null ? undefined : (
            <PatientBanner
              patient={patient}
              facts={[
                ['Patient Id', patient.code],
                ['Client', patient.client?.name],
                ['Unit', patient.unit?.name],
                ['Room', formatRoomAndBed(patient.room?.name, patient.bed)],
              ]}
            />
          )
        }
      >
        <RecentRequisitions />
        {isHandheld ? null : <PreviousRequisition previous={previous} />}
      </PageToolbar>
      {record.notices}
      {questions}
      {patientChange.question}
      {draft.offered && !copy && !isRecordLocked && !record.isDirty ? (
        <DraftOffer
          offer={draft.offered}
          onRestore={() => void continueDraft()}
          onDiscard={() => {
            draft.discard();
            focusTitle();
          }}
        />
      ) : null}
      <form
        className={styles['form']}
        noValidate
        aria-label="Requisition"
        onSubmit={(event) => event.preventDefault()}
      >
        {copy && requisition === null ? <CopyNotice copy={copy} /> : null}
        <FormNotice requisition={requisition} isReadOnly={isReadOnly} isSigned={signed} />
        <div className={styles['wide']}>
          <PatientHeader
            form={form}
            locks={locks}
            isNew={requisition === null}
            isChoosing={isChoosing}
            onSelectPatient={(id) => void patientChange.select(id)}
            isDirty={record.isDirty}
            startsWithSearch={startsWithSearch}
            onEditPatient={(patientId) => {
              if (documents.hasRows()) setOpen('visit');
              else editPatient(patientId);
            }}
            onNewPatient={(prefill) => {
              // The portal stores the draft and offers it when the user returns.
              record.allowNavigation();
              openNewPatient(prefill);
            }}
          />
        </div>
        <ClinicalSection form={form} locks={locks} />
        <BillingSection
          form={form}
          requisition={requisition}
          disabled={isLocked('billing', locks)}
        />
        <ExtrasSection
          form={form}
          requisition={requisition}
          locks={locks}
          documents={documents}
          sendPermission={sendPermission}
          onSignature={() => setOpen('signature')}
          onSend={saveAndOpen}
        />
      </form>
      <FormDialogs
        open={open}
        setOpen={setOpen}
        saveAndOpen={saveAndOpen}
        requisition={requisition}
        onSignature={() => {
          setOpen(null);
          reload();
        }}
        onStale={reload}
        onCanceled={(canceledRequisition) => {
          record.adopt(canceledRequisition);
          draft.remove();
          documents.clear();
          store(canceledRequisition);
        }}
        onPrint={print}
        previous={previous}
        onVisit={() => {
          setOpen(null);
          documents.clear();
          if (patient !== null) editPatient(patient.id);
        }}
        onStartOver={startOverFor}
        onNew={(samePatient) => {
          if (record.isDirtyNow() || documents.hasRows()) setOpen(samePatient ? 'newSame' : 'new');
          else startOverFor(samePatient);
        }}
      />
    </>
  );
}
