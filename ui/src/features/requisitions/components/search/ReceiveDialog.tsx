import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { describeError, isStale } from '../../../../api';
import { ConfirmDialog } from '../../../../components/dialogs/ConfirmDialog';
import { FormDialog } from '../../../../components/dialogs/FormDialog';
import { Loaded, toLoadState } from '../../../../components/records/Loaded';
import { toasts } from '../../../../components/toasts';
import { useWrite } from '../../../../components/useWrite';
import { messages, say } from '../../../../contract';
import { dueTubesQuery, type ClientToCall, type DueTube } from '../../../specimens/api';
import { CallClient } from '../../../specimens/components/CallClient';
import { ReceptionFields } from '../../../specimens/components/ReceptionFields';
import { TubeList } from '../../../specimens/components/TubeList';
import { hasTubeErrors, toReceivedTube, toTubeWrite } from '../../../specimens/tubeForm';
import { isFutureCollection, receiveRequisitions } from '../../api';

interface ReceiveDialogProps {
  requisition: { id: number; code: string };
  onClose: () => void;
  onReceived: () => void;
}

const WIDTH_PX = 560;

/** Receives one requisition tube by tube, with conditions and rejections. */
export function ReceiveDialog(props: ReceiveDialogProps) {
  const tubes = useQuery(dueTubesQuery(props.requisition.id));
  return (
    <Loaded loadState={toLoadState(tubes)}>
      {(dueTubes) => <ReceiveForm {...props} due={dueTubes} />}
    </Loaded>
  );
}

function ReceiveForm({
  requisition,
  due,
  onClose,
  onReceived,
}: ReceiveDialogProps & { due: readonly DueTube[] }) {
  const [tubes, setTubes] = useState(() => due.map(toReceivedTube));
  const [reception, setReception] = useState({ collectionSite: '', entryAlert: '' });
  const [isChecked, setIsChecked] = useState(false);
  /** Why receiving is probably a mistake; the lab may receive anyway. */
  const [doubt, setDoubt] = useState<string | null>(null);
  const [clientToCall, setClientToCall] = useState<ClientToCall | null>(null);
  const receiveWrite = useWrite({
    send: receiveRequisitions,
    onDone: ([receipt]) => {
      if (receipt)
        toasts.success(
          say(messages.TUBES_RECEIVED, {
            code: receipt.orderCode,
            tubes: receipt.tubes,
            due: receipt.tubesDue,
          }),
        );
      if (receipt?.clientToCall) setClientToCall(receipt.clientToCall);
      else onReceived();
    },
    explain: (error) => {
      const isEarly = isFutureCollection(error);
      if (isEarly) setDoubt(describeError(error));
      else if (isStale(error)) onReceived();
      return isEarly;
    },
  });
  const receive = ({ acceptsFuture }: { acceptsFuture: boolean }) =>
    receiveWrite.run({
      ids: [requisition.id],
      acceptsFuture,
      tubes: tubes.map(toTubeWrite),
      collectionSite: reception.collectionSite || null,
      entryAlert: reception.entryAlert.trim() || null,
    });
  const submit = () => {
    setIsChecked(true);
    if (!hasTubeErrors(tubes)) receive({ acceptsFuture: false });
  };
  if (clientToCall !== null) {
    return (
      <FormDialog
        isOpen
        title="Call the client"
        width={WIDTH_PX}
        closeLabel="OK"
        onClose={onReceived}
      >
        <CallClient client={clientToCall} />
      </FormDialog>
    );
  }
  return (
    <FormDialog
      isOpen
      title={`Receive ${requisition.code}`}
      width={WIDTH_PX}
      submitLabel="Receive"
      closeLabel="Cancel"
      busy={receiveWrite.isRunning}
      onSubmit={submit}
      onClose={onClose}
    >
      <TubeList tubes={tubes} onChange={(next) => setTubes([...next])} isChecked={isChecked} />
      <ReceptionFields values={reception} onChange={setReception} />
      <ConfirmDialog
        isOpen={doubt !== null}
        title="Mark Received"
        message={doubt === null ? '' : say(messages.CONFIRM_RECEIVE_EARLY, { why: doubt })}
        confirmLabel="Receive"
        intent="danger"
        onConfirm={() => {
          setDoubt(null);
          receive({ acceptsFuture: true });
        }}
        onClose={() => setDoubt(null)}
      />
    </FormDialog>
  );
}
