import { lazy, type ComponentType, type LazyExoticComponent } from 'react';

import { paths } from '../lib/paths';
import { mayEver, type Act, type Role } from '../contract';

/** A screen whose code is loaded on demand, or earlier by `load`. */
type LazyScreen = LazyExoticComponent<ComponentType> & { load: () => Promise<unknown> };

const createLazyScreen = (load: () => Promise<{ default: ComponentType }>): LazyScreen =>
  Object.assign(lazy(load), { load });

/** A screen of the secured area: its address, who may open it, and its code, loaded on demand. */
export interface ScreenEntry {
  path: string;
  /** Open only to roles that the rule of this act allows; by default to all. */
  act?: Act;
  Screen: LazyScreen;
  /** Open only if this setting of the lab also allows it. */
  setting?: 'resultEntry';
  /**
   * The screen itself decides whether another id means another form. By default, each new id resets
   * the form.
   */
  keepsForm?: boolean;
}

/**
 * Every screen; a feature adds a line here. The first one that a role may open is its fallback
 * home.
 */
export const screens: readonly ScreenEntry[] = [
  {
    path: paths.home,
    Screen: createLazyScreen(() => import('../features/orders/screens/OrderSearch')),
  },
  {
    path: paths.advancedSearch,
    act: 'openAdvancedSearch',
    Screen: createLazyScreen(() => import('../features/orderSearch/screens/AdvancedOrderSearch')),
  },
  {
    path: paths.orderResults,
    Screen: createLazyScreen(() => import('../features/results/screens/OrderResults')),
  },
  {
    path: paths.cumulativeResults,
    Screen: createLazyScreen(() => import('../features/results/screens/CumulativeResults')),
  },
  {
    path: paths.criticalResults,
    act: 'openCriticalResults',
    Screen: createLazyScreen(() => import('../features/criticalResults/screens/CriticalResults')),
  },
  {
    path: paths.resultEntry,
    act: 'openResultEntry',
    setting: 'resultEntry',
    Screen: createLazyScreen(() => import('../features/results/screens/ResultWorklist')),
  },
  {
    path: paths.resultEntryOrder,
    act: 'openResultEntry',
    setting: 'resultEntry',
    Screen: createLazyScreen(() => import('../features/results/screens/ResultEntryScreen')),
  },
  {
    path: paths.autoverification,
    act: 'openAutoverification',
    Screen: createLazyScreen(() => import('../features/automation/screens/Autoverification')),
  },
  {
    path: paths.resultExport,
    act: 'exportResults',
    Screen: createLazyScreen(() => import('../features/exports/screens/ResultExport')),
  },
  {
    path: paths.requisitionSearch,
    // Patients reach it only by its address, and see only their own requisitions (O 2.2).
    Screen: createLazyScreen(() => import('../features/requisitions/screens/RequisitionSearch')),
  },
  {
    path: paths.requisitionForm,
    // Patients reach and sign their own requisitions by address, without a menu entry (DECISIONS).
    Screen: createLazyScreen(() => import('../features/requisitions/screens/RequisitionForm')),
    keepsForm: true,
  },
  {
    path: paths.patientSearch,
    act: 'changePatient',
    Screen: createLazyScreen(() => import('../features/patients/screens/PatientSearch')),
  },
  {
    path: paths.patientForm,
    act: 'changePatient',
    Screen: createLazyScreen(() => import('../features/patients/screens/PatientForm')),
  },
  {
    path: paths.users,
    act: 'administerUsers',
    Screen: createLazyScreen(() => import('../features/users/screens/Users')),
  },
  {
    path: paths.auditLog,
    act: 'openAuditLog',
    Screen: createLazyScreen(() => import('../features/audit/screens/AuditLog')),
  },
  {
    path: paths.operations,
    act: 'openOperations',
    Screen: createLazyScreen(() => import('../features/operations/screens/Operations')),
  },
  {
    path: paths.terms,
    Screen: createLazyScreen(() => import('../features/legal/screens/Terms')),
  },
  {
    path: paths.privacy,
    Screen: createLazyScreen(() => import('../features/legal/screens/Privacy')),
  },
  {
    path: paths.help,
    Screen: createLazyScreen(() => import('../features/help/screens/Help')),
  },
  {
    path: paths.contactUs,
    act: 'writeToLab',
    Screen: createLazyScreen(() => import('../features/support/screens/ContactUs')),
  },
  {
    path: paths.supplyRequest,
    act: 'requestSupplies',
    Screen: createLazyScreen(() => import('../features/support/screens/SupplyRequest')),
  },
  {
    path: paths.labData,
    act: 'openLabData',
    Screen: createLazyScreen(() => import('../features/labData/screens/LabData')),
  },
  {
    path: paths.labSettings,
    act: 'openLabSettings',
    Screen: createLazyScreen(() => import('../features/labSettings/screens/LabSettings')),
  },
];

/** The pages for people who are not signed in, besides sign-in itself. */
export const publicScreens: readonly Pick<ScreenEntry, 'path' | 'Screen'>[] = [
  {
    path: paths.passwordRecovery,
    Screen: createLazyScreen(() => import('../features/accounts/screens/PasswordRecovery')),
  },
  {
    path: paths.patientSignUp,
    Screen: createLazyScreen(() => import('../features/accounts/screens/PatientSignUp')),
  },
];

/** Whether this role may open a screen. */
const isOpenTo = ({ act }: ScreenEntry, role: Role): boolean =>
  act === undefined || mayEver(act, role);

export function canOpen(role: Role, path: string): boolean {
  return screens.some((screen) => screen.path === path && isOpenTo(screen, role));
}

/** Returns the home of a role: the order search, if the role may open it. */
export function getHome(role: Role): string {
  if (canOpen(role, paths.home)) return paths.home;
  return screens.find((screen) => isOpenTo(screen, role))?.path ?? paths.login;
}
