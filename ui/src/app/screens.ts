import { lazy, type ComponentType, type LazyExoticComponent } from 'react';

import { paths } from '../lib/paths';
import { Role } from '../contract';

/** A screen of the secured area: where it is, who may open it, and its code, loaded when needed. */
export interface ScreenEntry {
  path: string;
  roles: readonly Role[];
  Screen: LazyExoticComponent<ComponentType>;
  /** Only for whom this setting of the lab lets in too. */
  setting?: 'resultEntry';
  /** The screen itself knows when another id means another form; else every id begins anew. */
  keepsForm?: boolean;
}

export const everybody: readonly Role[] = Object.values(Role);
export const ordering: readonly Role[] = [
  Role.SUPERUSER,
  Role.LABORATORY,
  Role.CLIENT_ADMIN,
  Role.CLIENT_BASIC,
];

/** Every screen; a feature adds a line here. The first one a role may open is its fallback home. */
export const screens: readonly ScreenEntry[] = [
  {
    path: paths.home,
    roles: everybody,
    Screen: lazy(() => import('../features/orders/screens/OrderSearch')),
  },
  {
    path: paths.orderResults,
    roles: everybody,
    Screen: lazy(() => import('../features/orders/screens/OrderResults')),
  },
  {
    path: paths.resultEntry,
    roles: ordering,
    setting: 'resultEntry',
    Screen: lazy(() => import('../features/orders/screens/ResultWorklist')),
  },
  {
    path: paths.resultEntryOrder,
    roles: ordering,
    setting: 'resultEntry',
    Screen: lazy(() => import('../features/orders/screens/ResultEntryScreen')),
  },
  {
    path: paths.requisitionSearch,
    // Patients too reach it by its route alone, and find their own in it (O 2.2).
    roles: everybody,
    Screen: lazy(() => import('../features/requisitions/screens/RequisitionSearch')),
  },
  {
    path: paths.requisitionForm,
    // Patients reach and sign their own requisitions by route, without a menu entry (DECISIONS).
    roles: everybody,
    Screen: lazy(() => import('../features/requisitions/screens/RequisitionForm')),
    keepsForm: true,
  },
  {
    path: paths.patientForm,
    roles: ordering,
    Screen: lazy(() => import('../features/patients/screens/PatientForm')),
  },
];

export function mayOpen(role: Role, path: string): boolean {
  return screens.some((screen) => screen.path === path && screen.roles.includes(role));
}

/** Where a role lands: the order search, as soon as it may open it. */
export function homeOf(role: Role): string {
  if (mayOpen(role, paths.home)) return paths.home;
  return screens.find((screen) => screen.roles.includes(role))?.path ?? paths.login;
}
