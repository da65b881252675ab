import { Button } from '@blueprintjs/core';

import { Popup } from '../../../../components/Popup';
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
  if (recents.length === 0) return null;
  return (
    <Popup
      placement="bottom-end"
      arrow={false}
      animation="minimal"
      middleware={POPOVER_MARGIN}
      content={(close) => (
        <RequisitionTable
          label="Recent Requisitions"
          rows={recents.map((recent) => ({
            id: recent.id,
            code: recent.codeValue,
            patient: recent,
            testCodes: recent.testCodes ?? recent.tests,
          }))}
          onChoose={(id) => {
            close();
            void openPath(buildMatrix(paths.requisitionForm, { id }));
          }}
        />
      )}
      renderTarget={({ isOpen, ref, ...target }) => (
        <Button
          {...target}
          ref={ref}
          variant="outlined"
          endIcon={<CaretDownIcon />}
          aria-expanded={isOpen}
          aria-label="Recent Requisitions"
        >
          Recent
        </Button>
      )}
    />
  );
}
