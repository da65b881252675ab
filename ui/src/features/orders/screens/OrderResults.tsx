import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';

import { PageToolbar } from '../../../components/PageToolbar';
import { PatientBanner } from '../../../components/records/PatientBanner';
import { Loaded, toLoadState } from '../../../components/records/Loaded';
import { RecordScreen } from '../../../components/records/RecordScreen';
import { useIdParameter } from '../../../components/routeParameters';
import { toasts } from '../../../components/toasts';
import { EditIcon, PrintIcon } from '../../../components/icons';
import { messages } from '../../../contract';
import { useDevice } from '../../../device';
import { formatDateTime, formatTimestamp } from '../../../lib/dates';
import { buildMatrix } from '../../../lib/matrix';
import { paths } from '../../../lib/paths';
import {
  clinicalResultsQuery,
  orderQuery,
  buildResultsDocument,
  resultsTypesQuery,
  type Order,
} from '../api';
import { ClinicalResults } from '../components/ClinicalResults';
import { OrderFacts } from '../components/OrderFacts';
import { AlertTag, OrderStatusTag } from '../components/OrderStatus';
import styles from '../components/orders.module.css';

/** An order with its results (R 2.2). */
export default function OrderResults() {
  const id = useIdParameter();
  const order = useQuery({
    ...orderQuery(id ?? 0),
    enabled: id !== null,
  });
  return (
    <RecordScreen title="Order" loadState={id === null ? null : toLoadState(order)}>
      {(loaded) => <LoadedOrder order={loaded} />}
    </RecordScreen>
  );
}

function LoadedOrder({ order }: { order: Order }) {
  const device = useDevice();
  const navigate = useNavigate();
  return (
    <>
      <PageToolbar
        title={order.codeValue}
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
            <AlertTag alert={order.hasAlert ? order.alert : null} />
          </>
        }
        actions={[
          {
            label: order.canEnterResults.allowed ? 'Enter Results' : 'Release Results',
            icon: <EditIcon />,
            hidden: !order.canEnterResults.allowed && !order.canRelease.allowed,
            onClick: () => void navigate(buildMatrix(paths.resultEntryOrder, { id: order.id })),
          },
          {
            label: 'Print Results',
            icon: <PrintIcon />,
            onClick: () => {
              device.openDocument(buildResultsDocument([order.id])).catch(toasts.failure);
            },
          },
        ]}
      />
      <OrderFacts order={order} />
      {order.reportComment ? (
        <section aria-label="Order Comments" className={styles['comment']}>
          {order.reportComment}
        </section>
      ) : null}
      <Results orderId={order.id} />
    </>
  );
}

function Results({ orderId }: { orderId: number }) {
  const types = useQuery(resultsTypesQuery(orderId));
  const hasTests = types.data && Object.values(types.data).some(Boolean);
  const clinical = useQuery({
    ...clinicalResultsQuery(orderId),
    enabled: hasTests === true,
  });
  return (
    <Loaded loadState={toLoadState(types)}>
      {() =>
        hasTests ? (
          <Loaded loadState={toLoadState(clinical)}>
            {(rows) => <ClinicalResults rows={rows} />}
          </Loaded>
        ) : (
          <NoResults />
        )
      }
    </Loaded>
  );
}

function NoResults() {
  const [isOpen, setIsOpen] = useState(true);
  return (
    <Dialog isOpen={isOpen} title={messages.NO_RESULTS_TITLE} onClose={() => setIsOpen(false)}>
      <DialogBody>{messages.NO_RESULTS}</DialogBody>
      <DialogFooter
        actions={
          <Button intent="primary" onClick={() => setIsOpen(false)}>
            OK
          </Button>
        }
      />
    </Dialog>
  );
}
