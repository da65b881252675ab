import { Button, PopoverNext } from '@blueprintjs/core';
import { useState } from 'react';

import { POPOVER_MARGIN } from '../../../../components/rows/ShortTable';
import { useRecents } from '../../../../components/recents/useRecents';
import { useOpenPath } from '../../../../components/useOpenPath';
import { buildMatrix } from '../../../../lib/matrix';
import { paths } from '../../../../lib/paths';
import { CaretDownIcon } from '../../../../components/icons';
import type { RecentRequisition } from '../../recents';
import { RequisitionTable } from './RequisitionTable';

/** The requisitions that this user recently opened or saved, newest first; hidden without any. */
export function RecentRequisitions() {
  const { recents } = useRecents<RecentRequisition>('recentRequisitions');
  const openPath = useOpenPath();
  const [isOpen, setIsOpen] = useState(false);
  if (recents.length === 0) return null;
  return (
    <PopoverNext
      isOpen={isOpen}
      onInteraction={setIsOpen}
      placement="bottom-end"
      arrow={false}
      animation="minimal"
      middleware={POPOVER_MARGIN}
      content={
        <RequisitionTable
          label="Recent Requisitions"
          rows={recents.map((recent) => ({
            id: recent.id,
            code: recent.codeValue,
            patient: recent,
            testCodes: recent.testCodes ?? recent.tests,
          }))}
          onChoose={(id) => {
            setIsOpen(false);
            void openPath(buildMatrix(paths.requisitionForm, { id }));
          }}
        />
      }
    >
      <Button
        variant="outlined"
        endIcon={<CaretDownIcon />}
        aria-haspopup="true"
        aria-label="Recent Requisitions"
      >
        Recent
      </Button>
    </PopoverNext>
  );
}
