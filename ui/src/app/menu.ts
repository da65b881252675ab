import { mayEver, Role, type Act } from '../contract';
import { paths } from '../lib/paths';
import { canOpen } from './screens';

export interface ScreenLink {
  label: string;
  path: string;
  /** Shown only to roles that the rule of this act allows. */
  act?: Act;
  /** A role whose menu lacks the screen: it reaches the screen only by its address (DECISIONS). */
  hiddenFrom?: Role;
  /** Whether it opens in a new window or tab on desktops (P 2). */
  opensNewWindow?: boolean;
  /** The setting of the lab that must allow the screen for the role. */
  setting?: 'resultEntry';
}

export interface MenuGroup {
  label: string;
  items: readonly ScreenLink[];
}

/** The table of P 6. Laboratory has every item that all five roles share (DECISIONS). */
const menu: readonly MenuGroup[] = [
  {
    label: 'Results',
    items: [
      { label: 'Order Search', path: paths.home },
      { label: 'Advanced Order Search', path: paths.advancedSearch },
      // The table of P 6 does not have this screen (ADR 38).
      { label: 'Critical Results', path: paths.criticalResults, act: 'tellCriticalResult' },
      {
        label: 'Result Entry',
        path: paths.resultEntry,
        setting: 'resultEntry',
      },
      // Not in the table of P 6 (ADR 50).
      { label: 'Autoverification', path: paths.autoverification },
      { label: 'Result Export', path: paths.resultExport },
    ],
  },
  {
    label: 'Requisitions',
    items: [
      {
        label: 'Requisition Search',
        path: paths.requisitionSearch,
        hiddenFrom: Role.PATIENT,
      },
      {
        label: 'New Requisition',
        path: paths.requisitionForm,
        act: 'createRequisition',
        opensNewWindow: true,
      },
    ],
  },
  // Not in the table of P 6 (DECISIONS, 'People and roles').
  { label: 'Patients', items: [{ label: 'Patients', path: paths.patientSearch }] },
  {
    label: 'System',
    items: [
      { label: 'Users', path: paths.users },
      // Not in the table of P 6 (ADR 67).
      { label: 'Audit Log', path: paths.auditLog },
      { label: 'Operations', path: paths.operations },
      // Not in the table of P 6 (ADRs 57 and 63).
      { label: 'Lab Data', path: paths.labData },
      { label: 'Lab Settings', path: paths.labSettings },
    ],
  },
  {
    label: 'Support',
    items: [
      { label: 'Contact us', path: paths.contactUs },
      { label: 'Supply Request', path: paths.supplyRequest },
    ],
  },
];

/** Returns the menu of a role: the items it may open, without empty groups. */
export function buildMenu(role: Role, settings: { resultEntry: boolean }): MenuGroup[] {
  return menu
    .map((group) => ({
      label: group.label,
      items: group.items.filter(
        (item) =>
          item.hiddenFrom !== role &&
          (item.act === undefined || mayEver(item.act, role)) &&
          canOpen(role, item.path) &&
          (item.setting === undefined || settings[item.setting]),
      ),
    }))
    .filter((group) => group.items.length > 0);
}
