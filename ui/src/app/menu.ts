import { mayEver, Role, type Act } from '../contract';
import { paths } from '../lib/paths';
import { canOpen } from './screens';

export interface MenuEntry {
  label: string;
  path: string;
  /** Shown only to roles that the rule of this act allows. */
  act?: Act;
  /** Reaches the screen only by its address (DECISIONS). */
  hiddenFrom?: Role;
  /** Opens in a new window or tab on desktops (P 2). */
  newWindow?: boolean;
  /** Shown only when this setting allows it for the role. */
  setting?: 'resultEntry';
}

export interface MenuGroup {
  label: string;
  entries: readonly MenuEntry[];
}

/** The table of P 6. Laboratory has every entry that all five roles share (DECISIONS). */
const menu: readonly MenuGroup[] = [
  {
    label: 'Results',
    entries: [
      { label: 'Order Search', path: paths.home },
      {
        label: 'Result Entry',
        path: paths.resultEntry,
        setting: 'resultEntry',
      },
    ],
  },
  {
    label: 'Requisitions',
    entries: [
      {
        label: 'Requisition Search',
        path: paths.requisitionSearch,
        hiddenFrom: Role.PATIENT,
      },
      {
        label: 'New Requisition',
        path: paths.requisitionForm,
        act: 'createRequisition',
        newWindow: true,
      },
    ],
  },
];

/** Returns the menu of a role: the entries it may open, without empty groups. */
export function buildMenu(role: Role, settings: { resultEntry: boolean }): MenuGroup[] {
  return menu
    .map((group) => ({
      label: group.label,
      entries: group.entries.filter(
        (entry) =>
          entry.hiddenFrom !== role &&
          (entry.act === undefined || mayEver(entry.act, role)) &&
          canOpen(role, entry.path) &&
          (entry.setting === undefined || settings[entry.setting]),
      ),
    }))
    .filter((group) => group.entries.length > 0);
}
