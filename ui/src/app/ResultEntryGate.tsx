import type { ReactNode } from 'react';
import { Navigate } from 'react-router';

import { useResultEntryPermissions } from '../features/settings/api';

interface ResultEntryGateProps {
  /** Where users without access are redirected. */
  home: string;
  fallback: ReactNode;
  children: ReactNode;
}

/** Shows the result entry screens to users whom the lab gives access. */
export default function ResultEntryGate({ home, fallback, children }: ResultEntryGateProps) {
  const { canOpen } = useResultEntryPermissions();
  if (canOpen === null) return fallback;
  return canOpen ? children : <Navigate to={home} replace />;
}
