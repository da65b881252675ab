import { mayEver, Role, type Act } from '../contract';
import { paths } from '../lib/paths';
import { mayOpen } from './screens';

export interface MenuEntry {
  label: string;
  path: string;
  /** Only for whom the rule of this act lets in. */
  act?: Act;
  /** Who reaches the screen by its route alone (DECISIONS). */
  without?: Role;
  /** Opens in a window or tab of its own on desktops (P 2). */
  newWindow?: boolean;
  /** Shown only when this setting allows it for the role. */
  setting?: 'resultEntry';
}

export interface MenuGroup {
  label: string;
  entries: readonly MenuEntry[];
}

/** P 6's table; Laboratory has every entry that all five roles together have (DECISIONS). */
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
        without: Role.PATIENT,
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

/** The menu of a role: entries it may use, whose screens exist; empty groups fall away. */
export function menuFor(role: Role, settings: { resultEntry: boolean }): MenuGroup[] {
  return menu
    .map((group) => ({
      label: group.label,
      entries: group.entries.filter(
        (entry) =>
          entry.without !== role &&
          (entry.act === undefined || mayEver(entry.act, role)) &&
          mayOpen(role, entry.path) &&
          (entry.setting === undefined || settings[entry.setting]),
      ),
    }))
    .filter((group) => group.entries.length > 0);
}
