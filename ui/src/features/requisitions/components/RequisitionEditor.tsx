import { Callout } from '@blueprintjs/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { useNavigate } from 'react-router';

import { useHasRole } from '../../../api';
import {
  Bound,
  ConfirmDialog,
  PageToolbar,
  Panel,
  RequisitionStatusTag,
  SelectField,
  TextAreaField,
  toasts,
  useRecordForm,
  type PageAction,
} from '../../../components';
import {
  BanCircleIcon,
  CleanIcon,
  DrawIcon,
  FloppyDiskIcon,
  LabelIcon,
  PrintIcon,
  UnlockIcon,
} from '../../../components/icons';
import { messages, RequisitionStatus, RequisitionStatusLabels, Role, say } from '../../../contract';
import { useDevice } from '../../../device';
import { DiagnosisPicker } from '../../catalog/components/DiagnosisPicker';
import { Medications } from '../../catalog/components/Medications';
import { TestPicker } from '../../catalog/components/TestPicker';
import { useNewPatient } from '../../patients/newPatient';
import { PrintLabelDialog } from '../../labels/PrintLabelDialog';
import {
  loadLabels,
  loadRequisition,
  reportDocument,
  requisitionKey,
  saveRequisition,
  type Requisition,
  type RequisitionPatient,
} from '../api';
import {
  billToOptions,
  blankRequisition,
  fieldOf,
  labelOf,
  requisitionSchema,
  valuesOf,
  writeOf,
} from '../form';
import { AdditionalCopies } from './AdditionalCopies';
import { CancelDialog } from './CancelDialog';
import { Documents } from './Documents';
import { DoneDialog } from './DoneDialog';
import { DraftOffer } from './DraftOffer';
import styles from './form.module.css';
import { PatientHeader } from './PatientHeader';
import { SignDialog, UnsignDialog } from './SignDialog';
import { SignatureView } from './SignatureView';
import { useDraft } from './useDraft';

interface RequisitionEditorProps {
  /** The requisition as the portal has it; null for a new one. */
  requisition: Requisition | null;
  /** Preselected in a new form. */
  patient: RequisitionPatient | null;
  /** A new requisition was saved for the first time. */
  onCreated: (requisition: Requisition) => void;
  /** A blank form, for this patient or none. */
  onStartOver: (patient: RequisitionPatient | null) => void;
}

type Open = 'sign' | 'unsign' | 'cancel' | 'labels' | 'done' | 'clear' | null;

const COMMENTS_MAX = 100_000;

/** Requisition create and edit (O 2.3). */
export function RequisitionEditor(props: RequisitionEditorProps) {
  const { requisition } = props;
  const device = useDevice();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const openNewPatient = useNewPatient();
  const [defaults] = useState(() => blankRequisition(props.patient));
  const [open, setOpen] = useState<Open>(null);
  const mayOrder = useHasRole(
    Role.SUPERUSER,
    Role.LABORATORY,
    Role.CLIENT_ADMIN,
    Role.CLIENT_BASIC,
  );

  const keep = (saved: Requisition) => queries.setQueryData(requisitionKey(saved.id), saved);
  const draft = useDraft(requisition?.id ?? null);
  const record = useRecordForm({
    schema: requisitionSchema,
    defaults,
    record: requisition ?? undefined,
    toValues: valuesOf,
    save: (values, context) =>
      saveRequisition(requisition?.id ?? null, writeOf(values, requisition), context),
    reload: requisition ? () => loadRequisition(requisition.id) : undefined,
    fieldOf,
    labelOf,
    onDraft: draft.keep,
    onSettled: draft.drop,
    onSaved: (saved) => {
      keep(saved);
      toasts.success(messages.REQUISITION_SAVED);
      if (requisition === null) props.onCreated(saved);
    },
  });
  const { form } = record;
  const collectionDate = useWatch({ control: form.control, name: 'collectionDate' });
  const patient = useWatch({ control: form.control, name: 'patient' });

  const status = requisition?.status ?? RequisitionStatus.PENDING;
  const canceled = status === RequisitionStatus.CANCELED;
  const readOnly = canceled || status === RequisitionStatus.DONE;
  const signed = requisition?.hasSignature ?? false;
  const locked = !mayOrder || readOnly;
  // What the signature stands for is changed only after Unsign (DECISIONS).
  const contentLocked = locked || signed;

  /** Saves; the two sentences about a missing patient or test are toasts (O 5). */
  const save = async (): Promise<Requisition | null> => {
    const values = form.getValues();
    if (values.patient === null) toasts.error(messages.REQUISITION_PATIENT_REQUIRED);
    if (values.tests.length === 0) toasts.error(messages.REQUISITION_TEST_REQUIRED);
    return record.submit();
  };

  /** An action on the saved requisition: unsaved edits are saved first. */
  const onSaved = async (what: Open): Promise<void> => {
    if (record.isDirty && !locked && (await save()) === null) return;
    setOpen(what);
  };

  const print = () => {
    if (requisition) device.openDocument(reportDocument([requisition.id])).catch(toasts.failure);
  };
  const refetch = () => {
    setOpen(null);
    if (requisition) void queries.invalidateQueries({ queryKey: requisitionKey(requisition.id) });
  };

  const startOver = (samePatient: RequisitionPatient | null) => {
    draft.drop();
    record.clear();
    props.onStartOver(samePatient);
  };

  const exists = requisition !== null;
  const actions: PageAction[] = [];
  if (mayOrder) {
    actions.push({
      label: 'Save',
      icon: <FloppyDiskIcon />,
      intent: 'primary',
      always: true,
      disabled: readOnly,
      loading: record.saving,
      onClick: () => {
        void save().then((saved) => {
          if (saved !== null && !exists) setOpen('done');
        });
      },
    });
  }
  actions.push(
    signed
      ? {
          label: 'Unsign',
          icon: <UnlockIcon />,
          disabled: canceled || requisition?.signedByMe !== true,
          onClick: () => setOpen('unsign'),
        }
      : {
          label: 'Sign',
          icon: <DrawIcon />,
          disabled: !exists || canceled,
          onClick: () => void onSaved('sign'),
        },
    { label: 'Labels', icon: <LabelIcon />, disabled: !exists, onClick: () => setOpen('labels') },
    { label: 'Print', icon: <PrintIcon />, disabled: !exists, onClick: print },
  );
  if (mayOrder) {
    actions.push(
      {
        label: 'Cancel Requisition',
        icon: <BanCircleIcon />,
        disabled: !exists || readOnly,
        onClick: () => setOpen('cancel'),
      },
      {
        label: 'Clear',
        icon: <CleanIcon />,
        onClick: () => (record.isDirty ? setOpen('clear') : startOver(null)),
      },
    );
  }

  const close = () => setOpen(null);
  return (
    <>
      <PageToolbar
        title={requisition ? `Edit Requisition: ${requisition.code}` : 'New Requisition'}
        badge={requisition ? <RequisitionStatusTag status={status} /> : null}
        actions={actions}
      />
      {record.notices}
      <form
        className={styles['form']}
        noValidate
        aria-label="Requisition"
        onSubmit={(event) => event.preventDefault()}
      >
        <Notices requisition={requisition} readOnly={readOnly} signed={signed} />
        {draft.offered && mayOrder && !readOnly && !record.isDirty ? (
          <DraftOffer
            draft={draft.offered}
            onRestore={() => {
              const { values, version } = draft.restore();
              // Somebody registered meanwhile is not taken out again.
              const chosen = values.patient ?? form.getValues('patient');
              record.restore({ ...values, patient: chosen }, version);
            }}
            onDiscard={draft.discard}
          />
        ) : null}
        <div className={styles['wide']}>
          <PatientHeader
            form={form}
            disabled={contentLocked}
            isNew={requisition === null}
            isDirty={record.isDirty}
            onNewPatient={(prefill) => {
              // The draft stays with the portal and is offered when the person comes back.
              record.letGo();
              openNewPatient(prefill);
            }}
          />
        </div>
        <div className={styles['column']}>
          <Panel title="Tests">
            <Bound control={form.control} name="tests">
              {(field) => (
                <TestPicker
                  value={field.value}
                  onChange={field.onChange}
                  error={field.error}
                  clientId={patient?.client?.id ?? null}
                  disabled={contentLocked}
                />
              )}
            </Bound>
          </Panel>
          <Panel title="Requisition Comments">
            <Bound control={form.control} name="comments">
              {({ inputRef, ...field }) => (
                <TextAreaField
                  {...field}
                  label="Comments"
                  hideLabel
                  maxLength={COMMENTS_MAX}
                  disabled={locked}
                />
              )}
            </Bound>
          </Panel>
        </div>
        <div className={styles['column']}>
          <Panel title="Diagnoses">
            <Bound control={form.control} name="diagnoses">
              {(field) => (
                <DiagnosisPicker
                  label="Diagnoses"
                  value={field.value}
                  onChange={field.onChange}
                  error={field.error}
                  date={collectionDate.length === 10 ? collectionDate : null}
                  disabled={contentLocked}
                />
              )}
            </Bound>
          </Panel>
          <Panel title="Additional Test Dx Codes">
            <Bound control={form.control} name="additional">
              {(field) => (
                <DiagnosisPicker
                  label="Additional Test Dx Codes"
                  value={field.value}
                  onChange={field.onChange}
                  error={field.error}
                  date={collectionDate.length === 10 ? collectionDate : null}
                  disabled={locked}
                />
              )}
            </Bound>
          </Panel>
          <Panel title="Medications">
            <Bound control={form.control} name="medications">
              {(field) => (
                <Medications
                  value={field.value}
                  onChange={field.onChange}
                  disabled={contentLocked}
                />
              )}
            </Bound>
          </Panel>
          <Panel title="Bill To">
            <Bound control={form.control} name="billTo">
              {(field) => (
                <SelectField
                  {...field}
                  label="Bill To"
                  hideLabel
                  disabled={locked}
                  options={billToOptions}
                />
              )}
            </Bound>
          </Panel>
          <Panel title="Additional Copies">
            <Bound control={form.control} name="additionalCopies">
              {(field) => (
                <AdditionalCopies
                  value={field.value}
                  onChange={field.onChange}
                  error={field.error}
                  disabled={locked}
                />
              )}
            </Bound>
          </Panel>
          {requisition ? (
            <Panel title="Documents">
              <Documents requisitionId={requisition.id} readOnly={locked} />
            </Panel>
          ) : null}
          {requisition?.hasSignature ? (
            <Panel title="Signature">
              <SignatureView key={requisition.version} requisitionId={requisition.id} />
            </Panel>
          ) : null}
        </div>
      </form>
      {open === 'clear' ? (
        <ConfirmDialog
          isOpen
          title="Clear"
          message={messages.UNSAVED_CHANGES}
          confirmLabel="Continue"
          intent="danger"
          onConfirm={() => startOver(null)}
          onClose={close}
        />
      ) : null}
      {requisition && open === 'sign' ? (
        <SignDialog targets={[requisition]} onClose={close} onSigned={refetch} />
      ) : null}
      {requisition && open === 'unsign' ? (
        <UnsignDialog target={requisition} onClose={close} onUnsigned={refetch} />
      ) : null}
      {requisition && open === 'cancel' ? (
        <CancelDialog
          requisition={requisition}
          onClose={close}
          onCanceled={(saved) => {
            close();
            record.adopt(saved);
            keep(saved);
          }}
        />
      ) : null}
      {requisition && open === 'labels' ? (
        <PrintLabelDialog
          queryKey={requisitionKey(requisition.id)}
          load={(signal) => loadLabels(requisition.id, signal)}
          onClose={close}
        />
      ) : null}
      {requisition && open === 'done' ? (
        <DoneDialog
          requisition={requisition}
          onClose={close}
          onSign={() => setOpen('sign')}
          onLabels={() => setOpen('labels')}
          onPrint={print}
          onSearch={() => void navigate('/secured/requisitions/search')}
          onNew={(same) => startOver(same ? requisition.patient : null)}
        />
      ) : null}
    </>
  );
}

interface NoticesProps {
  requisition: Requisition | null;
  readOnly: boolean;
  signed: boolean;
}

/** Why parts of the form can not be changed. */
function Notices({ requisition, readOnly, signed }: NoticesProps) {
  if (requisition === null || (!readOnly && !signed)) return null;
  const { code, status, cancelComment, orderCode } = requisition;
  const text = readOnly
    ? say(messages.REQUISITION_READ_ONLY, { code, status: RequisitionStatusLabels[status] ?? '' })
    : `${say(messages.REQUISITION_SIGNED_CONTENT, { code })} ${messages.REQUISITION_SIGNED_OPEN_PARTS}`;
  return (
    <Callout className={styles['wide']} icon={false} compact>
      {text}
      {cancelComment ? <div>Comment: {cancelComment}</div> : null}
      {orderCode ? <div>Order: {orderCode}</div> : null}
    </Callout>
  );
}
