import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useWatch } from 'react-hook-form';

import { usePermissions } from '../../../../api';
import { focusTitle, PageToolbar } from '../../../../components/PageToolbar';
import { RequisitionStatusTag } from '../../../../components/StatusTag';
import { refusesUnentered } from '../../../../components/forms/unentered';
import { useRecordForm } from '../../../../components/forms/useRecordForm';
import { toasts } from '../../../../components/toasts';
import { useScreen } from '../../../../components/useMedia';
import { useOpenPath } from '../../../../components/useOpenPath';
import { buildMatrix } from '../../../../lib/matrix';
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
  accepts,
  becameOf,
  blankRequisition,
  entryKey,
  fieldOptions,
  gatesOf,
  isLocked,
  requisitionSchema,
  valuesOf,
  writeOf,
} from '../../form';
import type { Copied } from '../../copying';
import { putBack } from '../../patientChange';
import { useKeepRecent } from '../../recents';
import { BillingSection } from '../billing/BillingSection';
import { ClinicalSection } from './ClinicalSection';
import { DraftOffer } from './DraftOffer';
import { ExtrasSection } from './ExtrasSection';
import styles from './form.module.css';
import { formActions, type Open } from './formActions';
import { FormDialogs } from './FormDialogs';
import { CopyNotice, FormNotice } from './FormNotice';
import { PatientHeader } from './PatientHeader';
import { PreviousRequisition, usePrevious } from './PreviousRequisition';
import { RecentRequisitions } from '../search/RecentRequisitions';
import { useDraft } from './useDraft';
import { useFormKey } from './useFormKey';

interface RequisitionEditorProps {
  /** The requisition as the portal has it; null for a new one. */
  requisition: Requisition | null;
  /** Preselected in a new form. */
  patient: RequisitionPatient | null;
  /** A new form begins as a copy of an earlier requisition. */
  copied?: Copied | null;
  /** A new requisition was saved for the first time: it goes on at its own address. */
  onCreated: (requisition: Requisition) => void;
  /** A blank form, for the patient of this id or none. */
  onStartOver: (patientId: number | null) => void;
}

/** Requisition create and edit (O 2.3). */
export function RequisitionEditor(props: RequisitionEditorProps) {
  const { requisition } = props;
  const openReport = useReports();
  const queries = useQueryClient();
  // A new form takes whoever is registered, whatever its address began it with.
  const openNewPatient = useNewPatient(requisition ? undefined : paths.requisitionForm);
  const openPath = useOpenPath();
  const handheld = useScreen() !== 'desktop';
  const [defaults] = useState(() => blankRequisition(props.patient));
  const [open, setOpen] = useState<Open>(null);
  const [choosing, setChoosing] = useState(false);
  const { may, judge } = usePermissions();
  const mayOrder = may('createRequisition');
  const maySend = requisition !== null && judge('sendRequisition', requisition).allowed;
  const gates = gatesOf(requisition, mayOrder);
  const { status, readOnly, signed, locked } = gates;

  const keep = (saved: Requisition) => storeRequisition(queries, saved);
  const draft = useDraft(requisition?.id ?? null, mayOrder);
  const record = useRecordForm({
    schema: requisitionSchema,
    defaults,
    record: requisition ?? undefined,
    toValues: valuesOf,
    save: async (values, context, before) => {
      const body = writeOf(values, before ?? null);
      const saved = await saveRequisition(before?.id ?? null, body, draft.id, context);
      keep(saved);
      return saved;
    },
    reload: async ({ id }) => {
      const latest = await loadRequisition(id);
      keep(latest);
      return latest;
    },
    ...fieldOptions,
    editable: accepts,
    entryKey,
    describeState: becameOf,
    onDraft: draft.keep,
    onDraftObsolete: draft.drop,
    onSaved: () => {
      toasts.success(messages.REQUISITION_SAVED);
      refreshPreviousRequisitions(queries);
    },
    onCreated: props.onCreated,
  });
  const { form, restore } = record;
  const busy = record.saving || choosing;
  const patient = useWatch({ control: form.control, name: 'patient' });
  const previous = usePrevious(patient?.id ?? null, requisition?.id ?? null);
  useKeepRecent(requisition);
  const { copied } = props;
  useEffect(() => {
    // Unsaved work from the first moment: guarded, and a draft once something is changed.
    if (copied) restore(copied.values);
  }, [copied, restore]);

  /** Saves; the two sentences about a missing patient or test are toasts (O 5). */
  const save = async (): Promise<Requisition | null> => {
    if (await refusesUnentered()) return null;
    const values = form.getValues();
    if (values.patient === null) toasts.error(messages.REQUISITION_PATIENT_REQUIRED);
    if (values.tests.length === 0) toasts.error(messages.REQUISITION_TEST_REQUIRED);
    return record.submit();
  };

  /** An action on the saved requisition: unsaved edits are saved first. */
  const onSaved = async (act: () => void): Promise<void> => {
    if (choosing || (await refusesUnentered()) || !(await record.finishSave())) return;
    if (record.isDirtyNow()) {
      // What can not be saved is not shown to whoever signs or prints either.
      if (locked && requisition !== null) record.adopt(requisition);
      else if ((await save()) === null) return;
    }
    act();
  };
  const openOnSaved = (what: Open) => void onSaved(() => setOpen(what));

  const print = () =>
    void onSaved(() => {
      if (requisition) void openReport(REQUISITION_FORMS, [requisition.id]);
    });

  const startOver = (patientId: number | null) => {
    draft.drop();
    record.clear();
    props.onStartOver(patientId);
  };

  const startOverFor = (samePatient: boolean) =>
    startOver(samePatient && requisition ? requisition.patientId : null);

  const onSave = () => {
    void save().then((saved) => {
      if (saved !== null && requisition === null) setOpen('done');
    });
  };
  const saveByKey = () => {
    if (locked || choosing) return;
    if (!record.saving) onSave();
    // What was typed since is saved after it; a new one first goes on to its own address.
    else if (requisition !== null) void onSaved(() => undefined);
  };
  useFormKey('mod+s', 'Save', saveByKey);
  useFormKey('mod+enter', 'Save', saveByKey);

  const readAgain = () => {
    if (requisition !== null) refreshRequisition(queries, requisition.id);
  };

  const actions = formActions({
    requisition,
    mayOrder,
    maySend,
    saving: busy,
    open: setOpen,
    onSave,
    openOnSaved,
    onPrint: print,
    onCancel: () => setOpen(record.isDirty ? 'discard' : 'cancel'),
    onCopy: () => {
      if (requisition)
        void openPath(buildMatrix(paths.requisitionForm, { copyOf: requisition.id }));
    },
    previous: { offered: handheld, some: previous.rows.length > 0 },
    onClear: () => (record.isDirty ? setOpen('clear') : startOver(null)),
  });

  return (
    <>
      <PageToolbar
        title={requisition ? `Edit Requisition: ${requisition.code}` : 'New Requisition'}
        badge={requisition ? <RequisitionStatusTag status={status} /> : null}
        actions={actions}
      >
        <RecentRequisitions />
        {handheld ? null : <PreviousRequisition previous={previous} />}
      </PageToolbar>
      {record.notices}
      <form
        className={styles['form']}
        noValidate
        aria-label="Requisition"
        onSubmit={(event) => event.preventDefault()}
      >
        {copied && requisition === null ? <CopyNotice copied={copied} /> : null}
        <FormNotice requisition={requisition} readOnly={readOnly} signed={signed} />
        {draft.offered && !copied && !locked && !record.isDirty ? (
          <DraftOffer
            draft={draft.offered}
            onRestore={() => {
              const { values, version, base } = draft.restore();
              const found = putBack(values, form.getValues(), props.patient);
              if (found.notice !== null) toasts.info(found.notice, limits.UNDO_MS);
              if (requisition === null) restore(found.values);
              else record.resume(found.values, { version, base });
              focusTitle(); // the offer that had the focus goes
            }}
            onDiscard={() => {
              draft.discard();
              focusTitle();
            }}
          />
        ) : null}
        <div className={styles['wide']}>
          <PatientHeader
            form={form}
            gates={gates}
            isNew={requisition === null}
            copied={copied ?? null}
            choosing={choosing}
            onChoosing={setChoosing}
            isDirty={record.isDirty}
            onNewPatient={(prefill) => {
              // The draft stays with the portal and is offered when the person comes back.
              record.allowNavigation();
              openNewPatient(prefill);
            }}
          />
        </div>
        <ClinicalSection form={form} gates={gates} />
        <BillingSection
          form={form}
          requisition={requisition}
          disabled={isLocked('billing', gates)}
        />
        <ExtrasSection
          form={form}
          requisition={requisition}
          gates={gates}
          maySend={maySend}
          onSignature={() => setOpen('signature')}
          onSend={openOnSaved}
        />
      </form>
      <FormDialogs
        open={open}
        setOpen={setOpen}
        openOnSaved={openOnSaved}
        requisition={requisition}
        onSignature={() => {
          setOpen(null);
          readAgain();
        }}
        onStale={readAgain}
        onCanceled={(canceled) => {
          record.adopt(canceled);
          draft.drop();
          keep(canceled);
        }}
        onPrint={print}
        previous={previous}
        onStartOver={startOverFor}
        onNew={(same) => {
          if (record.isDirtyNow()) setOpen(same ? 'newSame' : 'new');
          else startOverFor(same);
        }}
      />
    </>
  );
}
