import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { FormDialog } from '../../../../components/dialogs/FormDialog';
import { Loaded, toLoadState } from '../../../../components/records/Loaded';
import { toasts } from '../../../../components/toasts';
import { useWrite } from '../../../../components/useWrite';
import { messages, say } from '../../../../contract';
import { dueTubesQuery, type DueTube } from '../../../specimens/api';
import { ReceptionFields } from '../../../specimens/components/ReceptionFields';
import { TubeList } from '../../../specimens/components/TubeList';
import { hasTubeErrors, toReceivedTube, toTubeWrite } from '../../../specimens/tubeForm';
import { receiveRequisitions } from '../../api';

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
      {(loaded) => <ReceiveForm {...props} due={loaded} />}
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
  const receiving = useWrite({
    send: receiveRequisitions,
    onDone: ([received]) => {
      if (received)
        toasts.success(
          say(messages.TUBES_RECEIVED, {
            code: received.orderCode,
            tubes: received.tubes,
            due: received.tubesDue,
          }),
        );
      onReceived();
    },
    onStale: onReceived,
  });
  const receive = () => {
    setIsChecked(true);
    if (hasTubeErrors(tubes)) return;
    receiving.run({
      ids: [requisition.id],
      acceptsFuture: false,
      tubes: tubes.map(toTubeWrite),
      collectionSite: reception.collectionSite || null,
      entryAlert: reception.entryAlert.trim() || null,
    });
  };
  return (
    <FormDialog
      isOpen
      title={`Receive ${requisition.code}`}
      width={WIDTH_PX}
      submitLabel="Receive"
      closeLabel="Cancel"
      busy={receiving.isRunning}
      onSubmit={receive}
      onClose={onClose}
    >
      <TubeList tubes={tubes} onChange={(next) => setTubes([...next])} isChecked={isChecked} />
      <ReceptionFields values={reception} onChange={setReception} />
    </FormDialog>
  );
}
