import { CaretPopup } from '../../../../components/CaretPopup';
import { useRecents } from '../../../../components/recents/useRecents';
import { useOpenPath } from '../../../../components/useOpenPath';
import { buildMatrix } from '../../../../lib/matrix';
import { paths } from '../../../../lib/paths';
import type { RecentRequisition } from '../../recents';
import { RequisitionTable } from './RequisitionTable';

/** The requisitions that this user recently opened or saved, newest first; hidden without any. */
export function RecentRequisitions() {
  const { recents } = useRecents<RecentRequisition>('recentRequisitions');
  const openPath = useOpenPath();
  if (recents.length === 0) return null;
  return (
    <CaretPopup
      text="Recent"
      aria-label="Recent Requisitions"
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
    />
  );
}
