import { lazy, Suspense, useLayoutEffect, useMemo } from 'react';
import {
  createBrowserRouter,
  Navigate,
  useLocation,
  useNavigate,
  type DataRouter,
  type Location,
} from 'react-router';

import { useSessionState } from '../api';
import { RouteParametersContext } from '../components/routeParameters';
import { buildMatrix, parseMatrix, splitPersonal, type RouteParameters } from '../lib/matrix';
import { LoginScreen } from '../features/accounts/screens/LoginScreen';
import { PortalFailed } from './PortalFailed';
import { paths } from '../lib/paths';
import { homeOf, mayOpen, screens } from './screens';

// The sign-in page carries neither: what only a signed-in person sees comes after it.
const Shell = lazy(() => import('./shell/Shell'));
const ResultEntryGate = lazy(() => import('./ResultEntryGate'));
const SessionEnded = lazy(() => import('./SessionEnded'));

const waiting = <div className="screen-loading" role="status" aria-label="Loading" />;

/** Parameters handed over in history state rather than in the address. */
interface HandedOver {
  parameters?: RouteParameters;
}

function handedOver(location: Location): RouteParameters {
  return (location.state as HandedOver | null)?.parameters ?? {};
}

/**
 * Reads matrix and query parameters of the address once. Those that identify a person are moved
 * into history state at once, so that they do not stay in the address bar.
 */
function useParsedLocation() {
  const location = useLocation();
  const navigate = useNavigate();
  const parsed = useMemo(
    () => parseMatrix(location.pathname, location.search),
    [location.pathname, location.search],
  );
  const handed = handedOver(location);
  const { personal, rest } = splitPersonal(parsed.parameters);
  const mustWipe = Object.keys(personal).length > 0;
  useLayoutEffect(() => {
    if (!mustWipe) return;
    void navigate(buildMatrix(parsed.path, rest), {
      replace: true,
      state: { parameters: { ...handed, ...personal } } satisfies HandedOver,
    });
  });
  return { path: parsed.path, parameters: { ...parsed.parameters, ...handed } };
}

/** Decides what an address shows to whoever is (or is not) signed in. */
function Portal() {
  const { path, parameters } = useParsedLocation();
  const state = useSessionState();

  if (path === paths.login) return <LoginScreen home={homeOf} />;
  if (state.status === 'signedOut') {
    return path === '/' ? (
      <Navigate to={paths.login} replace />
    ) : (
      <Suspense>
        <SessionEnded reason={state.reason} />
      </Suspense>
    );
  }
  if (state.status === 'starting') return null;
  if (path === '/') return <Navigate to={paths.login} replace />;

  const entry = screens.find((screen) => screen.path === path);
  if (entry === undefined || !mayOpen(state.user.role, path)) {
    return <Navigate to={homeOf(state.user.role)} replace />;
  }
  // Another record is another screen: nothing of the last one stays.
  const shown = <entry.Screen key={entry.keepsForm ? path : `${path};${parameters['id'] ?? ''}`} />;
  return (
    <RouteParametersContext value={parameters}>
      <Suspense fallback={waiting}>
        <Shell path={path}>
          <Suspense fallback={waiting}>
            {entry.setting === 'resultEntry' ? (
              <ResultEntryGate home={homeOf(state.user.role)} waiting={waiting}>
                {shown}
              </ResultEntryGate>
            ) : (
              shown
            )}
          </Suspense>
        </Shell>
      </Suspense>
    </RouteParametersContext>
  );
}

export function createPortalRouter(): DataRouter {
  return createBrowserRouter([{ path: '*', Component: Portal, ErrorBoundary: PortalFailed }]);
}
