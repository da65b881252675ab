import type { ReactNode } from 'react';
import { Navigate } from 'react-router';

import { useResultEntryPermissions } from '../features/settings/api';

interface ResultEntryGateProps {
  /** Where somebody goes who may not open result entry. */
  home: string;
  waiting: ReactNode;
  children: ReactNode;
}

/** Shows the screens of result entry to whom the lab lets open them. */
export default function ResultEntryGate({ home, waiting, children }: ResultEntryGateProps) {
  const { mayOpen } = useResultEntryPermissions();
  if (mayOpen === null) return waiting;
  return mayOpen ? children : <Navigate to={home} replace />;
}
