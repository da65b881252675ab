import { Component, type ReactNode } from 'react';
import { useLocation } from 'react-router';

import { PageToolbar } from '../components/PageToolbar';
import { Failure, FAILED_TITLE } from './PortalFailed';

interface BoundaryProps {
  /** A new value resets the boundary. */
  visit: string;
  fallback: ReactNode;
  children: ReactNode;
}

class Boundary extends Component<BoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override componentDidUpdate(previous: BoundaryProps) {
    if (this.state.hasFailed && previous.visit !== this.props.visit)
      this.setState({ hasFailed: false });
  }

  override render() {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}

/**
 * Catches the errors of a screen, so that the shell around it stays usable. Errors go only to the
 * console: their text may contain data that the user must not see.
 */
export function ScreenBoundary({ children }: { children: ReactNode }) {
  const { key } = useLocation();
  return (
    <Boundary visit={key} fallback={<ScreenFailed />}>
      {children}
    </Boundary>
  );
}

/** The page in place of a failed screen. */
function ScreenFailed() {
  return (
    <>
      <PageToolbar title={FAILED_TITLE} />
      <Failure />
    </>
  );
}
