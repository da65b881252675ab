import { limits } from '../contract';

/** The idle time before the warning (P 4). Only a built interface is in production. */
export const IDLE_SECONDS = import.meta.env.PROD
  ? limits.IDLE_SECONDS
  : limits.IDLE_SECONDS_OUTSIDE_PRODUCTION;
