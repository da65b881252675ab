import { Button, NonIdealState } from '@blueprintjs/core';
import { Component, type ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router';

import { PageToolbar } from '../components/PageToolbar';
import { ChevronLeftIcon, RefreshIcon, WarningSignIcon } from '../components/icons';
import { paths } from './screens';

const FAILED = {
  title: 'This screen has failed',
  description: 'The rest of the portal still works. Reload the page, or go back.',
};

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
      <PageToolbar title={FAILED.title} />
      <Failure />
    </>
  );
}

/** The whole page, when even the sign-in or the shell has failed. */
export function PortalFailed() {
  return (
    <main className="start-failed">
      <Failure title={FAILED.title} />
    </main>
  );
}

function Failure({ title }: { title?: string }) {
  const { key } = useLocation();
  const navigate = useNavigate();
  // The first page of a window has nothing behind it.
  const isFirst = key === 'default';
  const leave = () => void (isFirst ? navigate(paths.home) : navigate(-1));
  return (
    <div role="alert">
      <NonIdealState
        icon={<WarningSignIcon size={40} />}
        title={title}
        description={FAILED.description}
        action={
          <div className="failure-actions">
            <Button icon={<RefreshIcon />} intent="primary" onClick={() => location.reload()}>
              Reload
            </Button>
            <Button icon={<ChevronLeftIcon />} onClick={leave}>
              Back
            </Button>
          </div>
        }
      />
    </div>
  );
}
