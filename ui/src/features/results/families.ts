import { ResultKind } from '../../contract';
import type { Order } from '../orders/api';
import type { ResultsTypes } from './api';

interface ResultFamily {
  title: string;
  isPresent: (types: ResultsTypes) => boolean;
}

/** The families of results, in the order of their tabs (R 2.2). */
export const families: Readonly<Record<ResultKind, ResultFamily>> = {
  [ResultKind.CLINICAL]: { title: 'Clinical', isPresent: (types) => types.hasClinicalResult },
  [ResultKind.MICROBIOLOGY]: {
    title: 'Microbiology',
    isPresent: (types) => types.hasMicrobiologyResult,
  },
  [ResultKind.TOXICOLOGY]: { title: 'Toxicology', isPresent: (types) => types.hasToxicologyResult },
  [ResultKind.PATHOLOGY]: { title: 'Pathology', isPresent: (types) => types.hasPathologyResult },
};

/** The families of an order, in the order of their tabs. */
export const listFamilies = (types: ResultsTypes): ResultKind[] =>
  Object.values(ResultKind).filter((kind) => families[kind].isPresent(types));

/**
 * The families that have critical results. An older server does not send them, and a newer one may
 * send kinds that this release does not know.
 */
export const listCriticalKinds = ({ criticalKinds }: Pick<Order, 'criticalKinds'>): ResultKind[] =>
  ((criticalKinds as ResultKind[] | undefined) ?? []).filter((kind) => kind in families);

/** Which family's tab opens first, by precedence (R 2.2). */
const FAMILY_PRECEDENCE = [
  ResultKind.CLINICAL,
  ResultKind.TOXICOLOGY,
  ResultKind.MICROBIOLOGY,
  ResultKind.PATHOLOGY,
];

/** Returns the tab that an order opens with, or null if it has no result of any kind. */
export const chooseFirstFamily = (kinds: readonly ResultKind[]): ResultKind | null =>
  FAMILY_PRECEDENCE.find((kind) => kinds.includes(kind)) ?? null;
