import { Role } from '../contract';
import { paths } from '../lib/paths';
import { everybody, mayOpen, ordering } from './screens';

export interface MenuEntry {
  label: string;
  path: string;
  roles: readonly Role[];
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
      { label: 'Order Search', path: paths.home, roles: everybody },
      {
        label: 'Result Entry',
        path: paths.resultEntry,
        roles: ordering,
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
        roles: [...ordering, Role.PHYSICIAN],
      },
      { label: 'New Requisition', path: paths.requisitionForm, roles: ordering, newWindow: true },
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
          entry.roles.includes(role) &&
          mayOpen(role, entry.path) &&
          (entry.setting === undefined || settings[entry.setting]),
      ),
    }))
    .filter((group) => group.entries.length > 0);
}
