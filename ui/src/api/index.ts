export { useLiveChanges, type Change } from './changes';
export { useIsPortalLost, usePortalProblem } from './connection';
export type { ServerEvent } from './events';
export { api, buildQuery, mintIdempotencyKey, type Query, type RequestOptions } from './http';
export {
  firstPage,
  loadPage,
  buildColumnQuery,
  buildPageQuery,
  collectVersions,
  type Page,
  type PageRequest,
  type SortKey,
} from './lists';
export {
  ApiError,
  describeError,
  explainError,
  explainWait,
  findFieldError,
  isGone,
  isStale,
  isTransient,
  isUnreachable,
  NO_RESPONSE,
  type FieldError,
} from './problem';
export {
  loadCapabilities,
  Session,
  type Capabilities,
  type Lab,
  type PortalConnection,
  type Profile,
  type SessionState,
  type SignedOutReason,
} from './session';
export {
  SessionContext,
  useCapabilities,
  useHasRole,
  usePermissions,
  useProfile,
  useSession,
  useSessionState,
} from './SessionContext';
