import { FormIcon } from '../../components/icons';
import type { PageAction } from '../../components/PageToolbar';
import type { Act } from '../../contract';
import { paths } from '../../lib/paths';

/** The primary action of the searches, for people who create requisitions. */
export const buildNewRequisitionAction = (
  may: (act: Act) => boolean,
  openPath: (path: string) => Promise<void>,
): PageAction => ({
  label: 'New Requisition',
  icon: <FormIcon />,
  intent: 'primary',
  isAlwaysShown: true,
  hidden: !may('createRequisition'),
  onClick: () => void openPath(paths.requisitionForm),
});
