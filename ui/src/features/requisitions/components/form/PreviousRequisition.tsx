import { Button, ButtonGroup } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';

import { CaretPopup } from '../../../../components/CaretPopup';
import { FormDialog } from '../../../../components/dialogs/FormDialog';
import { Loaded, toLoadState } from '../../../../components/records/Loaded';
import { useOpenPath } from '../../../../components/useOpenPath';
import { messages } from '../../../../contract';
import { buildMatrix } from '../../../../lib/matrix';
import { paths } from '../../../../lib/paths';
import { HistoryIcon } from '../../../../components/icons';
import { previousRequisitionsQuery } from '../../api';
import { RequisitionTable } from '../search/RequisitionTable';

const MAX_ROWS = 10;
const DIALOG_WIDTH_PX = 640;

/** Returns the patient's latest requisitions except the open one, newest first. */
export function usePreviousRequisitions(patientId: number | null, openId: number | null) {
  const openPath = useOpenPath();
  const query = useQuery({
    ...previousRequisitionsQuery(patientId ?? 0, MAX_ROWS + 1),
    select: (rows) => rows.filter(({ id }) => id !== openId).slice(0, MAX_ROWS),
    enabled: patientId !== null,
  });
  const emptyReason = query.data?.length === 0 ? messages.REQUISITION_NO_PREVIOUS : undefined;
  return {
    rows: query.data ?? [],
    /** Why none can be opened, if known. */
    reason: patientId === null ? messages.SELECT_PATIENT_FIRST : emptyReason,
    loadState: toLoadState(query),
    openRequisition: (id: number) => void openPath(buildMatrix(paths.requisitionForm, { id })),
  };
}

export type PreviousRequisitions = ReturnType<typeof usePreviousRequisitions>;

function Grid({ previous, onChosen }: { previous: PreviousRequisitions; onChosen: () => void }) {
  return (
    <Loaded loadState={previous.loadState}>
      {(rows) => (
        <RequisitionTable
          label="Previous Requisitions"
          rows={rows}
          empty={messages.REQUISITION_NO_PREVIOUS}
          onChoose={(id) => {
            onChosen();
            previous.openRequisition(id);
          }}
        />
      )}
    </Loaded>
  );
}

/** Opens the latest requisition; the caret button shows the others (O 2.3, DECISIONS). */
export function PreviousRequisition({ previous }: { previous: PreviousRequisitions }) {
  const [latest] = previous.rows;
  return (
    <ButtonGroup variant="outlined">
      <Button
        icon={<HistoryIcon />}
        disabled={latest === undefined}
        title={latest ? `Open ${latest.code}` : previous.reason}
        onClick={() => {
          if (latest) previous.openRequisition(latest.id);
        }}
      >
        Previous Requisition
      </Button>
      <CaretPopup
        content={(close) => <Grid previous={previous} onChosen={close} />}
        disabled={latest === undefined && previous.loadState.error === null}
        aria-label="Choose a previous requisition"
      />
    </ButtonGroup>
  );
}

/** The same grid for handhelds, opened from the floating menu. */
export function PreviousDialog({
  previous,
  onClose,
}: {
  previous: PreviousRequisitions;
  onClose: () => void;
}) {
  return (
    <FormDialog isOpen title="Previous Requisitions" width={DIALOG_WIDTH_PX} onClose={onClose}>
      <Grid previous={previous} onChosen={onClose} />
    </FormDialog>
  );
}
