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
import { hasRequestedSearch, RouteParametersContext } from '../components/routeParameters';
import {
  buildMatrix,
  parseMatrix,
  splitPersonalParameters,
  type RouteParameters,
} from '../lib/matrix';
import { useDueDocuments } from '../features/legal/api';
import { PortalFailed } from './PortalFailed';
import { paths } from '../lib/paths';
import { getHome, canOpen, publicScreens, screens } from './screens';
import { SessionEnded } from './SessionEnded';
import { SignIn } from './SignIn';

// Loaded separately, so that the sign-in page does not load what only signed-in users need.
const Shell = lazy(() => import('./shell/Shell'));
const SecondFactorSetup = lazy(() => import('../features/accounts/screens/SecondFactorSetup'));
const AcceptanceStep = lazy(() => import('../features/legal/components/AcceptanceStep'));
const ResultEntryGate = lazy(() => import('./ResultEntryGate'));

const fallback = <div className="screen-loading" role="status" aria-label="Loading" />;

/** Parameters passed in history state instead of the address. */
interface HistoryState {
  parameters?: RouteParameters;
}

function getStateParameters(location: Location): RouteParameters {
  return (location.state as HistoryState | null)?.parameters ?? {};
}

/**
 * Parses the matrix and query parameters of the address. Parameters that identify a person are
 * moved to history state at once, so that they disappear from the address bar.
 */
function useParsedLocation() {
  const location = useLocation();
  const navigate = useNavigate();
  const parsedPath = useMemo(
    () => parseMatrix(location.pathname, location.search),
    [location.pathname, location.search],
  );
  const stateParameters = getStateParameters(location);
  const { personal, other } = splitPersonalParameters(parsedPath.parameters);
  const mustHidePersonal = Object.keys(personal).length > 0;
  useLayoutEffect(() => {
    if (!mustHidePersonal) return;
    void navigate(buildMatrix(parsedPath.path, other), {
      replace: true,
      state: { parameters: { ...stateParameters, ...personal } } satisfies HistoryState,
    });
  });
  const parameters = { ...parsedPath.parameters, ...stateParameters };
  return { path: parsedPath.path, parameters, visit: location.key };
}

/** Decides what an address shows, with or without a session. */
function Portal() {
  const { path, parameters, visit } = useParsedLocation();
  const state = useSessionState();
  const dueDocuments = useDueDocuments();

  if (path === paths.login) return <SignIn />;
  if (path === paths.authCallback) return fallback;
  const publicScreen = publicScreens.find((screen) => screen.path === path);
  if (publicScreen !== undefined) {
    return (
      <Suspense fallback={fallback}>
        <publicScreen.Screen />
      </Suspense>
    );
  }
  if (state.status === 'signedOut') {
    return path === '/' ? (
      <Navigate to={paths.login} replace />
    ) : (
      <SessionEnded reason={state.reason} lastUserId={state.lastUserId} />
    );
  }
  if (state.status === 'starting') return null;
  if (path === '/') return <Navigate to={paths.login} replace />;
  if (state.user.mustSetUpSecondFactor) {
    return (
      <Suspense fallback={fallback}>
        <SecondFactorSetup />
      </Suspense>
    );
  }

  if (dueDocuments !== null) {
    return (
      <Suspense fallback={fallback}>
        <AcceptanceStep legal={dueDocuments} />
      </Suspense>
    );
  }

  const target = screens.find((screen) => screen.path === path);
  if (target === undefined || !canOpen(state.user.role, path)) {
    return <Navigate to={getHome(state.user.role)} replace />;
  }
  // Another record is another screen, and so is a search that a link requests: no state of the
  // previous screen remains.
  const request = hasRequestedSearch(parameters) ? visit : (parameters['id'] ?? '');
  const screenElement = <target.Screen key={target.keepsForm ? path : `${path};${request}`} />;
  return (
    <RouteParametersContext value={parameters}>
      <Suspense fallback={fallback}>
        <Shell path={path}>
          <Suspense fallback={fallback}>
            {target.setting === 'resultEntry' ? (
              <ResultEntryGate home={getHome(state.user.role)} fallback={fallback}>
                {screenElement}
              </ResultEntryGate>
            ) : (
              screenElement
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
