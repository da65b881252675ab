import { Button, ButtonGroup, PopoverNext } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { FormDialog } from '../../../../components/dialogs/FormDialog';
import { Loaded, readingOf } from '../../../../components/records/Loaded';
import { useOpenPath } from '../../../../components/useOpenPath';
import { buildMatrix } from '../../../../lib/matrix';
import { paths } from '../../../../lib/paths';
import { CaretDownIcon, HistoryIcon } from '../../../../components/icons';
import { previousRequisitionsQuery } from '../../api';
import { RequisitionTable } from '../search/RequisitionTable';
import styles from '../search/requisitionTable.module.css';

const SHOWN = 10;
const DIALOG_WIDTH_PX = 640;

/** The patient's latest requisitions but for the one that is open, newest first. */
export function usePrevious(patientId: number | null, openId: number | null) {
  const openPath = useOpenPath();
  const found = useQuery({
    ...previousRequisitionsQuery(patientId ?? 0, SHOWN + 1),
    select: (rows) => rows.filter(({ id }) => id !== openId).slice(0, SHOWN),
    enabled: patientId !== null,
  });
  return {
    rows: found.data ?? [],
    reading: readingOf(found),
    openOne: (id: number) => void openPath(buildMatrix(paths.requisitionForm, { id })),
  };
}

export type Previous = ReturnType<typeof usePrevious>;

function Grid({ previous, onChosen }: { previous: Previous; onChosen: () => void }) {
  return (
    <Loaded reading={previous.reading}>
      {(rows) =>
        rows.length === 0 ? (
          <div className={`quiet ${styles['empty'] ?? ''}`}>
            The patient has no other requisitions.
          </div>
        ) : (
          <RequisitionTable
            label="Previous Requisitions"
            rows={rows}
            onChoose={(id) => {
              onChosen();
              previous.openOne(id);
            }}
          />
        )
      }
    </Loaded>
  );
}

/** Opens the latest one; its second half, the grid of the others (O 2.3, DECISIONS). */
export function PreviousRequisition({ previous }: { previous: Previous }) {
  const [open, setOpen] = useState(false);
  const [latest] = previous.rows;
  return (
    <ButtonGroup variant="outlined">
      <Button
        icon={<HistoryIcon />}
        disabled={latest === undefined}
        title={latest ? `Open ${latest.code}` : undefined}
        onClick={() => {
          if (latest) previous.openOne(latest.id);
        }}
      >
        Previous Requisition
      </Button>
      <PopoverNext
        isOpen={open}
        onInteraction={setOpen}
        placement="bottom-end"
        arrow={false}
        animation="minimal"
        content={
          <div className={styles['popover']}>
            <Grid previous={previous} onChosen={() => setOpen(false)} />
          </div>
        }
        renderTarget={({ isOpen, ref, ...target }) => (
          <Button
            {...target}
            ref={ref}
            icon={<CaretDownIcon />}
            disabled={latest === undefined && previous.reading.error === null}
            aria-label="Choose a previous requisition"
            aria-expanded={isOpen}
          />
        )}
      />
    </ButtonGroup>
  );
}

/** The same grid on handhelds, opened from the floating menu. */
export function PreviousDialog({ previous, onClose }: { previous: Previous; onClose: () => void }) {
  return (
    <FormDialog isOpen title="Previous Requisitions" width={DIALOG_WIDTH_PX} onClose={onClose}>
      <div className={styles['scroll']}>
        <Grid previous={previous} onChosen={onClose} />
      </div>
    </FormDialog>
  );
}
