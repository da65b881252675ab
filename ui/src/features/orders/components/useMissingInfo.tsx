import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState, type ReactElement } from 'react';

import { FormIcon } from '../../../components/icons';
import type { PageAction } from '../../../components/PageToolbar';
import { messages } from '../../../contract';
import { missingInfoSettingsQuery } from '../api';

const MissingInfoDialog = lazy(() => import('./MissingInfoDialog'));

/**
 * The action that opens the missing information of an order, and its dialog (R 2.1, R 2.4). It is
 * hidden where the lab does not offer it.
 */
export function useMissingInfo(
  orderId: number | null,
  state: Pick<PageAction, 'disabled' | 'reason'> & { hidden: boolean },
  onSaved: () => void,
): { action: PageAction; dialog: ReactElement | null } {
  const settings = useQuery({ ...missingInfoSettingsQuery, enabled: !state.hidden });
  // The dialog keeps its order when the selection changes.
  const [openId, setOpenId] = useState<number | null>(null);
  const close = () => setOpenId(null);
  return {
    action: {
      label: messages.MISSING_INFORMATION,
      icon: <FormIcon />,
      ...state,
      hidden: state.hidden || settings.data?.enabled !== true,
      onClick: () => setOpenId(orderId),
    },
    dialog:
      openId === null ? null : (
        <Suspense fallback={null}>
          <MissingInfoDialog
            orderId={openId}
            onClose={close}
            onSaved={() => {
              close();
              onSaved();
            }}
          />
        </Suspense>
      ),
  };
}
