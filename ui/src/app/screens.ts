import { lazy, type ComponentType, type LazyExoticComponent } from 'react';

import { paths } from '../lib/paths';
import { mayEver, type Act, type Role } from '../contract';

/** A screen of the secured area: where it is, who may open it, and its code, loaded when needed. */
export interface ScreenEntry {
  path: string;
  /** Only for whom the rule of this act lets in; without one, for everybody. */
  act?: Act;
  Screen: LazyExoticComponent<ComponentType>;
  /** Only for whom this setting of the lab lets in too. */
  setting?: 'resultEntry';
  /** The screen itself knows when another id means another form; else every id begins anew. */
  keepsForm?: boolean;
}

/** Every screen; a feature adds a line here. The first one a role may open is its fallback home. */
export const screens: readonly ScreenEntry[] = [
  {
    path: paths.home,
    Screen: lazy(() => import('../features/orders/screens/OrderSearch')),
  },
  {
    path: paths.orderResults,
    Screen: lazy(() => import('../features/orders/screens/OrderResults')),
  },
  {
    path: paths.resultEntry,
    act: 'openResultEntry',
    setting: 'resultEntry',
    Screen: lazy(() => import('../features/orders/screens/ResultWorklist')),
  },
  {
    path: paths.resultEntryOrder,
    act: 'openResultEntry',
    setting: 'resultEntry',
    Screen: lazy(() => import('../features/orders/screens/ResultEntryScreen')),
  },
  {
    path: paths.requisitionSearch,
    // Patients too reach it by its route alone, and find their own in it (O 2.2).
    Screen: lazy(() => import('../features/requisitions/screens/RequisitionSearch')),
  },
  {
    path: paths.requisitionForm,
    // Patients reach and sign their own requisitions by route, without a menu entry (DECISIONS).
    Screen: lazy(() => import('../features/requisitions/screens/RequisitionForm')),
    keepsForm: true,
  },
  {
    path: paths.patientForm,
    act: 'changePatient',
    Screen: lazy(() => import('../features/patients/screens/PatientForm')),
  },
];

/** Whether a screen lets this role in. */
const admits = ({ act }: ScreenEntry, role: Role): boolean =>
  act === undefined || mayEver(act, role);

export function mayOpen(role: Role, path: string): boolean {
  return screens.some((screen) => screen.path === path && admits(screen, role));
}

/** Where a role lands: the order search, as soon as it may open it. */
export function homeOf(role: Role): string {
  if (mayOpen(role, paths.home)) return paths.home;
  return screens.find((screen) => admits(screen, role))?.path ?? paths.login;
}
