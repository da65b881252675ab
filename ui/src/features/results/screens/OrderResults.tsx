import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ComponentType } from 'react';
import { useNavigate } from 'react-router';

import { useHasRole, usePermissions } from '../../../api';
import { toActionState } from '../../../components/actionState';
import { PageToolbar } from '../../../components/PageToolbar';
import { PatientBanner } from '../../../components/records/PatientBanner';
import { Loaded, toLiveLoadState, toLoadState } from '../../../components/records/Loaded';
import { RecordScreen } from '../../../components/records/RecordScreen';
import { useRecordId } from '../../../components/routeParameters';
import { toasts } from '../../../components/toasts';
import { useOpenPath } from '../../../components/useOpenPath';
import { useRememberedState } from '../../../components/useRememberedState';
import {
  DeleteIcon,
  DrawIcon,
  EditIcon,
  EnvelopeIcon,
  HistoryIcon,
  PhoneForwardIcon,
  PrintIcon,
  TimelineLineChartIcon,
  UnlockIcon,
} from '../../../components/icons';
import { ResultKind, Role } from '../../../contract';
import { useDevice } from '../../../device';
import { formatTimestamp } from '../../../lib/dates';
import { formatDateTime } from '../../../lib/dateTimes';
import { buildMatrix } from '../../../lib/matrix';
import { paths } from '../../../lib/paths';
import {
  CRITICAL_BADGE,
  buildDetailsDocument,
  buildResultsDocument,
  hasCritical,
  orderQuery,
  reloadOrder,
  reloadOrderWithParts,
  type Order,
} from '../../orders/api';
import { PrinterAndLabelDialog } from '../../labels/PrinterAndLabelDialog';
import { AddedTests } from '../../orders/components/AddedTests';
import { CancellationReasons } from '../../orders/components/CancellationReasons';
import { CancelTestsDialog } from '../../orders/components/CancelTestsDialog';
import { OrderDocuments } from '../../orders/components/OrderDocuments';
import { OrderComments, OrderFacts } from '../../orders/components/OrderFacts';
import {
  AlertTag,
  CollectionTag,
  MissingInfoTag,
  OrderStatusTag,
} from '../../orders/components/OrderStatus';
import { useMissingInfo } from '../../orders/components/useMissingInfo';
import { orderSigning } from '../../orders/signing';
import { SignDialog, UnsignDialog } from '../../requisitions/components/signing/SignDialog';
import { nameTarget } from '../../requisitions/signing';
import { OrderSpecimens } from '../../specimens/components/OrderSpecimens';
import { SpecimensDialog } from '../../specimens/components/SpecimensDialog';
import { SendFormsDialog } from '../../transmissions/components/SendFormsDialog';
import { resultsTypesQuery, type ResultsTypes } from '../api';
import { ClinicalResults } from '../clinical/ClinicalResults';
import { MicrobiologyResults } from '../microbiology/MicrobiologyResults';
import { ChangedNotice } from '../components/ChangedNotice';
import { CriticalNotice } from '../components/CriticalNotice';
import { EarlierRecipients } from '../components/EarlierRecipients';
import { FamilyTabs, type FamilyMarks } from '../components/FamilyTabs';
import { NoResults } from '../components/NoResults';
import { chooseFirstFamily, listCriticalKinds, listFamilies } from '../families';
import { SentResults } from '../components/SentResults';
import { ReopenedNotice } from '../components/ReopenedNotice';
import { useAcknowledgeAction } from '../useAcknowledgeAction';
import { useResultChanges } from '../resultChanges';
import { useLiveOrder } from '../useLiveOrder';
import { PathologyResults } from '../pathology/PathologyResults';
import { ToxicologyResults } from '../toxicology/ToxicologyResults';

/** An order with its results (R 2.2). */
export default function OrderResults() {
  const id = useRecordId();
  const order = useQuery({
    ...orderQuery(id ?? 0),
    enabled: id !== null,
  });
  return (
    <RecordScreen title="Order" loadState={id === null ? null : toLiveLoadState(order)}>
      {(loadedOrder) => <LoadedOrder order={loadedOrder} />}
    </RecordScreen>
  );
}

function LoadedOrder({ order }: { order: Order }) {
  const queries = useQueryClient();
  const [dialog, setDialog] = useState<
    'sign' | 'unsign' | 'cancel' | 'specimens' | 'labels' | 'email' | 'fax' | null
  >(null);
  const reload = () => {
    setDialog(null);
    reloadOrder(queries, order.id);
  };
  const reloadAll = () => {
    setDialog(null);
    reloadOrderWithParts(queries, order.id);
  };
  const [selectedKind, setSelectedKind] = useRememberedState<ResultKind | null>(
    'order-family',
    () => null,
  );
  const device = useDevice();
  const openPath = useOpenPath();
  const navigate = useNavigate();
  useLiveOrder(order);
  const resultChanges = useResultChanges(order.id);
  const acknowledgment = useAcknowledgeAction(order, {
    onDone: () => {
      resultChanges.accept();
      reload();
    },
    onStale: reloadAll,
  });
  const { may, judge } = usePermissions();
  const sendState = toActionState(judge('sendOrder', order, { number: order.codeValue.slice(1) }));
  const isLab = useHasRole(Role.LABORATORY, Role.SUPERUSER);
  const missingInfo = useMissingInfo(order.id, { hidden: !order.canComplete.allowed }, reload);
  const specimens = (
    <OrderSpecimens
      orderId={order.id}
      onChange={() => setDialog('specimens')}
      onPrint={() => setDialog('labels')}
    />
  );
  return (
    <>
      <PageToolbar
        title={order.codeValue}
        hasMenuInBar
        patient={
          <PatientBanner
            patient={order.patient}
            facts={[
              ['Patient Id', order.patient.code],
              ['Client', order.patientClient?.name],
              ['Collected', formatDateTime(order.collectionDate)],
              ['Reported', formatTimestamp(order.reported)],
            ]}
          />
        }
        badge={
          <>
            <OrderStatusTag status={order.status} />
            {order.alertBadges.map((badge) => (
              <AlertTag key={badge} alert={badge} />
            ))}
            {order.awaitsCollection ? <CollectionTag /> : null}
            {order.hasMissingInfo ? <MissingInfoTag /> : null}
          </>
        }
        actions={[
          acknowledgment.action,
          order.hasSignature
            ? {
                label: 'Unsign',
                slot: 'signing',
                icon: <UnlockIcon />,
                ...toActionState(order.canUnsign),
                onClick: () => setDialog('unsign'),
              }
            : {
                label: 'Sign',
                slot: 'signing',
                icon: <DrawIcon />,
                ...toActionState(order.canSign),
                onClick: () => setDialog('sign'),
              },
          {
            label: order.canEnterResults.allowed ? 'Enter Results' : 'Release Results',
            icon: <EditIcon />,
            isAlwaysShown: true,
            hidden: !order.canEnterResults.allowed && !order.canRelease.allowed,
            onClick: () => {
              const kind = selectedKind === null ? {} : { kind: selectedKind };
              void navigate(buildMatrix(paths.resultEntryOrder, { id: order.id, ...kind }));
            },
          },
          {
            label: 'Cumulative Results',
            icon: <TimelineLineChartIcon />,
            onClick: () => void openPath(buildMatrix(paths.cumulativeResults, { id: order.id })),
          },
          {
            label: 'Email Results',
            icon: <EnvelopeIcon />,
            ...sendState,
            onClick: () => setDialog('email'),
          },
          {
            label: 'Fax Results',
            icon: <PhoneForwardIcon />,
            ...sendState,
            onClick: () => setDialog('fax'),
          },
          {
            label: 'Print Results',
            icon: <PrintIcon />,
            onClick: () => {
              device.openDocument(buildResultsDocument(order.id)).catch(toasts.failure);
            },
          },
          {
            label: 'Print Details',
            icon: <HistoryIcon />,
            onClick: () => {
              device.openDocument(buildDetailsDocument(order.id)).catch(toasts.failure);
            },
          },
          missingInfo.action,
          {
            label: 'Cancel Tests',
            icon: <DeleteIcon />,
            hidden: !order.canCancel.allowed,
            onClick: () => setDialog('cancel'),
          },
        ]}
      />
      <ReopenedNotice order={order} />
      {/* The lab makes the changes. */}
      {isLab ? null : (
        <ChangedNotice changes={resultChanges.changes} onAccept={resultChanges.accept} />
      )}
      <CriticalNotice order={order} hasCritical={hasCritical(order)} />
      {may('seeEarlierRecipients') ? (
        <EarlierRecipients orderId={order.id} canSend={!sendState.disabled} />
      ) : null}
      <OrderFacts order={order} />
      <OrderComments order={order} />
      <CancellationReasons order={order} onChanged={reloadAll} />
      <AddedTests order={order} />
      {order.awaitsCollection ? specimens : null}
      <Results order={order} selectedKind={selectedKind} onSelect={setSelectedKind} />
      {/* Rarely needed parts are below the results. */}
      {order.awaitsCollection ? null : specimens}
      <OrderDocuments order={order} />
      <SentResults orderId={order.id} />
      {missingInfo.dialog}
      {dialog === 'sign' ? (
        <SignDialog
          signing={orderSigning}
          targets={[nameTarget(order, order.codeValue, order.patient)]}
          onClose={() => setDialog(null)}
          onSigned={reload}
          onStale={reloadAll}
        />
      ) : null}
      {dialog === 'email' || dialog === 'fax' ? (
        <SendFormsDialog
          content="results"
          kind={dialog === 'fax' ? 'FAX' : 'EMAIL'}
          ids={[order.id]}
          onClose={() => setDialog(null)}
        />
      ) : null}
      {dialog === 'specimens' ? (
        <SpecimensDialog orderId={order.id} onClose={() => setDialog(null)} />
      ) : null}
      {dialog === 'labels' ? (
        <PrinterAndLabelDialog
          requisitionId={order.requisitionId}
          orderId={order.id}
          onClose={() => setDialog(null)}
        />
      ) : null}
      {dialog === 'cancel' ? (
        <CancelTestsDialog order={order} onClose={() => setDialog(null)} onChanged={reloadAll} />
      ) : null}
      {dialog === 'unsign' ? (
        <UnsignDialog
          signing={orderSigning}
          targets={[nameTarget(order, order.codeValue, order.patient)]}
          onClose={() => setDialog(null)}
          onUnsigned={reload}
          onStale={reloadAll}
        />
      ) : null}
    </>
  );
}

interface ResultsProps {
  order: Order;
  /** The family whose tab the user has opened; null for the first one. */
  selectedKind: ResultKind | null;
  onSelect: (kind: ResultKind) => void;
}

function Results(props: ResultsProps) {
  const types = useQuery(resultsTypesQuery(props.order.id));
  return (
    <Loaded loadState={toLoadState(types)}>
      {(loadedTypes) => <Families {...props} types={loadedTypes} />}
    </Loaded>
  );
}

const panels: Record<ResultKind, ComponentType<{ orderId: number }>> = {
  [ResultKind.CLINICAL]: ClinicalResults,
  [ResultKind.TOXICOLOGY]: ToxicologyResults,
  [ResultKind.MICROBIOLOGY]: MicrobiologyResults,
  [ResultKind.PATHOLOGY]: PathologyResults,
};

/** Marks the families with critical results and unexpected drugs, whichever tab is open. */
function buildMarks(order: Order): FamilyMarks {
  const marks: Partial<Record<ResultKind, string[]>> = {};
  for (const kind of listCriticalKinds(order)) marks[kind] = [CRITICAL_BADGE];
  if (order.hasToxicologyUnexpectedPositive) {
    const labels = order.alertBadges.filter((badge) => badge !== CRITICAL_BADGE);
    marks[ResultKind.TOXICOLOGY] = [...(marks[ResultKind.TOXICOLOGY] ?? []), ...labels];
  }
  return marks;
}

function Families({
  order,
  types,
  selectedKind,
  onSelect,
}: ResultsProps & { types: ResultsTypes }) {
  const kinds = listFamilies(types);
  const kind = selectedKind ?? chooseFirstFamily(kinds);
  if (kind === null) return <NoResults />;
  const Panel = panels[kind];
  return (
    <FamilyTabs
      kinds={kinds}
      selected={kind}
      onSelect={onSelect}
      panel={<Panel orderId={order.id} />}
      marks={buildMarks(order)}
    />
  );
}
