import { Component, type ReactNode } from 'react';
import { useLocation } from 'react-router';

import { PageToolbar } from '../components/PageToolbar';
import { Failure, FAILED_TITLE } from './PortalFailed';

interface BoundaryProps {
  /** Another value is another try. */
  visit: string;
  fallback: ReactNode;
  children: ReactNode;
}

class Boundary extends Component<BoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidUpdate(previous: BoundaryProps) {
    if (this.state.failed && previous.visit !== this.props.visit) this.setState({ failed: false });
  }

  override render() {
    return this.state.failed ? this.props.fallback : this.props.children;
  }
}

/**
 * Holds what a screen throws, so that the shell around it lives on. What was thrown goes to the
 * console alone: it may hold what the person must not read, and it helps nobody.
 */
export function ScreenBoundary({ children }: { children: ReactNode }) {
  const { key } = useLocation();
  return (
    <Boundary visit={key} fallback={<ScreenFailed />}>
      {children}
    </Boundary>
  );
}

/** The page in place of one that has failed. */
function ScreenFailed() {
  return (
    <>
      <PageToolbar title={FAILED_TITLE} />
      <Failure />
    </>
  );
}
