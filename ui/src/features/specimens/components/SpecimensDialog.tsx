import { Callout } from '@blueprintjs/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { FormDialog } from '../../../components/dialogs/FormDialog';
import { Loaded, toLoadState } from '../../../components/records/Loaded';
import { toasts } from '../../../components/toasts';
import { useWrite } from '../../../components/useWrite';
import { messages, SpecimenState } from '../../../contract';
import {
  reloadSpecimens,
  saveSpecimens,
  specimensQuery,
  storeSpecimens,
  type Specimens,
} from '../api';
import { hasTubeErrors, toTubeValues, toTubeWrite } from '../tubeForm';
import { CallClient } from './CallClient';
import { ReceptionFields } from './ReceptionFields';
import { TubeList } from './TubeList';

interface SpecimensDialogProps {
  orderId: number;
  onClose: () => void;
}

interface SpecimensFormProps {
  specimens: Specimens;
  onClose: () => void;
}

const WIDTH_PX = 560;

/** Receives, rejects, and describes tubes of an order after its reception. */
export function SpecimensDialog({ orderId, onClose }: SpecimensDialogProps) {
  const specimens = useQuery(specimensQuery(orderId));
  return (
    <Loaded loadState={toLoadState(specimens)}>
      {(loadedSpecimens) => <SpecimensForm specimens={loadedSpecimens} onClose={onClose} />}
    </Loaded>
  );
}

function SpecimensForm({ onClose, ...props }: SpecimensFormProps) {
  const queries = useQueryClient();
  // The fields show the tubes as they were when the dialog opened. With a newer version, a save
  // would undo what somebody else has received or rejected meanwhile.
  const [specimens] = useState(props.specimens);
  const current = specimens.tubes.filter(({ state }) => state !== SpecimenState.REJECTED);
  const [tubes, setTubes] = useState(() => current.map(toTubeValues));
  const [reception, setReception] = useState({
    collectionSite: '',
    entryAlert: specimens.entryAlert ?? '',
  });
  const [isChecked, setIsChecked] = useState(false);
  const saveWrite = useWrite({
    send: saveSpecimens,
    onDone: (newSpecimens) => {
      storeSpecimens(queries, newSpecimens);
      toasts.success(messages.SPECIMENS_SAVED);
      onClose();
    },
    onStale: () => {
      reloadSpecimens(queries, specimens.orderId);
      onClose();
    },
  });
  const save = () => {
    setIsChecked(true);
    if (hasTubeErrors(tubes)) return;
    saveWrite.run({
      orderId: specimens.orderId,
      version: specimens.version,
      tubes: tubes.map(toTubeWrite),
      collectionSite: reception.collectionSite || null,
      entryAlert: reception.entryAlert.trim() || null,
    });
  };
  const asksForCollection = tubes.some(
    ({ state, isNeeded }) => state === SpecimenState.REJECTED && isNeeded,
  );
  return (
    <FormDialog
      isOpen
      title="Change Specimens"
      width={WIDTH_PX}
      closeLabel="Cancel"
      busy={saveWrite.isRunning}
      onSubmit={save}
      onClose={onClose}
    >
      <TubeList tubes={tubes} onChange={(next) => setTubes([...next])} isChecked={isChecked} />
      {asksForCollection ? (
        <Callout compact intent="warning">
          {specimens.clientToCall ? (
            <CallClient client={specimens.clientToCall} />
          ) : (
            'The client will be asked for a new collection by e-mail.'
          )}
        </Callout>
      ) : null}
      <ReceptionFields values={reception} onChange={setReception} />
    </FormDialog>
  );
}
